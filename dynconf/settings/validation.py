"""The validator around every model of flags: what a validation by pydantic does besides validating.

It is the outermost one of a model, around the validators of subclasses, so that all of them see plain values
on every path: a call, `model_validate`, a nested field, an assignment. Before pydantic's own validation it
finds the fields that old and dotted names mean, takes the origins off the values of sources, and refuses
what data from others may not set. After it, it records the origins, and judges the rules over several flags.
All mistakes end up in the one `pydantic.ValidationError`::

    {"cache_size_limit": SourceValue("64", ...), "triton.cudagrafs": True}
        -> {"cache_size_limit": "64", "triton": {"cudagrafs": True}}           to pydantic
        -> triton.cudagrafs: Extra inputs are not permitted; did you mean ...  from pydantic, completed
"""

import functools
from collections.abc import Callable, Mapping
from typing import Any

from pydantic import AliasChoices, ValidationError
from pydantic_core import ErrorDetails, InitErrorDetails

from dynconf.catalogue import Setting
from dynconf.errors import ConflictError, DynconfError, EnvironmentWarning, InertFlagWarning, UnknownFlagError
from dynconf.flags.types import AtLeast, Mismatch, same, shown
from dynconf.names import why_unknown
from dynconf.origin import Origin
from dynconf.release import Release
from dynconf.rules import check_rules
from dynconf.settings.entries import Location, entries_in, entry, entry_of, raised, with_message
from dynconf.settings.field import changed_defaults, lacking, settings_in
from dynconf.settings.provenance import Call, Origins, Provenance, SourceValue
from dynconf.sources.trust import reach

_SEPARATELY_SHOWN = ("env", "file", "forced", "option", "source")
"""The kinds of origins that a message must name, because the caller did not pass the value."""


