"""Reproducing failures: the minifier, and how it compares results."""

DESCRIPTIONS = """
repro_after: Stage whose graphs the minifier watches; None turns the minifier off.
    "dynamo" watches the graph that Dynamo hands to the backend; "aot" watches the forward and backward graphs
    that AOTAutograd hands to the compiler. repro_level defines a failure, and the script that is written.
repro_forward_only: Compares only forward results when repro_after="dynamo" and repro_level=4.
    Helps if only inference matters, or if the backward fails for another reason.
repro_ignore_non_fp: Compares only floating-point results in the minifier's accuracy checks.
    A tiny rounding difference can flip a bool or an int without there being a bug.
repro_level: Script that repro_after writes, and when: a level from 1 to 4.
    1: a script that reproduces the failure. 2: a minifier script after a failure. 3: a minifier script before
    each graph, for crashes that kill the process. 4: a minifier script if results are inaccurate; slow, and
    with repro_after="aot" for Inductor only.
repro_tolerance: Tolerance of the minifier's accuracy checks, both absolute and relative.
same_two_models_use_fp64: Judges accuracy against a double-precision run of the same graph.
    A result then fails only if its error is larger than that of the eager result, within the tolerance. Costs
    memory and time. If False, results are compared with the eager ones directly.
"""
