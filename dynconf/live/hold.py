"""`hold`: the user's last word about a flag."""

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from dynconf.catalogue.flags.types import short_repr
from dynconf.errors import DynconfError, UnknownFlagError, combined
from dynconf.live.binding import bind
from dynconf.live.change import writable
from dynconf.live.install import Installation, install_state
from dynconf.live.layers import HOLDS
from dynconf.live.validation import collect_values
from dynconf.provenance import caller
from dynconf.release import Release
from dynconf.state import SettingValue, State, as_mapping

if TYPE_CHECKING:
    from dynconf.live.torch.slot import Slot


def hold(*flags: str | Mapping[str, Any], **values: Any) -> Installation:
    """Hold flags: they keep their values, whatever is set afterwards, by any code and in any way.

    This applies to assignments, patches of torch and dynconf, installations, options of torch.compile and
    ``load_config``, in every thread. Each line that sets such a flag to another value gets one warning. Only
    a variable that torch itself ranks above every assignment beats a hold. If a flag is held twice, the first
    hold counts. A container that torch has returned is not protected from changes in place; a warning at the
    end of the process names it.

    ``hold = ["inductor.compile_threads"]`` in a settings file and ``dynconf run --hold FLAG=VALUE`` do the
    same.

    Args:
        *flags: Names of flags, which are held at the values in force; or a mapping of flags to values.
        **values: Values by flag, as for `dynconf.patch`.

    Returns:
        The installation, in force; `Installation.uninstall` ends it, and as a context manager it does so on
        leaving. Values that were set in the meantime then count.

    Raises:
        UnknownFlagError: A name is misspelt, too new for this torch, or was removed.
        InvalidValueError: A flag does not accept its value.
        ConflictError: The values contradict those in force.

    Example:
        >>> import dynconf, torch._dynamo.config
        >>> with dynconf.hold(recompile_limit=64), torch._dynamo.config.patch(recompile_limit=64):
        ...     dynconf.origin("recompile_limit").kind
        'hold'
    """
    line = caller()
    held: dict[Slot, Any] = {}
    errors: list[DynconfError] = []
    for each in (*flags, values):
        if isinstance(each, str):
            try:
                slot = bind().slot(each)
                held[slot] = slot.read()
            except UnknownFlagError as error:
                errors.append(error)
        elif (mapping := as_mapping(each)) is not None:
            collect_values(bind(), mapping, held, errors, errors)
        else:
            raise TypeError(f"dynconf.hold: expected names, or a mapping of flags, not {short_repr(each)}")
    if errors:
        raise combined(errors)
    if not held:
        raise TypeError("dynconf.hold: expected the name of a flag, or a flag with its value")
    origin = replace(line.origin("hold"), held=True)
    entries = {slot.setting: SettingValue(value, origin) for slot, value in writable(held).items()}
    return install_state(State(Release.at_hand(), entries), line, place=HOLDS)
