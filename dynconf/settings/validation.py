"""The validator around every model of flags: the parts of a validation that pydantic cannot do.

pydantic validates a dict of plain values, in which there is no room for origins. So sources of dynconf return
leaves of their own, and pydantic-settings merges these dicts as any others::

    {"cache_size_limit": SettingValue("64", Origin("env", ...)), "triton.cudagrafs": True}
        -> {"cache_size_limit": "64", "triton": {"cudagrafs": True}}           to pydantic
        -> triton.cudagrafs: Extra inputs are not permitted: did you mean ...  from pydantic, completed

This validator is the outermost one, around those of subclasses, so that all of them see plain values on every
path. Before pydantic validates, it finds the fields that names mean and takes the values from the leaves.
Each field of a flag that could do harm asks it for its trust. Afterwards it records the origins, and judges
the flags of which there is more to say: rules over several, flags without effect. All mistakes end up in the
one `pydantic.ValidationError`. The outermost model does that for the models in it, too, which get their
values as `NestedFlags`.
"""

import functools
import weakref
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from pydantic import ValidationError
from pydantic_core import InitErrorDetails, PydanticCustomError, PydanticKnownError

from dynconf.catalogue.flags.types import AtLeast, Mismatch, is_same_value, short_repr
from dynconf.errors import ConflictError, DynconfError, StateFileError, UnknownFlagError
from dynconf.provenance import Origin, caller
from dynconf.release import Release
from dynconf.settings.field import (
    RUNNING,
    FieldPath,
    Place,
)
from dynconf.sources.gather import judge_rules
from dynconf.sources.reading import MOST_SUGGESTIONS, Reading, ReadingBuilder, forced_warning
from dynconf.state import SettingValue

_NAMED = ("env", "file", "forced", "option", "source")
"""The kinds of origins that a message names, because the caller did not pass the value."""

_UNKNOWN = ("extra_forbidden", "no_such_attribute")
"""The codes of pydantic for a name that a model does not have."""

_CODES: Mapping[Any, str] = {
    UnknownFlagError: "extra_forbidden",  # the code of pydantic for names that a model does not have
    ConflictError: "flag_conflict",
    StateFileError: "settings_file",
}


DEFAULT_OBJECTS: "weakref.WeakValueDictionary[tuple[str, str, int], Any]" = weakref.WeakValueDictionary()
"""The models that are defaults of fields, by the title of the model around, the field, and their identity."""


class NestedFlags(dict[str, Any]):
    """The values for a model in another one, which has found the names and the origins already."""


@dataclass(frozen=True)
class Provenance:
    """The origins of values, and the release for which they were checked; None if they were not.

    It is a private attribute, and pydantic compares those: where a value is from must not count.
    """

    origins: Mapping[FieldPath, Origin] = field(default_factory=dict, compare=False)
    """By the fields of the outermost model that was validated."""
    path: FieldPath = field(default=(), compare=False)
    """The fields that lead from there to the model that has this."""
    other: Origin = field(default=Origin("keyword"), compare=False)
    """The origin of all other values that are set."""
    release: Release | None = field(default=None, compare=False)


class Given(NamedTuple):
    """A value in the input, the keys that lead to it there, and its origin."""

    keys: FieldPath
    value: Any
    origin: Origin | None = None


