"""A view translates: form in, one service, template out."""
