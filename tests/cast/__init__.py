"""The cast that tests share: events, people and pages, each module named for what it holds."""
