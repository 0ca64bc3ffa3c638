"""The settings in force in a process in the end, those that they overrule, and showing both."""
