"""The validator around every model of flags: what a validation does besides that of pydantic.

It is the outermost one, around the validators of subclasses, so that all of them see plain values on every
path: a call, `model_validate`, a nested field, an assignment. Before pydantic validates, it finds the fields
that names mean and takes the origins off the values of sources. Afterwards it refuses what data from others
may not set, records the origins, and judges the rules over several flags. All mistakes end up in the one
`pydantic.ValidationError`::

    {"cache_size_limit": SourceValue("64", ...), "triton.cudagrafs": True}
        -> {"cache_size_limit": "64", "triton": {"cudagrafs": True}}           to pydantic
        -> triton.cudagrafs: Extra inputs are not permitted: did you mean ...  from pydantic, completed
"""

from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails, InitErrorDetails

from dynconf.catalogue import Setting
from dynconf.errors import EnvironmentWarning, InertFlagWarning, UnknownFlagError
from dynconf.flags.types import AtLeast, Mismatch, is_same_value, short_repr
from dynconf.names import why_unknown
from dynconf.origin import Origin
from dynconf.release import Release
from dynconf.rules import check_rules
from dynconf.settings.entries import again, entry, entry_of, raised
from dynconf.settings.field import is_absent, settings_in
from dynconf.settings.names import field_named, unified, why_no_field
from dynconf.settings.provenance import Call, Origins, Provenance, SourceValue
from dynconf.sources.trust import risks_of

_NAMED = ("env", "file", "forced", "option", "source")
"""The kinds of origins that a message names, because the caller did not pass the value."""