class Validation:
    """One validation of a model of flags.

    Args:
        model: The model.
        call: What the values of the call share.
        mode: What pydantic calls the kind of input: ``python``, ``json`` or ``string``.
    """

    def __init__(self, model: Any, call: Call, mode: str) -> None:
        self.model = model
        self.call = call
        self.mode = mode
        self.entries: list[InitErrorDetails] = []
        self.origins: Origins = {}
        self.filled: set[str] = set()

    def run(self, data: Mapping[str, Any], validate: Callable[[Any], Any]) -> Any:
        """Return the model that pydantic makes of *data*.

        Raises:
            pydantic.ValidationError: There are mistakes in it; the error lists all of them.
        """
        # A model of further flags in this one has the same call, whose mistakes are reported once.
        errors, self.call.errors = self.call.errors, ()
        self.entries += [entry_of(each, self._location(each)) for each in errors]
        values = self._strip(self.model, self._unify(data), (), self.origins)
        if self.call["trust"] is not True:
            self._refuse_untrusted(values)
        self._fill(values)
        made = self.complete(validate, values)
        if isinstance(made, self.model) and not self.entries:
            self._finish(made)
        self.raise_entries()
        return made

    def complete(self, validate: Callable[[Any], Any], values: Any) -> Any:
        """Have pydantic validate, and add to its error what it cannot know, and the mistakes found before."""
        try:
            return validate(values)
        except ValidationError as error:
            raise raised(self.model, [*self._completed(error), *self.entries], self.mode) from None

    def raise_entries(self) -> None:
        """Raise the error of the mistakes that were found, if there are any."""
        if self.entries:
            raise raised(self.model, self.entries, self.mode)

    def _unify(self, data: Mapping[str, Any]) -> dict[str, Any]:
        """Return the data with flags under the names of fields, where pydantic cannot find those."""
        values = {
            name: data[name] for name in data
        }  # a lookup resolves values of OmegaConf; items() does not
        values, errors = unified(self.model, values)
        self.entries += [entry_of(each, (name,), values.get(name)) for name, each in errors]
        return values

    def _strip(
        self, model: Any, values: Mapping[str, Any], path: tuple[str, ...], origins: Origins
    ) -> dict[str, Any]:
        """Return plain values, and record the origins of all of them."""
        plain: dict[str, Any] = {}
        for name, value in values.items():
            inner = model._inner_models.get(name)
            if isinstance(value, SourceValue):
                plain[name], origins[field_named(model, name)] = value.value, value.origin
            elif inner is None:
                plain[name] = value
                origins[field_named(model, name)] = self.call.origin_of((*path, name))
            elif isinstance(value, Mapping):
                plain[name] = self._strip(inner, value, (*path, name), origins.setdefault(name, {}))
            else:
                plain[name] = value  # a model, which knows its origins
        return plain

    def _refuse_untrusted(self, values: dict[str, Any]) -> None:
        """Take out objects that data from others names, before they are looked up."""
        for name, setting in self._settings_among(values):
            if setting.type.names_objects and (
                refusal := self._refusal(setting, _named(setting, values[name]))
            ):
                self.entries.append(entry("untrusted", refusal, (name,), values.pop(name)))

    def _refusal(self, setting: Setting, value: Any) -> str:
        reached = reach(setting, value)
        if not reached:
            return ""
        return (
            f"{setting.qualified} is refused in data from others: the flag {' and '.join(reached)};"
            " if you trust the data, validate it with context={'trust': True}"
        )

    def _fill(self, values: dict[str, Any]) -> None:
        """Have models in this one made of no values where there are none: calls would read sources."""
        given = {field_named(self.model, name) for name in values}
        for name, inner in self.model._inner_models.items() if self.model._makes_models_itself else ():
            # An instance that a subclass gives as the default stays.
            if name not in given and self.model.model_fields[name].default_factory is inner:
                values[name] = {}
                self.filled.add(name)

    def _finish(self, made: Any) -> None:
        """Check what concerns the release and several flags, and record the origins."""
        made.__pydantic_fields_set__.difference_update(self.filled)
        record(made, self.origins, self.call.release)
        self.check(made, made.__pydantic_fields_set__)

    def check(self, made: Any, names: set[str]) -> None:
        """Check flags that were set by these names, and the rules, and warn of flags without effect."""
        model, release = self.model, self.call.release
        absent = lacking(model._module, release, model._group) if model._module else frozenset()
        for name, setting in self._settings_among(names):
            value = vars(made)[name]
            if name in absent:
                self._check_absent(made, name, setting, value)
            elif type(value) is AtLeast:
                vars(made)[name] = value.over(self._below(name, setting))
            if self.call["trust"] is not True:
                refusal = self._refusal(setting, setting.type.by_name(value))
                self.entries += [entry("untrusted", refusal, (name,), value)] if refusal else []
        self._skip_absent_defaults(absent)
        if model._module and not model._group and not self.entries:
            self._check_rules(made)

    def _check_absent(self, made: Any, name: str, setting: Setting, value: Any) -> None:
        """Accept a flag that the release lacks with its default only: whole dumps contain those."""
        if same(value, setting.default_value()):
            made.__pydantic_fields_set__.discard(name)
            return
        reason = why_unknown(setting.key, self.call.release, setting.module)
        self.entries.append(entry_of(UnknownFlagError(reason), (name,), value))

    def _skip_absent_defaults(self, absent: frozenset[str]) -> None:
        missing = self.call.missing
        for name in sorted(absent & self.model._class_defaults.keys()) if missing != "skip" else ():
            setting = settings_in(self.model._module, self.call.release, self.model._group)[name]
            reason = why_unknown(setting.key, self.call.release, setting.module)
            message = f"{reason} (from {self.model._class_defaults[name]})"
            if missing == "error":
                self.entries.append(entry_of(UnknownFlagError(message), (name,)))
            else:
                self.call.caller.warn(EnvironmentWarning(f"{message}; skipped", flag=setting.qualified))

    def _below(self, name: str, setting: Setting) -> Any:
        """Return the value that a limit has without the source that asks for more of it."""
        given = [state[name] for state in self.call.states.values() if name in state]
        if len(given) < 2:  # noqa: PLR2004  the source itself, and the next one
            return setting.default_value()
        value = given[1].value if isinstance(given[1], SourceValue) else given[1]
        try:
            return setting.type.parse(value) if isinstance(value, str) else value
        except Mismatch:
            return None

    def _check_rules(self, made: Any) -> None:
        state = made.as_state()
        verdict = check_rules(state, state.value, state.origin)
        named = {setting.key: state.value(setting) for setting in state if setting.rules}
        self.entries += [entry_of(error, (), named) for error in verdict.errors]
        for warning in verdict.warnings:
            self.call.caller.warn(warning)
        for setting, (value, origin) in state.items():
            # Whole dumps contain flags without effect at their defaults, which change nothing for anybody.
            if setting.inert and not same(value, setting.default_value()):
                message = f"{setting.inert} (from {origin})"
                self.call.caller.warn(InertFlagWarning(message, flag=setting.qualified))

    def _settings_among(self, names: Any) -> list[tuple[str, Setting]]:
        """Return the given names that mean flags of this very model, each with its setting."""
        model = self.model
        if not names or not model._module:
            return []
        settings = settings_in(model._module, self.call.release, model._group)
        fields = ((name, field_named(model, name)) for name in names)
        return [(name, settings[field]) for name, field in fields if field in settings]

    def _location(self, error: DynconfError) -> Location:
        if error.flag is None:
            return ()
        return self.model._path_of(error.flag) or (error.flag,)

    def _completed(self, error: ValidationError) -> list[InitErrorDetails]:
        """Return the entries of an error, with suggestions for names and the sources of values."""
        details = error.errors(include_url=False)
        return [
            made if text is None else with_message(each, text)
            for each, made in zip(details, entries_in(error), strict=True)
            for text in [self._message(each)]
        ]

    def _message(self, details: ErrorDetails) -> str | None:
        """Return a better message than pydantic's, if there is one."""
        location, message = details["loc"], details["msg"]
        if details["type"] in ("extra_forbidden", "no_such_attribute") and len(location) == 1:
            return f"{message}: {self.model._why_unknown(str(location[0]), self.call.release)}"
        origin: Any = self.origins
        model = self.model
        for part in location:
            if not isinstance(origin, dict) or not isinstance(part, str):
                break
            origin, model = origin.get(field_named(model, part)), model._inner_models.get(part)
        if (
            not isinstance(origin, Origin)
            or origin.kind not in _SEPARATELY_SHOWN
            or origin == self.call.origin
        ):
            return None
        return f"{message} (from {origin})"


