"""`make run`: the set-up, the embedded PostgreSQL, the server. A server of one's own needs none of it."""