class Validation:
    """One validation of a model of flags.

    Args:
        model: The model.
        call: What the values share.
        mode: The kind of input: ``python``, ``json`` or ``string``.
    """

    def __init__(self, model: Any, call: Call, mode: str) -> None:
        self.model = model
        self.call = call
        self.mode = mode
        self.entries: list[InitErrorDetails] = []
        self.origins: Origins = {}

    def of(self, data: Any, validate: Callable[[Any], Any]) -> Any:
        """Return the model that pydantic makes of *data*, a mapping or not."""
        return (self.run if isinstance(data, Mapping) else self.run_other)(data, validate)

    def run(self, data: Mapping[str, Any], validate: Callable[[Any], Any]) -> Any:
        """Return the model that pydantic makes of *data*.

        Raises:
            pydantic.ValidationError: There are mistakes in it; the error lists all of them.
        """
        given, errors = unified(self.model, data)
        # A model in this one has the same call, whose mistakes are reported once.
        earlier, self.call.errors = self.call.errors, ()
        for error in (*errors, *earlier):
            path = self.model._path_of(error.flag or "") or ((error.flag,) if error.flag else ())
            self.entries.append(entry_of(error, path))
        values = self._plain(self.model, given, (), self.origins)
        if not self.call.trust:
            self._refuse_untrusted_objects(values)
        filled = self._fill(values)
        made = self.complete(validate, values)
        if isinstance(made, self.model) and not self.entries:
            made.__pydantic_fields_set__.difference_update(filled)
            record(made, self.origins, self.call.release)
            self.check(made, made.__pydantic_fields_set__)
            if not self.call.trust:
                self._refuse_untrusted(made, values, ())
        self.raise_entries()
        return made

    def run_other(self, data: Any, validate: Callable[[Any], Any]) -> Any:
        """Return the model that pydantic makes of something else than a mapping.

        It may be an object with attributes, such as a row of a database, or a text that a validator of a
        subclass reads. Which values it contains is known afterwards only.
        """
        made = self.complete(validate, data)
        if isinstance(made, self.model):
            names = made.__pydantic_fields_set__
            record(
                made, dict.fromkeys(names - made._inner_models.keys(), self.call.origin), self.call.release
            )
            self.check(made, names)
            if not self.call.trust:
                self._refuse_untrusted(made, {}, ())
        self.raise_entries()
        return made

    def complete(self, validate: Callable[[Any], Any], values: Any) -> Any:
        """Have pydantic validate; add to its error what it cannot know, and the mistakes found before."""
        try:
            return validate(values)
        except ValidationError as error:
            found = [again(each, self._message(each)) for each in error.errors(include_url=False)]
            raise raised(self.model, [*found, *self.entries], self.mode) from None

    def raise_entries(self) -> None:
        """Raise the error of the mistakes that were found, if there are any."""
        if self.entries:
            raise raised(self.model, self.entries, self.mode)

    def check(self, made: Any, names: Collection[str]) -> None:
        """Check what pydantic cannot know of the flags that were set by these names."""
        for name, setting in self._flags_in(names):
            value = vars(made)[name]
            if isinstance(value, AtLeast):
                vars(made)[name] = value.over(self._below(name, setting))
            if not is_absent(setting):
                continue
            if is_same_value(value, setting.default_value()):  # whole dumps contain those
                made.__pydantic_fields_set__.discard(name)
            else:
                self.entries.append(entry_of(UnknownFlagError(_why_absent(setting)), (name,), value))
        self._skip_absent_defaults()
        if self.model._module and not self.model._group and not self.entries:
            self._check_rules(made)

    def _plain(
        self, model: Any, values: Mapping[str, Any], path: tuple[str, ...], origins: Origins
    ) -> dict[str, Any]:
        """Return plain values, and record the origins of all of them."""
        plain: dict[str, Any] = {}
        for name, value in values.items():
            inner = model._inner_models.get(name)
            if isinstance(value, SourceValue):
                plain[name], origins[field_named(model, name)] = value.value, value.origin
            elif inner and isinstance(value, Mapping):
                plain[name] = self._plain(inner, value, (*path, name), origins.setdefault(name, {}))
            else:
                plain[name] = value
                if not inner:  # a model that is passed as one knows its origins
                    origins[field_named(model, name)] = self.call.origin_of((*path, name))
        return plain

    def _fill(self, values: dict[str, Any]) -> set[str]:
        """Have models in this one made of no values where there are none: calls would read sources."""
        fields = self.model.model_fields
        names = {
            name
            for name, inner in self.model._inner_models.items()
            # An instance that a subclass gives as the default stays.
            if self.call.reads and not self.model._module and fields[name].default_factory is inner
        } - values.keys()
        values |= {name: {} for name in names}
        return names

    def _refuse_untrusted_objects(self, values: dict[str, Any]) -> None:
        """Take out objects that data from others names, before they are looked up."""
        for name, setting in self._flags_in([*values]):
            if setting.type.names_objects:
                value, kind = values[name], setting.type
                try:
                    read = kind.parse(value) if isinstance(value, str) else kind.from_data(value)
                except Mismatch:
                    continue  # pydantic will say so
                if self._refuse(setting, read, (name,), value):
                    del values[name]

    def _refuse_untrusted(self, made: Any, given: Mapping[str, Any], path: tuple[str, ...]) -> None:
        """Refuse values that data from others may not set.

        Models in this one are looked at, too: a subclass may make itself by a call, in which all is trusted.
        """
        settings = settings_in(made._module, self.call.release, made._group) if made._module else {}
        names = {field_named(made, name): name for name in given}
        for field in made.__pydantic_fields_set__:
            name: str = names.get(field) or field
            value, location = given.get(name, {}), (*path, name)
            if field in settings:
                read = settings[field].type.by_name(vars(made)[field])
                self._refuse(settings[field], read, location, value if name in given else read)
            elif field in made._inner_models and isinstance(value, Mapping):
                self._refuse_untrusted(vars(made)[field], value, location)

    def _refuse(self, setting: Setting, read: Any, location: tuple[str, ...], value: Any) -> bool:
        reached = risks_of(setting, read)
        if reached:
            message = (
                f"{setting.qualified}: {short_repr(value)} is refused in data from others: it would"
                f" make torch {' and '.join(reached)};"
                " if you trust the data, validate it with context={'trust': True}"
            )
            self.entries.append(entry("untrusted", message, location, value))
        return bool(reached)

    def _skip_absent_defaults(self) -> None:
        """Treat defaults of a class that the release lacks as the call asks."""
        defaults, missing = self.model._class_defaults, self.call.missing
        for name, setting in self._flags_in(sorted(defaults)):
            message = f"{_why_absent(setting)} (from {defaults[name]})" if is_absent(setting) else ""
            if message and missing == "error":
                self.entries.append(entry_of(UnknownFlagError(message), (name,)))
            elif message and missing == "warn":
                self.call.caller.warn(EnvironmentWarning(f"{message}; skipped", flag=setting.qualified))

    def _below(self, name: str, setting: Setting) -> Any:
        """Return the value that a limit has without the source that asks for more of it."""
        _, *others = [value for _, value in self.call.values_at((name,))] or [None]
        value = others[0] if others else setting.default_value()
        try:
            return setting.type.parse(value) if isinstance(value, str) else value
        except Mismatch:
            return None

    def _check_rules(self, made: Any) -> None:
        state = made.as_state()
        verdict = check_rules(state, state.value, state.origin)
        given = {setting.key: value for setting, (value, _) in state.items() if setting.rules}
        self.entries += [entry_of(error, (), given) for error in verdict.errors]
        # That flags without effect have their defaults, as in whole dumps, changes nothing for anybody.
        inert = [
            InertFlagWarning(f"{setting.inert} (from {origin})", flag=setting.qualified)
            for setting, (value, origin) in state.items()
            if setting.inert and not is_same_value(value, setting.default_value())
        ]
        for warning in (*verdict.warnings, *inert):
            self.call.caller.warn(warning)

    def _flags_in(self, names: Collection[str]) -> Iterator[tuple[str, Setting]]:
        """Yield those of the names that mean flags of this very model, each with its setting."""
        model = self.model
        if names and model._module:
            settings = settings_in(model._module, self.call.release, model._group)
            fields = [(name, field_named(model, name)) for name in names]
            yield from ((name, settings[field]) for name, field in fields if field in settings)

    def _message(self, details: ErrorDetails) -> str | None:
        """Return a better message than pydantic's, if there is one."""
        location, message = details["loc"], details["msg"]
        if details["type"] in ("extra_forbidden", "no_such_attribute") and len(location) == 1:
            return f"{message}: {why_no_field(self.model, str(location[0]), self.call.release)}"
        origin: Any = self.origins
        model = self.model
        for part in location:
            if model is not None and isinstance(origin, dict):
                origin, model = origin.get(field_named(model, str(part))), model._inner_models.get(part)
        is_news = isinstance(origin, Origin) and origin.kind in _NAMED and origin != self.call.origin
        return f"{message} (from {origin})" if is_news else None


def _why_absent(setting: Setting) -> str:
    return why_unknown(setting.key, setting.release, setting.module)


def record(made: Any, origins: Origins, release: Release) -> None:
    """Record where the values of a model are from, and give it the defaults of the release.

    Those are not validated, as pydantic does not validate the defaults of fields: in another release, they
    need not be values that the fields accept.
    """
    by_validator = Origin("source", f"a validator of {type(made).__qualname__}")
    names, values, inner = made.__pydantic_fields_set__, vars(made), made._inner_models.keys()
    own = {name: origins.get(name, by_validator) for name in names - inner}
    made.__pydantic_private__["_provenance"] = Provenance(release, own)
    is_other = made._module and release != made._built_for
    if is_other:
        built = settings_in(made._module, made._built_for, made._group)
        for name, setting in settings_in(made._module, release, made._group).items():
            is_default = name not in names and name not in made._class_defaults
            if is_default and not is_same_value(setting.default_value(), built[name].default_value()):
                values[name] = setting.default_value()
    for name in inner if is_other else inner & origins.keys():
        record(values[name], origins.get(name, {}), release)
