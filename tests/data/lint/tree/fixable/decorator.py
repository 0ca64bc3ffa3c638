import functools

from torch._dynamo import config


@config.patch(recompile_limit=64)  # found: DC303*
def main():
    assert config.verbose is False


@functools.partial(config.patch, {"recompile_limit": 64})()  # found: DC303*
def again():
    assert config.verbose is False


main()
again()
