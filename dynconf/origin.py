"""Where a value came from."""

from dataclasses import dataclass
from typing import Literal

Kind = Literal[
    "default",  # torch's own default in the release at hand
    "env",  # an environment variable
    "forced",  # an environment variable that torch puts above every assignment
    "file",  # dynconf.toml, pyproject.toml, a saved state
    "keyword",  # an argument of a call
    "option",  # --set on the command line
    "install",  # Installation: DynamoSettings.install, dynconf.install
    "patch",  # dynconf.patch, in force now
    "assignment",  # written to torch._dynamo.config from outside dynconf
    "implication",  # another flag implies it (torch 2.15)
    "alias",  # an old name that torch forwards to the newer one
]


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a value came from.

    Attributes:
        kind: What sort of place it is.
        name: The variable, the key with its table, the option, or the flag that an alias stands for.
        raw: The text that was read, where there was one.
        file: The file that was read, or the one that holds the call.
        line: The line in that file, counted from 1.
    """

    kind: Kind
    name: str | None = None
    raw: str | None = None
    file: str | None = None
    line: int | None = None

    def __str__(self) -> str:
        """Say it in a few words, as messages and tables show it."""
        where = f"{self.file}:{self.line}" if self.line else self.file or ""
        # A line break or a control sequence in a variable must not become one on the terminal.
        raw = self.raw if self.raw is None or self.raw.isprintable() else repr(self.raw)
        match self.kind:
            case "env":
                return f"environment {self.name}={raw}"
            case "forced":
                return f"forced by {self.name}={raw}"
            case "file":
                return f"{where} ({self.name})" if self.name else where
            case "option":
                return f"option --set {self.name}={raw}"
            case "install" | "patch" | "keyword":
                return f"{self.kind} at {where}" if where else self.kind
            case "implication" | "alias":
                return f"{self.kind} of {self.name}"
            case _:
                return self.kind

    def as_json(self) -> dict[str, object]:
        """Return the attributes that are set, as a JSON object."""
        pairs = {"kind": self.kind, "name": self.name, "raw": self.raw, "file": self.file, "line": self.line}
        return {key: value for key, value in pairs.items() if value is not None}


DEFAULT = Origin("default")
