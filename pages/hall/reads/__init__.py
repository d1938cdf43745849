"""What the screens in the hall read."""
