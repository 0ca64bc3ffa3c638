"""What a process ended up with: the settings in force, those that were overruled, and showing both."""