def _named(setting: Setting, value: Any) -> Any:
    """Return a value with objects by their names, if it is data."""
    try:
        return setting.type.parse(value) if isinstance(value, str) else setting.type.from_data(value)
    except Mismatch:
        return None  # pydantic will say so


def record(made: Any, origins: Origins, release: Release) -> None:
    """Record where the values of a model are from, and give it the defaults of the release.

    So does it in groups. The defaults are not validated, as pydantic does not validate those of fields; in
    another release they need not be what the fields accept.
    """
    by_validator = Origin("source", f"a validator of {type(made).__qualname__}")
    names, values = made.__pydantic_fields_set__, vars(made)
    own = {name: origins.get(name, by_validator) for name in names if name not in made._inner_models}
    made.__pydantic_private__["_provenance"] = Provenance(release, own)
    is_other = made._module and release != made._built_for
    if is_other:
        changed = changed_defaults(made._module, release, made._built_for, made._group)
        for name in changed.keys() - names - made._class_defaults.keys():
            values[name] = changed[name].default_value()
    for name in made._inner_models.keys() if is_other else made._inner_models.keys() & origins.keys():
        record(values[name], origins.get(name, {}), release)


def unified(model: Any, values: dict[str, Any]) -> tuple[dict[str, Any], list[tuple[str, DynconfError]]]:
    """Return values with old and dotted names replaced where pydantic would not find the field.

    An old name in the same model is an alias of the field, and stays: mistakes are located as in the input.
    """
    errors: list[tuple[str, DynconfError]] = []
    paths = {name: model._path_of(name) for name in values if name not in model.model_fields}
    for name, inner in model._inner_models.items() if not model._module else ():
        given = values.get(name)
        for key in (
            [key for key in given if key not in inner.model_fields] if isinstance(given, Mapping) else ()
        ):
            path = model._path_of(f"{name}.{key}")
            if path is not None and path[0] != name:  # the flag moved to another module
                rest = {each: values[name][each] for each in values[name] if each != key}
                values = {each: value for each, value in values.items() if each != name}
                values |= {f"{name}.{key}": given[key]} | ({name: rest} if rest else {})
                paths[f"{name}.{key}"] = path
    for name, path in paths.items():
        if path is None:
            continue
        value, holder = values[name], values
        others = [each for each, other in paths.items() if other == path and each != name and each in values]
        if len(path) == 1 and path[0] not in values and not others:
            continue
        values = {each: given for each, given in values.items() if each != name}
        holder = values
        for part in path[:-1]:
            below = holder.get(part, {})
            holder[part] = dict(below) if isinstance(below, Mapping) else {}
            holder = holder[part]
        present = holder.get(path[-1], value)
        if not same(_plain(present), _plain(value)):
            message = f"{'.'.join(path)} is set twice: {shown(_plain(present))} and {shown(_plain(value))}"
            errors.append((name, ConflictError(f"{message}, as {name!r}; keep one of them")))
        holder.setdefault(path[-1], value)
    return values, errors


def _plain(value: Any) -> Any:
    return value.value if isinstance(value, SourceValue) else value


def field_named(model: Any, name: str) -> str:
    """Return the field that the input calls *name*; an unknown name stays as it is."""
    return name if name in model.model_fields else _fields_by_alias(model).get(name, name)


@functools.lru_cache(maxsize=64)
def _fields_by_alias(model: Any) -> dict[str, str]:
    found: dict[str, str] = {}
    for name, field in model.model_fields.items():
        for alias in (field.alias, field.validation_alias):
            choices = alias.choices if isinstance(alias, AliasChoices) else [alias]
            found.update((choice, name) for choice in choices if isinstance(choice, str))
    return found