class Validation:
    """One validation of a model of flags, and everything that its values share."""

    def __init__(self, model: Any, release: Release | None = None) -> None:
        self.model = model
        self.call_site = caller()
        self.release = release or Release.at_hand()
        self.trust = True  # values that no source has marked may make torch run a program and the like
        self.is_hidden = bool(model.model_config.get("hide_input_in_errors"))  # messages must have no values
        self.outer: Any = None  # the title of the model around and the field there, if that is validated
        self.config: Any = None  # the settings file that a call names
        self.missing: Any = None  # how to treat flags of it, or defaults of a class, that the release lacks
        self.states: Mapping[str, Mapping[str, Any]] = {}  # the values by source, highest first
        self.forced: Mapping[FieldPath, SettingValue] = {}  # those that torch ranks above every source
        # How far it has come: the class is *called* for data, reads its *sources*, pydantic's validator comes
        # *next*, and it is *running*.
        self.stage = ""
        self.trusted: dict[str, Any] = {}  # values that are of code, by the name of the flag
        self._entries: list[InitErrorDetails] = []
        self._given: dict[FieldPath, Given] = {}  # by the fields; empty if the input has no names

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
        made = None
        values = self._without_lost(self.read(data, {})) if has_names(data) else data
        try:
            with self.at("running"):
                made = validate(values)
        except ValidationError as error:
            found: Any = error.errors(include_url=False)
            # Searching for similar names takes time, and a request may have thousands of wrong ones.
            unknown = sum(each["type"] in _UNKNOWN for each in found)
            done = _UNKNOWN if unknown > MOST_SUGGESTIONS else ()
            self._entries[:0] = [each if each["type"] in done else self._completed(each) for each in found]
        if isinstance(made, self.model) and not self._entries:
            self._check(made, changed)
        if self._entries:
            title = self.model.model_config.get("title") or self.model.__name__
            raise ValidationError.from_exception_data(title, self._entries, hide_input=self.is_hidden)
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
            path = self._path((error.flag,) if error.flag else ())
            given = self._given.get(path) or Given(path, None)
            if self.is_hidden and not isinstance(error, UnknownFlagError):
                what = f"{error.flag}: the value" if error.flag else "a combination of values"
                error = type(error)(f"{what} is not valid")  # noqa: PLW2901
            self.refuse(error, given.keys, given.value)
        for warning in reading.warnings:
            self.call_site.warn(warning)

    def read(self, data: Mapping[str, Any], values: dict[str, Any]) -> dict[str, Any]:
        """Add the plain values in *data*, where pydantic finds them, to *values*; note the origin of each.

        ``{"triton.cudagraphs": True}`` becomes ``{"triton": {"cudagraphs": True}}``.
        """
        self._given.setdefault((), Given((), data))
        for keys, path, place, given in self._leaves(data, self._dumped(data)):
            value, origin = given, self.origin
            if self.states or isinstance(given, SettingValue):
                value, origin = self._with_origin(path, given)
            if place is None:  # nobody's, or what pydantic looks into
                holder_at(values, path)[path[-1]] = value
                self._given[path] = Given(keys, value, origin)
                continue
            if place.inner and has_names(given):  # none, but flags in others may have moved to that module
                holder_at(values, (*path, ""))
                continue
            if place.flag and isinstance(given, SettingValue):  # a mark is of code
                self.trusted[place.flag.setting.newest] = given.value
            first = self._given.get(path)  # of a call, whose values are read again when sources are merged
            self._given[path] = Given(first.keys if first else keys, value, origin)
            # Further fields may go by aliases alone; a source merges flags by the names of the fields.
            key = path[-1] if place.flag or "." in keys[-1] else keys[-1]
            holder = holder_at(values, (*path[:-1], key))
            if is_same_value(holder.setdefault(key, value), value):
                holder[key] = value
            else:
                text = f"{'.'.join(path)} is set twice: {self.shown(holder[key])} and {self.shown(value)}"
                self.refuse(ConflictError(f"{text}, as {'.'.join(keys)!r}; keep one of them"), keys, value)
        return values

    def _leaves(
        self, data: Mapping[str, Any], objects: Any = (), keys: FieldPath = (), outer: FieldPath = ()
    ) -> Iterator[tuple[FieldPath, FieldPath, Place | None, Any]]:
        """Yield the values in *data*: the keys that lead to each, the fields, and the last if it is one.

        In a dump of one of *objects*, what that does not set is not set, and what it sets keeps its origin.
        """
        known, start = self.model._named(), "".join(f"{key}." for key in keys)
        for name in data:
            value = data[name]  # a lookup resolves values of OmegaConf
            place = known.get(start + name)
            if place is None:
                yield (*keys, name), (*outer, name), None, value
            elif place.inner and has_names(value) and value:
                inner = [getattr(each, name) for each in objects]
                yield from self._leaves(value, inner, (*keys, name), place.path)
            else:
                same = [each for each in objects if is_same_value(vars(each).get(name, ...), value)]
                origin = same[0]._origin_of(name) if same else None
                if not origin or origin.kind not in ("default", "class"):
                    yield (*keys, name), place.path, place, SettingValue(value, origin) if origin else value

    def _dumped(self, data: Mapping[str, Any]) -> list[Any]:
        """Return the models of which *data* may be a dump, if it has all fields, in their order.

        To update a default object in part, pydantic-settings dumps it, with the flags that it does not set.
        """
        fields = [*self.model.model_fields]
        if not self.outer or len(fields) == 1 or [*data][: len(fields)] != fields:
            return []
        title, field = self.outer
        # Those of the field come first; pydantic 2.7 does not name it.
        around = sorted(DEFAULT_OBJECTS.items(), key=lambda pair: pair[0][1] != field)
        found = [each for key, each in around if key[0] == title and type(each) is self.model]
        return [*found, self.model.model_construct()]

    def _without_lost(self, values: dict[str, Any]) -> dict[str, Any]:
        """Have variables that torch ranks above every assignment beat all sources, in whatever order."""
        for path, (value, origin) in self.forced.items():
            holder, name = holder_at(values, path), path[-1]
            setting = self.model._named()[".".join(path)].flag.at(self.release)
            if path in self._given and name in holder:
                lost = given = holder[name]
                with suppress(Mismatch):  # pydantic, which reads texts, will not see this one
                    lost = setting.type.parse(given) if isinstance(given, str) else given
                if not is_same_value(lost, value):
                    self.call_site.warn(forced_warning(origin, ".".join(path), self.shown(lost)))
            holder[name] = value
            self._given[path] = Given(path, value, origin)
        return values

    def _with_origin(self, path: FieldPath, given: Any) -> SettingValue:
        """Return a value with its origin; a limit yields to a higher value of a source below."""
        found = self._in_sources.get(path, ())
        marked: SettingValue = given
        if not isinstance(given, SettingValue):
            marked = SettingValue(given, found[0].origin if found else Origin("source", "a settings source"))
        if isinstance(marked.value, AtLeast):
            other = next((each for each in found if not isinstance(each.value, AtLeast)), marked)
            with suppress(TypeError, ValueError):  # a value that loses may be wrong
                if int(other.value) > marked.value:
                    return SettingValue(AtLeast(other.value), other.origin)
        return marked

    @functools.cached_property
    def _in_sources(self) -> Mapping[FieldPath, list[SettingValue]]:
        """The values that sources have for each field, highest first."""
        found: dict[FieldPath, list[SettingValue]] = {}
        for source, state in self.states.items():
            for keys, path, place, value in self._leaves(state):
                origin = self.origin if source == "InitSettingsSource" else Origin("source", source)
                if source == "CliSettingsSource":  # which may have been given a password
                    text = str(value) if place and place.flag else None
                    origin = Origin("option", f"--{'.'.join(keys)}", text)
                marked = value if isinstance(value, SettingValue) else SettingValue(value, origin)
                found.setdefault(path, []).append(marked)
        return found

    def _check(self, made: Any, changed: set[str] | None) -> None:
        """Record the origins in a model, and judge what pydantic cannot: rules, flags without effect."""
        if changed is None:
            validator = Origin("source", f"a validator of {self.model.__qualname__}")
            # If the input has names, all of them are known, and nobody else can have set another.
            other = validator if self._given else self.origin
            origins = {path: each.origin for path, each in self._given.items() if each.origin}
            self._finish(made, Provenance(origins, (), other, self.release), Release.at_hand())
        builder, judged = ReadingBuilder(self.release), {}
        for setting, (value, origin) in made._set_flags(self.release, changed, is_judged=True):
            judged[setting.key] = value
            if setting.is_absent:
                builder.add_absent(setting.newest, origin)
            else:
                builder.put(setting, setting.newest, origin, value)
        if judged:
            self._given[()] = Given((), judged)
            self.report(judge_rules(builder.done().without_idle()))

    def _finish(self, made: Any, known: Provenance, at_hand: Release) -> None:
        """Give a model and those in it their origins and the release's defaults.

        One that was passed on as a model has the origins of its values.
        """
        values, private = vars(made), made.__pydantic_private__
        before = private["_provenance"]
        if before.release is None:
            # A validator may have assigned some, but its line is not for the sender of data.
            if assigned := {(*known.path, path[-1]): known.other for path in before.origins}:
                known = replace(known, origins={**known.origins, **assigned})
            private["_provenance"] = known
            if self.release != at_hand or made._class_defaults:
                self._give_defaults(made, at_hand)
        for name, kind in made._inner_models.items():
            if isinstance(values.get(name), kind):  # and not a mapping, as `model_construct` leaves it
                self._finish(values[name], replace(known, path=(*known.path, name)), at_hand)

    def _give_defaults(self, made: Any, at_hand: Release) -> None:
        flags, values, own = made._flags, vars(made), made._class_defaults
        if self.release != at_hand:
            # As by pydantic, defaults are not validated: a field need not accept those of a release.
            for name in flags.keys() - made.__pydantic_fields_set__ - own.keys():
                values[name] = flags[name].at(self.release).default_value()
        defaults = ReadingBuilder(self.release, self.missing or "warn")
        for name, origin in own.items():
            setting = flags[name].at(self.release)
            if setting.is_absent:  # a class is for many releases
                defaults.add(setting.newest, origin, values[name], is_default=True)
        self.report(defaults.done())

    def _path(self, keys: FieldPath) -> FieldPath:
        """Return the fields that keys in the input lead to; keys that are not known stay as they are."""
        place = self.model._named().get(".".join(keys))
        return place.path if place else keys

    def _completed(self, details: Any) -> Any:
        """Return an entry of pydantic with a suggestion for an unknown name, or the origin of a value."""
        location, known = tuple(map(str, details["loc"])), self.model._named()
        message: Any = details["msg"]
        if details["type"] in _UNKNOWN and ".".join(location) not in known:  # but for two names of a field
            outer = known.get(".".join(location[:-1]))
            model = outer.inner if outer else self.model if len(location) == 1 else None
            if model:
                message = f"{message}: {model._why_no_field(location[-1], self.release)}"
        found = (self._path(location[:length]) for length in range(len(location), 0, -1))
        path = next((each for each in found if each in self._given), ())
        given = self._given.get(path, Given((), None))
        origin = given.origin or self.origin
        if path and self.model.model_config.get("loc_by_alias", True):
            details["loc"] = (*given.keys, *details["loc"][len(path) :])
        # The sender of data knows that it is the data; a file that was named is worth a word. Messages about
        # other fields than flags are pydantic's own.
        is_flag = path and (place := known.get(".".join(path))) and place.flag
        is_told = origin.kind == "file" or (is_flag and origin.kind in _NAMED and origin != self.origin)
        if is_told:
            place = replace(origin, raw=None, at_start=None) if self.is_hidden else origin
            message = f"{message} (from {place})"
        code, context = details["type"], details.get("ctx")
        with suppress(KeyError):  # raised for codes that are not pydantic's
            # A custom error may have a code of pydantic, but another message.
            if PydanticKnownError(code, context).message() == message:
                return details
        return {**details, "type": PydanticCustomError(code, message, context)}


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
