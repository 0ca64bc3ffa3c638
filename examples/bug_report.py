"""What an issue needs: `dynconf.report` records the configuration, and whoever reads the issue can load it.

Run: python examples/bug_report.py
For a program: dynconf run --report report.md program.py
The Markdown of an issue is read back by: dynconf dump --from report.md -o state.json
"""

import tempfile
from pathlib import Path

import dynconf


def main() -> None:
    """Write a report, and load it as somebody else would."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "report.json")
        with dynconf.patch(recompile_limit=64, inductor={"max_fusion_size": 32}):
            report = dynconf.report()
        report.save(file)
        lines = str(report).splitlines()
        print(f"a report of {len(lines)} lines for the issue, with:")
        print("\n".join(f"  {line}" for line in lines if "recompile_limit" in line or "max_fusion" in line))
        received = dynconf.load(file)
        print(f"loaded from it: {dict(received.only_set())}")
        with received.patch():
            print(f"in force here: recompile_limit={dynconf.snapshot()['recompile_limit']}")


if __name__ == "__main__":
    main()
