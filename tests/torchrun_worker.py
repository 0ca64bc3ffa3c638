"""One of the ranks that a test starts with ``torch.distributed.run``; prints its findings."""

import torch._dynamo.config
from torch import distributed

import dynconf
from dynconf.catalogue.names import find
from dynconf.release import Release

LIMIT = find("recompile_limit", Release.at_hand()).name


def main() -> None:
    """Deviate on rank 2, compare, take over the flags of rank 0, and compare again."""
    distributed.init_process_group("gloo")
    rank = distributed.get_rank()
    if rank == 2:
        setattr(torch._dynamo.config, LIMIT, 99)
    try:
        dynconf.distributed.check_consistency()
        found = "nothing"
    except dynconf.ConflictError as error:
        found = str(error)
    dynconf.distributed.broadcast()
    dynconf.distributed.check_consistency()
    limit = getattr(torch._dynamo.config, LIMIT)
    print(f"rank {rank} found [{found}], then {limit}\n", end="", flush=True)  # noqa: T201  for the test
    distributed.destroy_process_group()


if __name__ == "__main__":
    main()
