"""What exists: the flags of torch's config modules, with their types, names, rules and facts by release."""
