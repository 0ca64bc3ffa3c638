"""Which mode a value of ``optimize_ddp`` means."""

from dynconf.catalogue.catalogue import Setting
from dynconf.catalogue.modules import catalogue
from dynconf.catalogue.modules.dynamo import DdpMode, rules
from dynconf.errors import ConflictError
from dynconf.provenance import Origin
from dynconf.release import Release

FLAG = "optimize_ddp"


def mode_of(value: object, origin: Origin | None = None) -> DdpMode:
    """Return the mode that a value of ``optimize_ddp`` means; an error names the *origin*."""
    value = _setting(FLAG).check(value, origin)
    if isinstance(value, bool):
        return DdpMode.ddp_optimizer if value else DdpMode.no_optimization
    return DdpMode(value)


def resolve_optimize_ddp(value: object, *, compiled_autograd: bool | None = None) -> DdpMode:
    """Return the mode that a value of ``optimize_ddp`` means, as torch reads it.

    Args:
        value: True, False, or the name of a mode.
        compiled_autograd: Whether compiled autograd will be on, if the caller knows; None skips that check.

    Raises:
        InvalidValueError: The value is not a mode.
        ConflictError: The mode does not work with compiled autograd, or needs it.

    Example:
        >>> resolve_optimize_ddp(True)
        <DdpMode.ddp_optimizer: 'ddp_optimizer'>
    """
    mode = mode_of(value)
    if compiled_autograd is not None:
        autograd = _setting("compiled_autograd").check(compiled_autograd)
        for rule in (rules.NO_SPLITTING_UNDER_COMPILED_AUTOGRAD, rules.PYTHON_REDUCER_ALONE):
            if rule.is_broken(mode.value, autograd):
                raise ConflictError(
                    f"{rule.code}: optimize_ddp={mode.value!r} with compiled_autograd={autograd}: {rule.why}",
                    flag=FLAG,
                )
    return mode


def _setting(flag: str) -> Setting:
    return catalogue("dynamo").at(Release.at_hand()).settings[flag]
