"""What a flag is: its record, its type, its variables, and rules over several."""
