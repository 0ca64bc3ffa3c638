"""A decorated body that is suspended and resumed: the patch is on for each step, and off in between.

The problem: torch's decorator enters its patch when the function is called. A call of a generator function or
of a coroutine function runs nothing of the body, so the patch is off again before the body begins. Entering
it inside, around the whole body, is no better: between two steps the code of others runs with it.

The idea: the wrapper is itself a generator or a coroutine, and runs the body step by step. An `Activity` is
entered for each step, and remembers between the steps the frames that it took off::

    @patch(x=1)
    def body():                      # x on the chain, highest last
        yield "one"                  # next(): [activity x=1], then []
        with patch(x=2):
            yield "two"              # next(): [activity x=1, x=2], then [], both kept by the activity
        yield "three"                # next(): both are put on; the body leaves x=2; then []

A value that the body itself assigned is kept in the same way. If the body ends, the frames that it left open
stay on the chain, as they would without the decorator.
"""

import functools
import inspect
import os
import sys
import types
from collections.abc import AsyncGenerator, Callable, Generator
from typing import Any

from dynconf.live.chain import chain_for
from dynconf.live.change import Change
from dynconf.live.frame import made_frame
from dynconf.live.torch.internals import compiled_function
from dynconf.live.torch.slot import RECOMPILE, Slot
from dynconf.provenance import Origin
from dynconf.tools.compiled import drop_compiled_code

Kind = Callable[[Any], bool]
"""A kind of function whose bodies can be suspended, by the test for it."""


class Activity(Change):
    """One run of a body, which is entered for each step."""

    def __init__(self, patch: Change, *, is_asynchronous_generator: bool = False) -> None:
        super().__init__(patch.slot_values, patch.extra_steps, patch.storage)
        self._patch = patch
        self._chain = chain_for(self.storage)
        self.is_asynchronous_generator = is_asynchronous_generator  # StopIteration ends only a step then
        self._taken = [made_frame(self, patch.prepare(), {})]

    def origin_of(self, slot: Slot, /) -> Origin:
        """Return the origin of the value of a flag."""
        return self._patch.origin_of(slot)

    def keep_values(self) -> None:
        """Keep the flags at the values that are in force now, instead of those of the patch."""
        self._taken = [made_frame(self, {slot: slot.stored() for slot in self.slot_values}, {})]

    def __enter__(self) -> None:
        # At the recursion limit this fails or `__exit__` does not, because both splice the chain.
        try:
            self._chain.put_on(self._taken)
        except BaseException:
            self._chain.take_off(self)
            raise

    def __exit__(self, kind: type[BaseException] | None = None, *_: object) -> None:
        if kind is None or (kind is StopIteration and self.is_asynchronous_generator):
            self._taken = self._chain.take_off(self)
        else:
            self._chain.leave(self)

    def end(self) -> None:
        """Leave for good: the body has ended, perhaps by an interruption while its patch was off."""
        self._chain.leave(self)
        if self.extra_steps & RECOMPILE:
            drop_compiled_code()


def _steps(activity: Activity, body: Any) -> Generator[Any, Any, Any]:
    """Run a generator or coroutine step by step, each with the patch on; pass on values and exceptions."""
    # Why not `yield from body`, with the patch around it? Then the patch would stay on between the steps.
    step: Callable[[], Any] = functools.partial(body.send, None)
    try:
        while True:
            try:
                with activity:
                    value = step()
            except StopIteration as stop:
                return stop.value
            try:
                sent = yield value
            except GeneratorExit:
                with activity:
                    body.close()
                raise
            except BaseException as error:  # noqa: BLE001  the body handles it
                step = functools.partial(body.throw, error)
            else:
                step = functools.partial(body.send, sent)
    finally:
        if not activity.is_asynchronous_generator:
            activity.end()


# A copy, since `types.coroutine` changes the function that it is given.
_awaitable_steps = types.coroutine(types.FunctionType(_steps.__code__, globals()))


class _AsynchronousSteps:
    """The steps of an asynchronous generator; each method returns one."""

    def __init__(self, patch: Change, body: AsyncGenerator[Any, Any]) -> None:
        self._activity = Activity(patch, is_asynchronous_generator=True)
        self._body = body
        self.end = self._activity.end

    def _run(self, step: Any) -> Any:
        return _awaitable_steps(self._activity, step)

    def first(self) -> Any:
        """Return the first step, with the body hidden from the event loop and the garbage collector.

        They would close wrapper and body in any order; the wrapper is to close the body.
        """
        hooks = sys.get_asyncgen_hooks()
        sys.set_asyncgen_hooks(None, lambda _body: None)
        try:
            return self._run(self._body.__anext__())
        finally:
            sys.set_asyncgen_hooks(*hooks)

    def send(self, value: Any) -> Any:
        return self._run(self._body.asend(value))

    def throw(self, error: BaseException) -> Any:
        return self._run(self._body.athrow(error))

    def close(self) -> Any:
        self._activity.is_asynchronous_generator = False
        return self._run(self._body.aclose())


def coroutine_of(patch: Change, body: Any) -> Any:
    """Return an awaitable that runs a coroutine, or a generator that can be awaited."""
    try:
        return _awaitable_steps(Activity(patch), body)
    except BaseException:
        body.close()  # or Python would warn that it was never awaited
        raise


def generator_of(patch: Change, body: Generator[Any, Any, Any]) -> Any:
    """Return a generator that runs a generator."""
    return _steps(Activity(patch), body)


