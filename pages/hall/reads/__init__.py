"""The data that the screens in the hall show."""
