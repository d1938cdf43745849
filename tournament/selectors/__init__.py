"""Reads for the services and the pages; nothing here writes."""
