"""The cast that tests share: events, people and pages."""
