"""The auditor: journals, exceptions, replays of hands."""
