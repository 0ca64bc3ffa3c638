#!/usr/bin/env bash
# Guess: what setUpModule() and setUpClass() assign to a flag of torch holds in the tests of the module and the class,
# whether a test is a function or a coroutine.
# Seen: in an IsolatedAsyncioTestCase it does not. Each such test keeps a copy of the context from when it was found, before
# anything was set up, and from torch 2.12 on flags are context variables. setUp(), which is run in that copy, does reach
# it.
# torch 2.13.0, CPython 3.11. Prints recompile_limit, set to 99 by the class, in the tests: function 99, coroutine 8,
# coroutine with setUp() 77.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3.11 -m venv env
env/bin/python -m pip install --quiet torch==2.13.0
cat > check.py <<'EOF'
import unittest

import torch._dynamo.config as config

found = {}


class Function(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        config.recompile_limit = 99

    @classmethod
    def tearDownClass(cls):
        config.recompile_limit = 8

    def test(self):
        found[type(self).__name__] = config.recompile_limit


class Coroutine(unittest.IsolatedAsyncioTestCase):
    setUpClass = Function.setUpClass
    tearDownClass = Function.tearDownClass

    async def test(self):
        found[type(self).__name__] = config.recompile_limit


class CoroutineWithSetUp(Coroutine):
    def setUp(self):
        config.recompile_limit = 77


unittest.main(exit=False)
print(found)
assert found == {"Function": 99, "Coroutine": 8, "CoroutineWithSetUp": 77}
EOF
env/bin/python check.py
