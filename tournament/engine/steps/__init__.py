"""The steps: how each fact changes the state of an event, one module per group of facts."""
