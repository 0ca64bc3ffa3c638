"""The validator around every model of flags: the parts of a validation that pydantic cannot do.

pydantic validates a dict of plain values, in which there is no room for origins. So sources of dynconf return
leaves of their own, and pydantic-settings merges these dicts as any others::

    {"cache_size_limit": SettingValue("64", Origin("env", ...)), "triton.cudagrafs": True}
        -> {"cache_size_limit": "64", "triton": {"cudagrafs": True}}           to pydantic
        -> triton.cudagrafs: Extra inputs are not permitted: did you mean ...  from pydantic, completed

This validator is the outermost one, around those of subclasses, so that all of them see plain values on every
path. Before pydantic validates, it finds the fields that names mean, takes the values from the leaves and
notes their origins. Each field of a flag that could do harm asks it whether the data is trusted. Afterwards
it checks rules over several flags, and flags without effect. All mistakes end up in the one
`pydantic.ValidationError`. The outermost model does that for the models in it, too, which get their values as
`NestedFlags`.
"""

import functools
import weakref
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import replace
from typing import Any

from pydantic import ValidationError
from pydantic_core import InitErrorDetails, PydanticCustomError, PydanticKnownError, core_schema

from dynconf.catalogue.flags.types import AtLeast, Mismatch, is_same_value, short_repr
from dynconf.errors import ConflictError, DynconfError, StateFileError, UnknownFlagError
from dynconf.provenance import Origin, caller
from dynconf.release import Release
from dynconf.settings.field import RUNNING, FieldPath, Place
from dynconf.settings.values import Provenance, give_defaults, origin_of, set_flags
from dynconf.sources.gather import judge_rules
from dynconf.sources.reading import MOST_SUGGESTIONS, Reading, ReadingBuilder, forced_warning
from dynconf.state import SettingValue

_UNKNOWN = ("extra_forbidden", "no_such_attribute")
"""The codes of pydantic for a name that a model does not have."""

_CODES: Mapping[Any, str] = {
    UnknownFlagError: "extra_forbidden",
    ConflictError: "flag_conflict",
    StateFileError: "settings_file",
}


DEFAULT_OBJECTS = weakref.WeakValueDictionary[tuple[str, str | None, int], Any]()
"""The models that are defaults of fields, by the title of the model around, the field, and their identity."""


class NestedFlags(dict[str, Any]):
    """The values for a model in another one, which has found the names and the origins already."""


