#!/usr/bin/env bash
# Guess: Typer is built on click, so what one does with click works in a Typer command: raise click.UsageError, ask for
# click.get_current_context(), and test with isinstance(..., click.Command), as plugins and documentation tools do.
# Seen: from 0.26 on, Typer brings a click of its own and does not ask for click. The errors of the real one are tracebacks with
# exit code 1, in place of a message with 2, there is no current context, and a Typer command is no click.Command, though a
# click group takes it in silence.
# typer 0.25.1 and 0.29.2, click 8.5.1. Prints for each release the exit codes under UsageError and with the current
# context, and whether it is a click.Command: 0.25.1: 2 0 True, 0.29.2: 1 1 False.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3.11 -m venv env
cat > tool.py <<'PROGRAM'
import click
import typer

app = typer.Typer()


@app.command()
def wrong():
    raise click.UsageError("not like this")


@app.command()
def context():
    print(click.get_current_context().info_name)


if __name__ == "__main__":
    app()
PROGRAM
expect() {
    env/bin/python -m pip install --quiet "typer==$1" click==8.5.1
    wrong=0 context=0
    env/bin/python tool.py wrong > /dev/null 2>&1 || wrong=$?
    env/bin/python tool.py context > /dev/null 2>&1 || context=$?
    command=$(env/bin/python -c "import click, tool, typer; print(isinstance(typer.main.get_command(tool.app), click.Command))")
    echo "$1: $wrong $context $command"
    test "$wrong $context $command" = "$2"
}
expect 0.25.1 "2 0 True"
expect 0.29.2 "1 1 False"
