"""Running a program with settings in force, and passing settings on to the processes that it starts.

The program must not notice. It runs in this process as Python itself would run it: as ``__main__``, with its
own ``sys.argv`` and ``sys.path[0]``, and it ends with the same traceback, exit code or signal. Starting a
second process would be simpler, but signals, terminals and debuggers would meet dynconf first.

Nor is torch imported for a program that does not need it. Each config module gets its settings right after
the program has imported that module::

    dynconf run --set recompile_limit=64 train.py

1. Settings are read and checked, before the program starts: a mistake is the caller's, not the program's.
2. `installing.install_on_import` registers an action for ``torch._dynamo.config``.
3. `program.Program.run` runs ``train.py``. When that imports torch, the action installs ``recompile_limit``.
4. Its child processes find the settings in the variable ``DYNCONF_CONFIG``: see `dynconf.tools.run.children`.
"""
