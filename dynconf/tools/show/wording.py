"""The facts about a flag in words, as ``dynconf explain`` prints them and the flag reference shows them."""

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import groupby
from typing import Any

from dynconf.catalogue.flags.flag import BARE_MODULE, Flag
from dynconf.catalogue.flags.types import value_text
from dynconf.catalogue.modules.modes import KEYWORDS
from dynconf.catalogue.names import split
from dynconf.release import OLDEST, minor

NOT_DESCRIBED = "Not yet described: the facts below are those of torch's own releases."

_CACHE_KEY = {
    "nothing": "its value is not part of the cache key",
    "the value that was assigned": (
        "its value is part of the cache key; a change in place after the first compilation may be missed, so"
        " that old code is used: assign another value instead"
    ),
}

_LOGS = {
    "guards": "guards",
    "recompile": "recompiles",
    "shapes": "dynamic",
    "graphs": "graph_breaks",
    "partitioner": "aot_joint_graph",
    "fusion": "fusion",
    "cudagraphs": "cudagraphs",
}
"""By the topic of a flag, the log that shows whether it is the one to change; all torches have these."""

_EFFECT = {
    "code": "",
    "debugging": ", and adds parts for debugging to the code at most",
    "nothing": ", and leaves the code as it is",
}


def logs_for(matches: Sequence[Flag]) -> list[str]:
    """Return a sentence with the logs of torch that show what a fifth of the flags are about, if any do."""
    counts = Counter(_LOGS.get(flag.topic) for flag in matches).most_common()
    logs = [log for log, count in counts if log and count * 5 >= len(matches)]
    return [f"TORCH_LOGS={','.join(logs)} shows what happens"] if logs else []


def labelled_facts(facts: dict[str, Any]) -> list[tuple[str, str]]:
    """Return the facts of an `Explanation` in its JSON form as labels with texts, without its first lines."""
    status = f"no reader in torch {facts['torch']}" if facts["status"] == "unread" else facts["status"]
    risks = "; ".join(f"{each['values']} would make torch {each['kind']}" for each in facts["reach"])
    uniform, own = facts["uniform_variable"], [each["name"] for each in facts["variables"]]
    overruled = [
        f"{value_text(by['value'])} while {by['flag']} is {value_text(by['when'])}{_span(by)}"
        for by in facts["implied_by"]
    ]
    log, part = _LOGS.get(facts["topic"], ""), facts["cache_key_part"]
    lines = [
        ("module", facts["module"]),
        ("topic", f"{facts['topic']}, {status}"),
        ("takes", facts["type"]),
        ("default", _history(facts["defaults"], value_text)),
        ("exists", existence(facts["since"], facts["until"]) + _names(facts)),
        ("old names", ", ".join(facts["old_names"])),
        ("instead", facts["instead"]),
        ("deprecated", facts["deprecated_since"] and f"torch warns of it since {facts['deprecated_since']}"),
        (
            "a change",
            f"recompiles what is compiled already{_EFFECT[facts['effect']]}"
            if facts["recompiles"]
            else "leaves what is compiled already as it is",
        ),
        ("FX graph cache", _CACHE_KEY.get(part, part and f"{part} is part of the cache key")),
        ("a patch", facts["covers"]),
        ("trust", risks and f"is needed for a file or data from others: {risks}"),
        ("saving", "" if facts["is_saved"] else "`dynconf.save` leaves it out: it is tied to one machine"),
        *(("overruled", each) for each in overruled),
        *(
            (value_text(then["when"]), f"makes {then['flag']} {value_text(then['value'])}{_span(then)}")
            for then in facts["implies"]
        ),
        *((rule["code"], f"{rule['level']} for {rule['when']}: {rule['why']}") for rule in facts["rules"]),
        *(_ways(facts) if facts["uniform_variable"] else ()),
        *((each["name"], f"torch reads it{_span(each)}: {each['reads']}") for each in facts["variables"]),
        (uniform if uniform not in own else "", "dynconf reads it in every release that has the flag"),
        ("variable", "" if own else "torch itself reads none"),
        ("torch's logs", log and f"TORCH_LOGS={log} shows what happens"),
        ("source", facts["source"]),
    ]
    return [(label, text) for label, text in lines if label and text]