class Validation:
    """One validation of a model of flags, and everything that its values share."""

    def __init__(self, model: Any, release: Release | None = None) -> None:
        self.model = model
        self.layout = model.__dynconf__
        self.call_site = caller()
        self.release = release or Release.at_hand()
        self.trust = True  # values that no source has marked may make torch run a program and the like
        self.is_hidden = bool(model.model_config.get("hide_input_in_errors"))  # messages must have no values
        # The title of the model around and the field there, if that is validated.
        self.outer: tuple[str, str | None] | None = None
        self.config: Any = None  # the settings file that a call names
        self.missing: Any = None  # how to treat flags of it, or defaults of a class, that the release lacks
        # The values that sources have for each field, highest first: what torch forces, then in their order.
        self.found: Mapping[FieldPath, list[SettingValue]] = {}
        # How far it has come: the class is *called* for data, reads its *sources*, pydantic's validator comes
        # *next*, and it is *running*.
        self.stage = ""
        self.trusted: dict[str, Any] = {}  # values that are of code, by the name of the flag
        self.provenance = Provenance()
        self._entries: list[InitErrorDetails] = []
        self._given: dict[FieldPath, tuple[FieldPath, Any]] = {}  # the keys in the input, and the value there

    @functools.cached_property
    def origin(self) -> Origin:
        """The origin of values that no source has marked: the line of the call, if no other one is set."""
        return self.call_site.origin("keyword")

    @classmethod
    def at_stage(cls, stage: str, model: Any) -> "Validation":
        """Return the validation of a model that has come to this stage, or a new one.

        What validators of data that is not trusted call is not trusted either.
        """
        running = RUNNING.get()
        stages = [running.stage] if running and running.model is model else []
        if stages == [stage]:
            return running  # type: ignore[no-any-return]
        made = cls(model)
        if stages == ["running"] and not running.trust:
            made.trust, made.origin = False, running.origin
        return made

    @contextmanager
    def at(self, stage: str) -> Iterator[None]:
        """Let fields, sources and the class, as soon as it is called, find the validation."""
        self.stage, outer = stage, RUNNING.set(self)
        try:
            yield
        finally:
            RUNNING.reset(outer)

    def run(self, data: Any, validate: Callable[[Any], Any], changed: set[str] | None = None) -> Any:
        """Return the model that pydantic makes of *data*; only these fields of it have *changed*, if given.

        It may be an object with attributes, such as a row of a database, or a text that a validator of a
        subclass reads. Which values it contains is then known afterwards only.
        """
        made, known = None, self.provenance
        values = self.read(data) if has_names(data) else data
        if changed is None:  # if the input has names, all of them are known, and nobody else can set another
            validator = Origin("source", f"a validator of {self.model.__qualname__}")
            known.other = self.origin if values is data else validator
        try:
            with self.at("running"):
                made = validate(values)
        except ValidationError as error:
            found: Any = error.errors(include_url=False)
            # Searching for similar names takes time, and a request may contain thousands of wrong ones.
            unknown = sum(each["type"] in _UNKNOWN for each in found)
            done = _UNKNOWN if unknown > MOST_SUGGESTIONS else ()
            self._entries[:0] = [each if each["type"] in done else self._completed(each) for each in found]
        if isinstance(made, self.model) and not self._entries:
            self._check(made, changed)
        if self._entries:
            title = self.model.model_config.get("title") or self.model.__name__
            raise ValidationError.from_exception_data(title, self._entries, hide_input=self.is_hidden)
        known.release = self.release
        return made

    def shown(self, value: object) -> str:
        """Return a value as text for a message."""
        return "the value" if self.is_hidden else short_repr(value)

    def refuse(self, error: DynconfError, location: FieldPath, value: Any = None) -> None:
        """Add an entry for a mistake that dynconf has found to the error."""
        # pydantic asks for literals, so that they can be translated; ours are made of names and values.
        code_and_message: Any = _CODES.get(type(error), "flag_value"), str(error)
        made = PydanticCustomError(*code_and_message)
        self._entries.append(InitErrorDetails(type=made, loc=location, input=value))

    def report(self, reading: Reading) -> None:
        """Add entries for the mistakes of a reading, located in the input if it gives those values; warn."""
        for error in reading.errors:
            path = self.layout.path_to((error.flag,) if error.flag else ())
            keys, value = self._given.get(path, (path, None))
            if self.is_hidden and not isinstance(error, UnknownFlagError):
                what = f"{error.flag}: the value" if error.flag else "a combination of values"
                error = type(error)(f"{what} is not valid")  # noqa: PLW2901
            self.refuse(error, keys, value)
        for warning in reading.warnings:
            self.call_site.warn(warning)

    def read(self, data: Mapping[str, Any]) -> dict[str, Any]:
        """Return the plain values in *data*, where pydantic finds them; note the origin of each.

        ``{"triton.cudagraphs": True}`` becomes ``{"triton": {"cudagraphs": True}}``.
        """
        values: dict[str, Any] = {}
        self._given.setdefault((), ((), data))
        home, origins = self.layout.home, self.provenance.origins
        for keys, path, place, given in self.leaves(data, self._dumped(data)):
            value, origin = given, self.origin
            if self.found or isinstance(given, SettingValue):
                value, origin = self._with_origin(path, place, given)
            if place and place.inner and has_names(given):  # none, but flags may have moved to that module
                holder_at(values, (*path, ""))
                continue
            full = (*home, *path)
            origins[full] = origin
            flag = place and place.flag
            if flag and isinstance(given, SettingValue):  # a mark is of code
                self.trusted[flag.setting.newest] = given.value
            # Those of a call are read again when sources are merged.
            self._given[path] = self._given.get(path, (keys, ""))[0], value
            # Further fields may go by aliases alone; a source merges flags by the names of the fields.
            key = path[-1] if flag or "." in keys[-1] else keys[-1]
            holder = holder_at(values, (*path[:-1], key))
            if is_same_value(holder.setdefault(key, value), value):
                holder[key] = value
            else:
                text = f"{'.'.join(path)} is set twice: {self.shown(holder[key])} and {self.shown(value)}"
                self.refuse(ConflictError(f"{text}, as {'.'.join(keys)!r}; keep one of them"), keys, value)
        return values

    def leaves(
        self, data: Mapping[str, Any], objects: Any = (), keys: FieldPath = (), outer: FieldPath = ()
    ) -> Iterator[tuple[FieldPath, FieldPath, Place | None, Any]]:
        """Yield the values in *data*: the keys that lead to each, the fields, and the last if it is one.

        In a dump of one of *objects*, what that does not set is not set, and what it sets keeps its origin.
        """
        known, start = self.layout.named(), "".join(f"{key}." for key in keys)
        for name in data:
            value = data[name]  # a lookup resolves values of OmegaConf
            place = known.get(start + name)
            if place is None:
                yield (*keys, name), (*outer, name), None, value
            elif place.inner and has_names(value) and value:
                inner = [getattr(each, name) for each in objects]
                yield from self.leaves(value, inner, (*keys, name), place.path)
            else:
                same = [each for each in objects if is_same_value(vars(each).get(name, ...), value)]
                origin = origin_of(same[0], name) if same else None
                if not origin or origin.kind not in ("default", "class"):
                    yield (*keys, name), place.path, place, SettingValue(value, origin) if origin else value

    def _dumped(self, data: Mapping[str, Any]) -> list[Any]:
        """Return the models of which *data* may be a dump, if it has all fields, in their order.

        To update a default object in part, pydantic-settings dumps it, with the flags that it does not set.
        """
        model, fields = self.model, [*self.model.model_fields]
        if not self.outer or len(fields) == 1 or [*data][: len(fields)] != fields:
            return []
        title, field = self.outer
        around = sorted(DEFAULT_OBJECTS.items(), key=lambda pair: pair[0][1] != field)
        found = [each for key, each in around if key[0] == title and type(each) is model]
        return [*found, model.model_construct()]

    def _with_origin(self, path: FieldPath, place: Place | None, given: Any) -> SettingValue:
        """Return a value with its origin; one that torch forces replaces any other.

        A limit yields to a higher value of a source below.
        """
        found = self.found.get(path) or [SettingValue(given, Origin("source", "a settings source"))]
        first = found[0]
        marked = given if isinstance(given, SettingValue) else SettingValue(given, first.origin)
        if place and place.flag and first.origin.kind == "forced":
            lost = marked.value
            with suppress(Mismatch):  # pydantic, which reads texts, will not see this one
                lost = place.flag.at(self.release).type.parse(lost) if isinstance(lost, str) else lost
            if not is_same_value(lost, first.value):
                self.call_site.warn(forced_warning(first.origin, ".".join(path), self.shown(lost)))
            return first
        if isinstance(marked.value, AtLeast):
            other = next((each for each in found if not isinstance(each.value, AtLeast)), marked)
            with suppress(TypeError, ValueError):  # a value that loses may be wrong
                if int(other.value) > marked.value:
                    return SettingValue(AtLeast(other.value), other.origin)
        return marked

    def _check(self, made: Any, changed: set[str] | None) -> None:
        """Judge in a model what pydantic cannot: rules, flags without effect."""
        if changed is None and self.release != Release.at_hand():
            give_defaults(made, self.release, self.provenance)
        builder, judged = ReadingBuilder(self.release), {}
        for setting, (value, origin) in set_flags(made, self.release, changed, is_judged=True):
            judged[setting.key] = value
            if setting.is_absent:
                builder.missing = self.missing or "warn" if origin.kind == "class" else "error"
                builder.add_absent(setting.newest, origin)
            elif not (setting.inert and is_same_value(value, setting.default_value())):  # as in every dump
                builder.put(setting, setting.newest, origin, value)
        if judged:
            self._given[()] = (), judged
            self.report(judge_rules(builder.done()))

    def _completed(self, details: Any) -> Any:
        """Return an entry of pydantic with a suggestion for an unknown name, or the origin of a value."""
        location, known = tuple(map(str, details["loc"])), self.layout.named()
        message: Any = details["msg"]
        if details["type"] in _UNKNOWN:
            if ".".join(location) in known:  # two names of a field
                return details
            outer = known.get(".".join(location[:-1]))
            model = outer.inner if outer else self.model if len(location) == 1 else None
            if model:
                message = f"{message}: {model.__dynconf__.why_no_field(location[-1], self.release)}"
        found = (self.layout.path_to(location[:length]) for length in range(len(location), 0, -1))
        path = next((each for each in found if each in self._given), ())
        origin = self.provenance.origins.get((*self.layout.home, *path), self.origin)
        if path and self.model.model_config.get("loc_by_alias", True):
            details["loc"] = (*self._given[path][0], *details["loc"][len(path) :])
        # The sender of data knows that it is the data; a file that was named is worth a word. Messages about
        # other fields than flags are pydantic's own.
        is_flag = path and (place := known.get(".".join(path))) and place.flag
        is_told = origin.kind == "file" or (is_flag and origin.kind != "keyword" and origin != self.origin)
        if is_told:
            place = replace(origin, raw=None, at_start=None) if self.is_hidden else origin
            message = f"{message} (from {place})"
        code, context = details["type"], details.get("ctx")
        with suppress(KeyError):  # raised for codes that are not pydantic's
            # A custom error may have a code of pydantic, but another message.
            if PydanticKnownError(code, context).message() == message:
                return details
        return {**details, "type": PydanticCustomError(code, message, context)}


