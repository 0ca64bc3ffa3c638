"""The config modules in torch itself: binding to them, patching, installing, and where values came from.

`torch` alone knows torch's objects: how a module stores its flags, and a `Slot` for each of them. Above it,
from the bottom up: `change`, values put in force together, and the `chain` of those that were entered;
`binding`, a module with its slots; `installed` and `layers`, values for the process; `assignments`, what the
program set; `origin`, `in_force` and `validation`; and for users `patch`, `install`, `options`, `threads`,
`ddp`, `defaults` and `hold`.
"""
