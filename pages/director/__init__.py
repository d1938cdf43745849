"""The director: set-up, draw and seats, the night, its rounds, corrections."""
