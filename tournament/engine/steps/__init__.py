"""What each fact does to the state of an event, a module a group of facts."""
