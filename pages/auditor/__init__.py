"""The auditor: journals, exceptions, hands played again."""
