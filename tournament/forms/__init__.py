"""What people type, read into integers and words; no rule lives here."""
