"""What is typed, read into figures and words."""
