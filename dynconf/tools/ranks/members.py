"""The members of a group, and how messages speak of them."""

from collections.abc import Hashable, Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any

from dynconf.catalogue.flags.types import short_repr
from dynconf.errors import InvalidValueError

if TYPE_CHECKING:
    from torch.distributed import ProcessGroup
    from torch.distributed.device_mesh import DeviceMesh

    Group = ProcessGroup | DeviceMesh

MOST_GROUPS = 8
"""The number of different values that a message lists."""


def process_group(group: Any) -> "ProcessGroup | None":
    """Return the process group to use, or None if this rank is not in it; refuse anything else."""
    from torch import distributed
    from torch.distributed import distributed_c10d
    from torch.distributed.device_mesh import DeviceMesh

    if isinstance(group, DeviceMesh):
        if group.size() == distributed.get_world_size():
            return distributed.group.WORLD
        if group.ndim > 1:
            raise InvalidValueError(
                f"group: a DeviceMesh of {group.ndim} dimensions has several groups: expected all ranks, or"
                " one dimension of the mesh, such as mesh['dp']"
            )
        return group.get_group() if group.get_coordinate() is not None else None
    if group is None:
        return distributed.group.WORLD
    if group == distributed.GroupMember.NON_GROUP_MEMBER:
        return None
    if not isinstance(group, distributed.ProcessGroup) or group not in distributed_c10d._world.pg_map:
        raise InvalidValueError(
            f"group: {short_repr(group)} is not a group of ranks, or was destroyed: expected a ProcessGroup,"
            " a DeviceMesh or None"
        )
    return group if distributed.get_rank(group) >= 0 else None


def device_of_backend(group: Any) -> Any:
    """Return a device whose tensors the backend of the group takes, preferably the CPU."""
    import torch
    from torch.distributed import distributed_c10d

    pairs = str(distributed_c10d.get_backend_config(group)).split(",")  # such as cpu:gloo,cuda:nccl
    kinds = [pair.partition(":")[0] for pair in pairs]
    if "cpu" in kinds:
        return torch.device("cpu")
    return torch.device(kinds[0], getattr(torch, kinds[0]).current_device())


def format_ranks(ranks: Sequence[int]) -> str:
    """Return ``rank 3`` or ``ranks 0-2,4-7``."""
    runs = [
        [rank for _, rank in run]
        for _, run in groupby(enumerate(sorted(ranks)), key=lambda pair: pair[1] - pair[0])
    ]
    text = ",".join(str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs)
    return f"rank {text}" if len(ranks) == 1 else f"ranks {text}"


def ranks_by_value(values: Mapping[int, Hashable]) -> dict[Any, list[int]]:
    """Return the ranks that have each value."""
    groups: dict[Hashable, list[int]] = {}
    for rank, value in values.items():
        groups.setdefault(value, []).append(rank)
    return groups


def format_values(groups: Mapping[str, Sequence[int]]) -> str:
    """Return ``8 on ranks 0-2,4-7; 99 on rank 3``."""
    parts = [f"{text} on {format_ranks(ranks)}" for text, ranks in list(groups.items())[:MOST_GROUPS]]
    if more := len(groups) - len(parts):
        parts.append(f"{more} more values on the other ranks")
    return "; ".join(parts)
