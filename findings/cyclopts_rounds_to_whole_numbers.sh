#!/usr/bin/env bash
# Guess: cyclopts, which makes commands of functions with types, refuses 2.5 for an integer, as argparse, click and typer
# do; and a parameter of the type `int | str` takes 2.10 as a text.
# Seen: it rounds, halves to the even number: 2.5 is 2, 1.5 is 2 as well. 2.10 for `int | str` is the integer 2. 1e3, which
# means a whole number, is refused.
# cyclopts 5.5.2. Prints: int: 2.5 2, 1.5 2, 1e3 refused; int | str: 2.10 2, v2.10 'v2.10'.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3.11 -m venv env
env/bin/python -m pip install --quiet cyclopts==5.5.2
env/bin/python - <<'EOF'
import cyclopts


def read(kind, text):
    app = cyclopts.App(result_action="return_value")

    @app.default
    def main(*, limit: kind):
        return limit

    try:
        return app([f"--limit={text}"], exit_on_error=False, print_error=False)
    except cyclopts.CycloptsError:
        return "refused"


for kind, expected in ((int, {"2.5": 2, "1.5": 2, "1e3": "refused"}), (int | str, {"2.10": 2, "v2.10": "v2.10"})):
    found = {text: read(kind, text) for text in expected}
    print(kind, found)
    assert found == expected
EOF