def _ways(facts: dict[str, Any]) -> list[tuple[str, str]]:
    """Return how to set a flag for a program, for a block, and for one compiled function."""
    module, name = split(facts["name"])
    owner = "dynconf" if module == BARE_MODULE else f"dynconf.{module}"
    flag = f'{{"{name}": ...}}' if "." in name else f"{name}=..."
    since, until = KEYWORDS.get(name, ("", "")) if module == BARE_MODULE else ("", "")
    compiling = f"torch.compile({name}=...), {existence(since, until or None)}" if since else ""
    if module == "inductor":
        compiling = f"torch.compile(options=dynconf.inductor.options({flag}))"
    return [
        ("in a file", f"{name} = ...{f', under [{module}]' if module != BARE_MODULE else ''}"),
        ("in Python", f"{owner}.install({flag}), with {owner}.patch({flag}):"),
        ("per function", compiling),
    ]


def subject_in_words(
    facts: dict[str, Any],
) -> tuple[str, str, str, list[tuple[str, str]], list[tuple[str, ...]]]:
    """Return name, note, text, labels with texts and a table of a subject, in JSON form, that is no flag."""
    torch = f"torch {facts.get('torch')}"
    match facts:
        case {"code": name, "level": level, "when": when, "why": why}:
            applies = f"{'yes' if facts['applies'] else 'no'}, in {torch}"
            listed = [("flags", ", ".join(facts["flags"])), ("since", f"torch {facts['since']}")]
            listed += [
                ("applies", applies),
                ("source", facts["source"]),
                ("page", f"{facts['page']} in what `make docs` builds"),
            ]
            return name, level, f"{when}: {why}", listed, []
        case {"finding": name, "title": title, "text": text}:
            return name, title, text, [("page", f"{facts['page']} in what `make docs` builds")], []
        case {"variable": name, "summary": text, "value": value}:
            note = "not set here" if value is None else f"set to {value!r} here"
            exists = existence(facts["since"], facts["until"]) + f", not {torch}" * (not facts["applies"])
            listed = [("flag", "none: only the variable"), ("read by", facts["read_by"]), ("exists", exists)]
            return name, note, text, listed, []
        case {"documentation": name, "page": page}:
            return name, "page of dynconf's documentation", f"{page} in what `make docs` builds", [], []
        case {"config_module": name, "name": short, "flags": flags}:
            text = (
                f"torch may not have loaded it: without `import {name}`, it can be missing as an attribute."
                f" dynconf loads it where it is needed, such as for dynconf.{short}.patch(...)."
            )
            return name, "config module", text, [("flags", f"`dynconf explain '{flags}'` lists them")], []
        case {"mode": name, "exists": exists, "sets": sets}:
            text = f"sets no flag in {torch}: it is how torch.compile works without a mode"
            text = f"torch.compile(mode={name!r}) sets in {torch}:" if sets else text
            text = text if exists else f"{torch} has no such mode"
            rows = [(each["flag"], str(each["value"]), each["summary"]) for each in sets]
            table: list[tuple[str, ...]] = [("flag", "value", "summary"), *rows] if sets else []
            return name, "mode of torch.compile", text, [], table
    text = f"the modes, and the flags of inductor that they set in {torch}:"
    modes = {
        each["mode"]: ", ".join(f"{flag}={value}" for flag, value in each["sets"].items())
        for each in facts["modes"]
    }
    return "mode", "argument of torch.compile", text, [], [("mode", "sets"), *modes.items()]


def existence(since: str, until: str | None) -> str:
    """Return the releases that have something, in words."""
    if until is None:
        return "every torch since 2.4" if minor(since) == OLDEST else f"since torch {since}"
    if since == until:
        return f"torch {since} only"
    return f"{'until' if minor(since) == OLDEST else f'torch {since} to'} torch {until}"


def _span(fact: dict[str, Any]) -> str:
    is_limited = fact.get("until") or minor(fact["since"]) != OLDEST
    return f" ({existence(fact['since'], fact.get('until'))})" if is_limited else ""


def _names(facts: dict[str, Any]) -> str:
    """Return the names of a flag in the releases, and that in the one at hand, if it has had several."""
    if len({*facts["names"].values()}) == 1:
        return ""
    here = f"; torch {facts['torch']} has {facts['torch_name']}" if facts["torch_name"] else ""
    return f", as {_history(facts['names'], str)}{here}"


def _history(values: dict[str, Any], show: Callable[[Any], str]) -> str:
    """Return the first of the values by release, and each change with the release that brought it."""
    runs = [(show(value), next(run)) for value, run in groupby(values, values.__getitem__)]
    later = (f"{text} from torch {first.rpartition('.')[0]}" for text, first in runs[1:])
    return ", ".join((runs[0][0], *later))
