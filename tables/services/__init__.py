"""The services of the floor: the only code that writes there."""
