"""Plan the night: what-if by simulation. The kernel plays, the questions ask it (docs/plan.md)."""
