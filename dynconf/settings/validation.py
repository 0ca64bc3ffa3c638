"""The validator around every model of flags: the parts of a validation that pydantic cannot do.

pydantic validates a dict of plain values, in which there is no room for origins. So sources of dynconf return
leaves of their own, and pydantic-settings merges these dicts as any others::

    {"cache_size_limit": SettingValue("64", Origin("env", ...)), "triton.cudagrafs": True}
        -> {"cache_size_limit": "64", "triton": {"cudagrafs": True}}           to pydantic
        -> triton.cudagrafs: Extra inputs are not permitted: did you mean ...  from pydantic, completed

This validator is the outermost one, around those of subclasses, so that all of them see plain values on every
path. Before pydantic validates, it finds the fields that names mean and takes the values from the leaves.
Afterwards it refuses values that data from others may not set, records the origins, and judges the rules over
several flags. All mistakes end up in the one `pydantic.ValidationError`. The outermost model does that for
the models in it, too, which get their values as `NestedFlags`.
"""

import typing
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from typing import Any

from pydantic import ValidationError
from pydantic_core import InitErrorDetails, PydanticCustomError, PydanticKnownError, core_schema

from dynconf.catalogue import Setting
from dynconf.errors import (
    ConflictError,
    DynconfError,
    EnvironmentWarning,
    ForcedFlagWarning,
    StateFileError,
    UnknownFlagError,
)
from dynconf.flags.types import AtLeast, Mismatch, is_same_value, short_repr
from dynconf.names import why_unknown
from dynconf.origin import Caller, Origin, caller
from dynconf.release import Release
from dynconf.rules import check_rules
from dynconf.settings.field import NestedFlags, settings_of, word_errors
from dynconf.settings.names import FieldPath, Provenance, model_at, paths, values_at, why_no_field
from dynconf.sources.calls import for_release
from dynconf.sources.trust import risks_of
from dynconf.state import SettingValue

KEY = "_dynconf"
"""The key of the validation in its context, and among the keywords that sources merge."""

_NAMED = ("env", "file", "forced", "option", "source")
"""The kinds of origins that a message names, because the caller did not pass the value."""

_PYDANTICS = frozenset(typing.get_args(core_schema.ErrorType))
"""The codes of which pydantic makes the message; every other one is of a custom error."""

_CODES: Mapping[Any, str] = {
    UnknownFlagError: "extra_forbidden",  # the code of pydantic for names that a model does not have
    ConflictError: "flag_conflict",
    StateFileError: "settings_file",
}