def validate(
    cls: Any,
    data: Any,
    handler: core_schema.ValidatorFunctionWrapHandler,
    info: core_schema.ValidationInfo,
) -> Any:
    """Validate data for a class of flags: the function around pydantic's own validator of it."""
    if isinstance(data, NestedFlags):
        return handler(data)
    running = RUNNING.get()
    if hasattr(type(data), "__dynconf__"):
        # It is trusted, whatever it is passed on with.
        with (running if running and running.trust else Validation(cls)).at("running"):
            made = handler(data)
        # It may have been validated anew, as the configuration asks.
        if made is not data and hasattr(type(made), "__dynconf__"):
            made._dynconf_provenance = data._dynconf_provenance
        return made
    if running and (running.model, running.stage) == (cls, "next"):
        return running.run(data, handler)
    validation = Validation(cls)
    context = info.context if isinstance(info.context, Mapping) else {}
    # The configuration is that of the model which pydantic was asked to validate.
    config: Any = info.config or {}
    title = config.get("title")
    is_own = title in (None, cls.__name__, cls.model_config.get("title"))
    # The errors may go to the sender of the data, who must not learn the line of the call.
    validation.outer = None if is_own else (title, getattr(info, "field_name", None))
    validation.origin = context.get(Origin) or (Origin("keyword") if is_own else Origin("source", title))
    validation.trust = context.get("trust") is True
    validation.is_hidden = validation.is_hidden or bool(config.get("hide_input_in_errors"))
    return cls.__dynconf_data__(validation, data, handler)


def holder_at(values: dict[str, Any], path: FieldPath) -> dict[str, Any]:
    """Return the dict for the value of a field; nobody else has the dicts in *values* that lead to it.

    If something else is in its place, such as a model, the dict has that for the value, and is nowhere else.
    """
    for part in path[:-1]:
        inner = values.get(part, {})
        if not isinstance(inner, dict):
            return {path[-1]: inner}
        if not isinstance(inner, NestedFlags):
            inner = values[part] = NestedFlags(inner)  # a copy: a source may return the same dict each time
        values = inner
    return values


def has_names(data: object) -> bool:
    """Tell whether it is a mapping of names; pydantic names the mistake in any other."""
    return isinstance(data, Mapping) and all(isinstance(name, str) for name in data)
