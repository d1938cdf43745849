"""The data that the pages show."""
