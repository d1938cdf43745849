"""What the pages and services of the floor read; nothing here writes."""
