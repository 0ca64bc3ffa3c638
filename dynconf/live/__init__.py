"""The config modules in torch itself: binding to them, patching, installing, and where values came from.

From the bottom up: `cells` hold single values, `slot` is one setting of a live module, `insides` know how
torch keeps its values, `binding` finds a module's slots, `chain` is what has been entered, `process` what is
installed for every thread, `effective` what a flag's value is and why, `changes` what may be set; `patch`
and `install` are for users. Nothing else in dynconf imports torch's config modules.
"""
