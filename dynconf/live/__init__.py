"""The config modules in torch itself: binding to them, patching, installing, and where values came from.

From the bottom up: `cells` hold single values, `slot` is one setting of a live module, `override` decides
which overrides count while something is installed, `insides` know how torch keeps its values, `chain` is what
has been entered, `binding` finds a module's slots, `process` is what is installed for every thread, `origin`
tells where a value came from, `changes` what may be set, `activity` runs decorated bodies step by step;
`patch`, `install` and `ddp` are for users. Nothing else in dynconf imports torch's config modules.
"""
