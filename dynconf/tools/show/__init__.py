"""What is shown of flags and states: explanations, tables, exports, templates, findings."""