# Why is source generated? A wrapper has to be of the function's kind, for code that inspects it, and wrong
# arguments have to raise at the call: with `*args, **kwargs` they would raise at the first step. So a wrapper
# needs the function's own parameters, which can be anything.
_WRAPPERS: dict[Kind, tuple[Callable[..., Any], str]] = {
    inspect.iscoroutinefunction: (
        coroutine_of,
        """\
async def wrapper{parameters}:
    return await dynconf_run(dynconf_patch, dynconf_function({arguments}))
""",
    ),
    inspect.isgeneratorfunction: (
        generator_of,
        """\
def wrapper{parameters}:
    return (yield from dynconf_run(dynconf_patch, dynconf_function({arguments})))
""",
    ),
    inspect.isasyncgenfunction: (
        _AsynchronousSteps,
        """\
async def wrapper{parameters}:
    dynconf_steps = dynconf_run(dynconf_patch, dynconf_function({arguments}))
    try:
        dynconf_step = dynconf_steps.first()
        while True:
            try:
                dynconf_value = await dynconf_step
            except StopAsyncIteration:
                return
            try:
                dynconf_sent = yield dynconf_value
            except GeneratorExit:
                await dynconf_steps.close()
                raise
            except BaseException as dynconf_error:
                dynconf_step = dynconf_steps.throw(dynconf_error)
            else:
                dynconf_step = dynconf_steps.send(dynconf_sent)
    finally:
        dynconf_steps.end()
""",
    ),
}


_MAKES_BODY = inspect.CO_COROUTINE | inspect.CO_GENERATOR | inspect.CO_ASYNC_GENERATOR


def kind_of(function: Callable[..., Any]) -> Kind | None:
    """Return the kind of suspendable body that a call of *function* makes; None if it makes none."""
    if inspect.isfunction(function) and not function.__code__.co_flags & _MAKES_BODY:
        return None  # although it may be marked as a coroutine function (Python 3.12): a call runs its code
    is_function = inspect.isroutine(function) or isinstance(function, functools.partial)
    body = function if is_function else type(function).__call__
    return next((is_kind for is_kind in _WRAPPERS if is_kind(body)), None)


def kind_inside(function: Any) -> Kind | None:
    """Return the kind of the function that *function* wraps, as ``torch.no_grad`` or ``contextmanager``."""
    seen: list[object] = []
    while not any(function is each for each in seen):
        seen.append(function)
        kind = kind_of(function)
        if kind is not None:
            return kind
        is_partial = isinstance(function, functools.partial)
        inner = (
            getattr(function, "__wrapped__", None),
            compiled_function(function),
            function.func if is_partial else None,
            getattr(function, "__func__", None),
        )
        function = next(filter(callable, inner), function)
    return None


def wrapper_of_kind(patch: Change, function: Callable[..., Any], kind: Kind) -> Callable[..., Any]:
    """Return a function of that kind, with the parameters of *function*, that runs its bodies."""
    run, source = _WRAPPERS[kind]
    try:
        parameters = list(inspect.signature(_bare(function)).parameters.values())
    except ValueError as error:  # it was made by hand, and the name of a parameter is not an identifier
        raise TypeError(f"dynconf.patch cannot decorate {function!r}: {error}") from None
    arguments = ", ".join(map(_passed_on, parameters))
    prefix = "dynconf_"
    while prefix in arguments:
        prefix += "_"
    names: dict[str, Any] = {
        "__name__": __name__,
        f"{prefix}run": run,
        f"{prefix}patch": patch,
        f"{prefix}function": function,
    }
    text = source.replace("dynconf_", prefix).format(
        parameters=inspect.Signature(list(map(_without_objects, parameters))), arguments=arguments
    )
    # Dynamo does not trace files of this folder.
    where = os.path.join(os.path.dirname(__file__), "<wrapper>")  # noqa: PTH118, PTH120  a name, not a file
    exec(compile(text, where, "exec"), names)  # noqa: S102  made of the source above and of identifiers
    made = names["wrapper"]
    given = [each for each in parameters if each.default is not each.empty]
    made.__defaults__ = tuple(each.default for each in given if each.kind is not each.KEYWORD_ONLY)
    made.__kwdefaults__ = {each.name: each.default for each in given if each.kind is each.KEYWORD_ONLY}
    made = functools.wraps(function)(made)
    code = getattr(function, "__code__", None)
    is_awaitable = code is not None and code.co_flags & inspect.CO_ITERABLE_COROUTINE
    return types.coroutine(made) if is_awaitable else made


def _bare(function: Any) -> Any:
    """Return *function* without its own metadata, so that `inspect` sees its real parameters."""
    if isinstance(function, types.FunctionType):
        bare = types.FunctionType(
            function.__code__, {}, function.__name__, function.__defaults__, function.__closure__
        )
        bare.__kwdefaults__ = function.__kwdefaults__
        return bare
    if isinstance(function, types.MethodType):
        return types.MethodType(_bare(function.__func__), function.__self__)
    if isinstance(function, functools.partial):
        return functools.partial(_bare(function.func), *function.args, **function.keywords)
    return types.MethodType(_bare(type(function).__call__), function)


def _passed_on(parameter: inspect.Parameter) -> str:
    prefixes: dict[Any, str] = {
        parameter.VAR_POSITIONAL: "*",
        parameter.VAR_KEYWORD: "**",
        parameter.KEYWORD_ONLY: f"{parameter.name}=",
    }
    return prefixes.get(parameter.kind, "") + parameter.name


def _without_objects(parameter: inspect.Parameter) -> inspect.Parameter:
    """Return a parameter whose text is its name alone, with None for a default."""
    has_default = parameter.default is not parameter.empty
    return parameter.replace(annotation=parameter.empty, default=None if has_default else parameter.empty)
