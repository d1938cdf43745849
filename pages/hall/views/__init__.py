"""Views of the screens in the hall."""
