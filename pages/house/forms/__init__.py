"""Read typed fields into figures and words."""
