"""``dynconf.inductor``, which also makes options for torch.compile."""

from typing import TYPE_CHECKING, Any

from dynconf.live.options import options_of
from dynconf.namespace.calls import Namespace, lists_flags
from dynconf.provenance import caller
from dynconf.state import changes_of, flags_within

if TYPE_CHECKING:
    from dynconf.state import Missing


@lists_flags("options")
class InductorNamespace(Namespace):
    """The flags of ``torch._inductor.config``, and options for torch.compile; see `Namespace`."""

    def options(
        self,
        mode_or_changes: Any = None,
        /,
        missing: "Missing" = "error",
        *,
        mode: str | None = None,
        **flags: Any,
    ) -> dict[str, Any]:
        """Return options for ``torch.compile(options=...)``, checked, for the torch at hand.

        They apply to everything that this one torch.compile compiles, the backward included. Names and values
        are those that `patch` accepts.

        torch.compile refuses some valid values, because torch declares the types of some flags wrongly. If
        you give one, dynconf corrects torch's record of that type for the rest of the process.

        Args:
            mode_or_changes: A mode of torch.compile, such as ``"max-autotune"``, which torch itself does
                not take together with options; or a mapping of flags to values, settings or a snapshot.
            missing: How to treat flags that the release lacks, or that its options cannot set:
                ``"error"``, ``"warn"`` or ``"skip"``.
            mode: The mode, if the first argument is not.
            guard_filter_fn: As torch.compile takes it (torch 2.8 and newer).
            use_aoti: As torch.compile takes it (torch 2.10 and newer).
            **flags: Values by flag; they win over those of the mode. A dotted name is given as
                ``**{"triton.cudagraphs": True}`` or as ``triton={"cudagraphs": True}``.

        Raises:
            UnknownFlagError: A name is misspelt, too new, was removed, or belongs to another module.
            InvalidValueError: A flag does not accept its value, or torch has no such mode.
            ConflictError: Two names of one flag have different values, or a rule over several flags
                forbids them.

        Example:
            >>> import dynconf
            >>> dynconf.inductor.options("reduce-overhead", max_fusion_size=32)
            {'triton.cudagraphs': True, 'max_fusion_size': 32}
        """
        arguments = [] if mode_or_changes is None else [mode_or_changes]
        if isinstance(mode_or_changes, str):
            if mode is not None:
                raise TypeError("dynconf.inductor.options: the mode is given twice")
            mode, arguments = mode_or_changes, []
        changes = changes_of(arguments, flags, "dynconf.inductor.options")
        return options_of(flags_within(self._module, changes) or {}, mode, missing, caller())
