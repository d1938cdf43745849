"""Plan the night: what-if by simulation. The kernel plays, other modules ask questions of it
(docs/plan.md)."""
