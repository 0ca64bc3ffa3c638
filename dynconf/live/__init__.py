"""The config modules in torch itself: binding to them, patching, installing, and where values came from.

From the bottom up: `lock`; `stand_ins`, which replace objects of torch; `storage`, the interface to the way
in which a module stores its flags, and `torch_internals`, the ways so far; `restoring`, which tells who sets
a flag; `override`, which decides whether a stored override counts; `slot`, one setting of a live module;
`change`, values put in force together; `chain`, those that were entered; `binding`, a module with its slots;
`installed`, the installed values; `origin` and `in_force`; `validation`; `activity`, `test_case` and
`decorate`; and for users `patch`, `install`, `ddp` and `threads`. `baseline` serves the pytest plugin,
`watch` the audit; nothing else imports those modules.
"""
