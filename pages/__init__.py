"""Everything a person sees, a folder for each audience: views, forms, reads; what all share beside them."""
