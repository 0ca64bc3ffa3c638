"""What is kept: snapshots, saved states, what differs between two of them, and what is left out."""
