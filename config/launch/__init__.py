"""`make run`: the set-up, the embedded PostgreSQL, the server. A server installation needs none of it."""
