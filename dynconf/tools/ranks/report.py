"""Everything on one rank that makes its compiled code, or the keys of its caches, differ from another's."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import partial
from typing import Any

from dynconf import version
from dynconf.catalogue.modules import MODULES
from dynconf.provenance import Origin
from dynconf.store.fingerprint import fingerprint
from dynconf.store.snapshot import live_state
from dynconf.tools.doctor.toolchain import cpp_compiler
from dynconf.tools.ranks.comparison import comparable_data
from dynconf.tools.report.machine import answer, device, numerics, triton


@dataclass(frozen=True, slots=True)
class RankReport:
    """One rank, as `collect` returns it. An answer that cannot be had is a text that begins with "unknown: ".

    Attributes:
        torch: The torch release.
        dynconf: The version of dynconf.
        fingerprint: `dynconf.fingerprint` of the rank: equal if its flags compile to the same code.
        flags: The flags that are set, by newest name, as JSON data; objects go by their names.
        origins: Where each of them came from.
        matmul_precision: The precision of float32 matmuls, such as "highest".
        tf32: Whether TF32 is allowed, by ``matmul`` and ``cudnn``.
        deterministic_algorithms: The debug mode: "default", "warn" or "error".
        triton: The version of Triton; None if it is not installed.
        compiler: The C++ compiler that Inductor chooses, with its version.
        device: The name of the current accelerator, or of the CPU with its vector instructions.
    """

    torch: str
    dynconf: str
    fingerprint: str
    flags: Mapping[str, Any]
    origins: Mapping[str, Origin]
    matmul_precision: str
    tf32: Mapping[str, Any]
    deterministic_algorithms: str
    triton: str | None
    compiler: str
    device: str

    @classmethod
    def of_this_rank(cls) -> "RankReport":
        """Return the report of this process; no question ends in an error."""
        state, switches = live_state(MODULES), numerics()
        settings = state.only_set()
        return cls(
            torch=state.release.version,
            dynconf=version.__version__,
            fingerprint=answer(fingerprint),
            flags={
                each.newest: answer(partial(comparable_data, each, value))
                for each, (value, _) in settings.items()
            },
            origins={each.newest: origin for each, (_, origin) in settings.items()},
            matmul_precision=switches["float32_matmul_precision"],
            tf32={part: switches[f"{part}.allow_tf32"] for part in ("matmul", "cudnn")},
            deterministic_algorithms=switches["deterministic_algorithms"],
            triton=answer(triton),
            compiler=answer(partial(cpp_compiler, needed=True)),
            device=answer(device),
        )

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> "RankReport":
        """Return the report of a rank that sent `asdict` of it, perhaps from another version of dynconf."""
        values: dict[str, Any] = {each.name: data.get(each.name) for each in fields(cls)}
        sent = data["origins"].items()
        values["origins"] = {
            name: Origin(**{each.name: origin[each.name] for each in fields(Origin)}) for name, origin in sent
        }
        return cls(**values)