class Validation:
    """One validation of a model of flags, and everything that its values share.

    Values that no source has marked come from `origin`. Without `trust`, they may not set flags by which one
    can make torch run a program and the like.
    """

    def __init__(
        self, model: Any, call_site: Caller, origin: Origin, *, trust: bool = True, mode: str = "python"
    ) -> None:
        self.model = model
        self.call_site = call_site
        self.origin = origin
        self.trust = trust
        self.mode = mode
        self.is_running = False
        self.release = Release.at_hand()
        self.config: Any = None  # the settings file that the call names
        self.missing: Any = None  # how to treat flags of it, or defaults of a class, that the release lacks
        self.states: Mapping[str, Mapping[str, Any]] = {}
        """The values from each source, by the name of the source, highest first."""
        self.forced: Mapping[FieldPath, SettingValue] = {}
        """The values that torch ranks above every assignment."""
        self._unmarked = origin
        """The origin of values that were not in the input."""
        self._entries: list[InitErrorDetails] = []
        self._origins: dict[FieldPath, Origin] = {}
        self._names: dict[FieldPath, FieldPath] = {}

    @classmethod
    def of_call(cls, model: Any) -> "Validation":
        """Return the validation of a call in code."""
        here = caller()
        return cls(model, here, here.origin("keyword"))

    def as_context(self) -> dict[str, Any]:
        """Return the context by which pydantic passes it on; validators of subclasses see it, too."""
        return {"trust": self.trust, KEY: self}

    def run(self, data: Any, validate: Callable[[Any], Any]) -> Any:
        """Return the model that pydantic makes of *data*.

        It may be an object with attributes, such as a row of a database, or a text that a validator of a
        subclass reads. Which values it contains is then known afterwards only.
        """
        self.is_running = True
        values = data
        if isinstance(data, Mapping):
            values = self.read(data)
            self._force(values)
            self._unmarked = Origin("source", f"a validator of {self.model.__qualname__}")
        made = self.complete(validate, values)
        if isinstance(made, self.model):
            self._finish(made, ())
            if not self.trust:
                self._refuse_untrusted(made, values if isinstance(data, Mapping) else {}, ())
        self.raise_entries()
        return made

    def complete(self, validate: Callable[[Any], Any], values: Any) -> Any:
        """Have pydantic validate; complete its error, and add the mistakes that were found before."""
        made = None
        try:
            made = validate(values)
        except ValidationError as error:
            self._entries[:0] = [self._completed(each) for each in error.errors(include_url=False)]
        self.raise_entries()
        return made

    def refuse(
        self, error: DynconfError | str, location: FieldPath, value: Any = None, code: str = "flag_value"
    ) -> None:
        """Add an entry for a mistake that dynconf has found to the error."""
        # pydantic asks for literals, so that they can be translated; ours are made of names and values.
        kind: Any = _CODES.get(type(error), code)
        message: Any = str(error)
        made = PydanticCustomError(kind, message)
        self._entries.append(InitErrorDetails(type=made, loc=location, input=value))

    def refuse_all(self, errors: Iterable[DynconfError], values: Mapping[str, Any] = {}) -> None:
        """Add entries for mistakes of flags, each with the value of the flag."""
        for error in errors:
            name = error.flag or ""
            self.refuse(error, paths(self.model).get(name, (name,) if name else ()), values.get(name))

    def raise_entries(self) -> None:
        """Raise the error of the mistakes that were found, if there are any."""
        config = self.model.model_config
        if self._entries:
            raise ValidationError.from_exception_data(
                config.get("title") or self.model.__name__,
                self._entries,
                input_type="json" if self.mode == "json" else "python",
                hide_input=bool(config.get("hide_input_in_errors")),
            )

    def read(self, data: Mapping[str, Any]) -> dict[str, Any]:
        """Return plain values where pydantic finds them, and note the origin of each.

        ``{"triton.cudagraphs": True}`` becomes ``{"triton": {"cudagraphs": True}}``. An old name in the same
        model is an alias of the field, and stays, so that mistakes are located as in the input.
        """
        values: dict[str, Any] = {}
        self._place(values, data, (), ())
        return values

    def _place(
        self, values: dict[str, Any], data: Mapping[str, Any], outer: FieldPath, outer_path: FieldPath
    ) -> None:
        for name in data:
            value = data[name]  # a lookup resolves values of OmegaConf
            given = (*outer, name)
            path = paths(self.model).get(".".join(given), (*outer_path, name))
            is_model = model_at(self.model, path) and isinstance(value, Mapping)
            if is_model and value and all(isinstance(each, str) for each in value):
                self._place(values, value, given, path)
                continue
            key = self._key(path, given)
            holder = self._holder(values, path)
            if holder is None:
                holder = {key: values[path[0]]}
            if isinstance(value, SettingValue):
                value, self._origins[path] = value
            elif not is_model:
                self._origins[path] = self._origin_of(given)
            if is_model and not value:
                value = holder.get(key, NestedFlags())
            before = holder.get(key, value)
            if not is_same_value(before, value):
                text = f"{'.'.join(path)} is set twice: {short_repr(before)} and {short_repr(value)}"
                error = ConflictError(f"{text}, as {'.'.join(given)!r}; keep one of them")
                self.refuse(error, given, value)
            elif not self._is_refused_object(path, given, value):
                holder[key] = value

    def _holder(self, values: dict[str, Any], path: FieldPath) -> dict[str, Any] | None:
        """Return the dict for a value; None where a model is passed as one instead of its flags."""
        for part in path[:-1]:
            values = values.setdefault(part, NestedFlags())
            if not isinstance(values, NestedFlags):
                return None
        return values

    def _key(self, path: FieldPath, given: FieldPath) -> str:
        """Return the key of a value for pydantic: the name that the input has for it in the same model."""
        first = self._names.setdefault(path, given)
        return first[-1] if first[:-1] == path[:-1] else path[-1]

    def _origin_of(self, given: FieldPath) -> Origin:
        """Return the origin of a value that no source has marked, by the keys that lead to it."""
        return next((origin for _, origin in values_at(self.states, given, self.origin)), self.origin)

    def _raised(self, limit: AtLeast, path: FieldPath, setting: Setting) -> SettingValue:
        """Return the higher value that a source below has for a limit, or the limit, each with its origin."""
        for value, origin in values_at(self.states, path, self.origin):
            if not isinstance(value, AtLeast):
                with suppress(Mismatch):
                    below = setting.type.parse(value) if isinstance(value, str) else value
                    if limit.over(below) is not limit:
                        return SettingValue(limit.over(below), origin)
                break
        return SettingValue(limit, self._origins.get(path, self._unmarked))

    def _force(self, values: dict[str, Any]) -> None:
        """Put the values in place that torch ranks above all sources; warn of each one that is lost."""
        for path, (value, origin) in self.forced.items():
            holder, key = self._holder(values, path), self._key(path, path)
            if holder is None:  # it has the value already
                continue
            before = holder.get(key, value)
            if not is_same_value(before, value):
                flag = ".".join(path)
                lost = f"{flag}: {short_repr(before)} has no effect"
                warning = ForcedFlagWarning(f"{lost}: {origin} beats every other setting", flag=flag)
                self.call_site.warn(warning)
            holder[key], self._origins[path] = value, origin

    def _finish(self, made: Any, path: FieldPath) -> None:
        """Check a model, to which these fields lead, and the models in it; record the origins of values."""
        names, values = made.__pydantic_fields_set__, vars(made)
        settings = settings_of(made, self.release)
        own = names - made._inner_models.keys()
        origins = {name: self._origins.get((*path, name), self._unmarked) for name in own}
        for name in own & settings.keys():
            if isinstance(values[name], AtLeast):
                values[name], origins[name] = self._raised(values[name], (*path, name), settings[name])
        made.__pydantic_private__["_provenance"] = Provenance(origins, self.release)
        if self.release != made._built_for:
            # Defaults are not validated, as by pydantic: in another release, a field need not accept them.
            unset = settings.keys() - names - made._class_defaults.keys()
            built = settings_of(made, made._built_for)
            for name in unset:
                default = settings[name].default_value()
                if not is_same_value(default, built[name].default_value()):
                    values[name] = default
        self.check(made, path)

    def check(self, made: Any, path: FieldPath = ()) -> None:
        """Check the parts of a model that pydantic cannot, such as rules over several flags."""
        settings = settings_of(made, self.release)
        for name, origin in made._class_defaults.items():
            if settings[name].is_absent and self.missing != "skip":  # a class is for many releases
                reason = why_unknown(settings[name].key, self.release, settings[name].module)
                if self.missing == "error":
                    self.refuse(UnknownFlagError(f"{reason} (from {origin})"), (*path, name))
                else:
                    self.call_site.warn(EnvironmentWarning(f"{reason} (from {origin}); skipped", flag=name))
        for name, mistake in word_errors(made, settings):
            self.refuse(mistake, (*path, name), vars(made)[name])
        for name in made._inner_models:
            inner = vars(made).get(name)
            # One that was passed on as a model, or made by a validator, has been checked for some release.
            if getattr(inner, "_provenance", self).release is None:
                self._finish(inner, (*path, name))
        if not made._module or (made._group and path):  # other models have the flags
            return
        state = made.as_state()
        # That flags without effect have their defaults, as in whole dumps, changes nothing for anybody.
        reading = for_release(state, self.release).without_idle()
        verdict = check_rules(state, state.value, state.origin)
        self.refuse_all(reading.errors, {each.newest: value for each, (value, _) in state.items()})
        for error in verdict.errors:
            self.refuse(error, path, {each.key: value for each, (value, _) in state.items() if each.rules})
        for warning in (*reading.warnings, *verdict.warnings):
            self.call_site.warn(warning)

    def _is_refused_object(self, path: FieldPath, location: FieldPath, value: Any) -> bool:
        """Refuse objects that data from others names, before they are looked up."""
        model = model_at(self.model, path[:-1])
        setting = settings_of(model, self.release).get(path[-1]) if model and not self.trust else None
        if setting is None or not setting.type.names_objects:
            return False
        kind = setting.type
        try:
            read = kind.parse(value) if isinstance(value, str) else kind.from_data(value)
        except Mismatch:
            return False  # pydantic will say so
        return self._is_refused(setting, read, location, value)

    def _refuse_untrusted(self, made: Any, given: Mapping[str, Any], path: FieldPath) -> None:
        """Refuse values that data from others may not set.

        Models in this one are looked at, too: a subclass may make itself by a call, in which all is trusted.
        """
        settings = settings_of(made, self.release)
        for field in made.__pydantic_fields_set__:
            location = self._names.get((*path, field), (*path, field))
            value = given.get(location[-1], {})
            if field in settings:
                read = settings[field].type.by_name(vars(made)[field])
                self._is_refused(settings[field], read, location, value if location[-1] in given else read)
            elif field in made._inner_models and isinstance(value, Mapping):
                self._refuse_untrusted(vars(made)[field], value, (*path, field))

    def _is_refused(self, setting: Setting, read: Any, location: FieldPath, value: Any) -> bool:
        reached = risks_of(setting, read)
        if reached:
            message = (
                f"{setting.newest}: {short_repr(value)} is refused in data from others: it would"
                f" make torch {' and '.join(reached)};"
                " if you trust the data, validate it with context={'trust': True}"
            )
            self.refuse(message, location, value, "untrusted")
        return bool(reached)

    def _completed(self, details: Any) -> InitErrorDetails:
        """Return an entry of pydantic with a suggestion for an unknown name, or the origin of a value."""
        location = tuple(map(str, details["loc"]))
        message: Any = details["msg"]
        known = paths(self.model)
        model = model_at(self.model, known.get(".".join(location[:-1]), location[:-1]))
        if details["type"] in ("extra_forbidden", "no_such_attribute") and model:
            message = f"{message}: {why_no_field(model, location[-1], self.release)}"
        starts = (location[:length] for length in range(len(location), 0, -1))
        found = (self._origins.get(known.get(".".join(start), start)) for start in starts)
        origin = next((each for each in found if each), self.origin)
        # The sender of data knows that it is the data; a file that was named is worth a word.
        if origin.kind in _NAMED and (origin.kind == "file" or origin != self.origin):
            message = f"{message} (from {origin})"
        code, context = details["type"], details.get("ctx")
        # A custom error may have a code of pydantic, but another message.
        if code not in _PYDANTICS or PydanticKnownError(code, context).message() != message:
            details = {**details, "type": PydanticCustomError(code, message, context)}
        return details  # type: ignore[no-any-return]


def validation_in(context: object) -> Validation | None:
    """Return the validation in whose course pydantic validates with this context."""
    found = context.get(KEY) if isinstance(context, Mapping) else None
    return found if isinstance(found, Validation) else None
