"""One configuration on all ranks: comparing, sending and reporting it."""
