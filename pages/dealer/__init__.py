"""The table's own page: hands as they are dealt."""
