"""Everything a person sees. Each audience has a folder with views, forms and reads; shared modules lie
here."""
