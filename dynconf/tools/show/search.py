"""A search through the flags, by topic, glob, or words, as people put questions.

``less memory`` is in no description of the flags that an expert would name, so the words of an `Intent` bring
its flags, in the expert's order. After them, a flag that has more of the words comes first; of those with
equally many, the one that has them in its name. A word that no flag has is taken for a misspelt one.

The search of the documentation answers an `Intent` with the same flags.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache

from dynconf.catalogue.flags.flag import Flag, qualified
from dynconf.catalogue.modules import MODULES, catalogue
from dynconf.catalogue.names import records_of
from dynconf.text import nearest


@dataclass(frozen=True, slots=True)
class Intent:
    """An aim, such as less memory, with the flags that an expert would name for it, the first one first.

    Attributes:
        stems: Groups of beginnings of words; the aim is meant if the question has a word of each group.
        flags: Full names of flags.
    """

    stems: tuple[tuple[str, ...], ...]
    flags: tuple[str, ...]

    def words_in(self, words: Sequence[str]) -> set[str]:
        """Return the words of a question by which it has this aim, if it has."""
        groups = [{word for word in words if word.isalpha() and _begins(word, stems)} for stems in self.stems]
        return set().union(*groups) if all(groups) else set()


def _begins(word: str, stems: Sequence[str]) -> bool:
    """Tell whether a word begins with a stem; one as short as inf must be all of it."""
    return any(
        word.removesuffix("s") == each or (len(each) >= _SHORT and word.startswith(each)) for each in stems
    )


_INTENTS = """
fast quick slow speed perf latenc throughput overhead:
    inductor.max_autotune inductor.triton.cudagraphs inductor.coordinate_descent_tuning inductor.freezing
    inductor.max_autotune_gemm_backends inductor.combo_kernels inductor.use_fast_math
compil + fast quick slow speed time long reduc:
    inductor.compile_threads inductor.fx_graph_cache functorch.enable_autograd_cache caching_precompile
    inductor.autotune_local_cache inductor.worker_start_method dynamo_profiler
cold warm startup start + cold warm startup fast slow time quick:
    inductor.fx_graph_cache functorch.enable_autograd_cache caching_precompile automatic_dynamic_local_pgo
    inductor.fx_graph_remote_cache inductor.compile_threads
memory oom ram vram:
    functorch.activation_memory_budget functorch.aggressive_recomputation functorch.donated_buffer
    inductor.reorder_for_peak_memory inductor.memory_planning inductor.allow_buffer_reuse
    functorch.recompute_views inductor.auto_chunker.enable inductor.triton.cudagraph_trees
activation gradient + checkpoint recomput:
    functorch.activation_memory_budget functorch.activation_memory_budget_solver
    functorch.aggressive_recomputation functorch.recompute_views
recompil:
    recompile_limit accumulated_recompile_limit automatic_dynamic_shapes assume_static_by_default
    error_on_recompile fail_on_recompile_limit_hit
recompil + few fewer less many much avoid reduc prevent stop:
    automatic_dynamic_shapes assume_static_by_default compiler.dynamic_sources specialize_float
    allow_unspec_int_on_nn_module automatic_dynamic_local_pgo recompile_limit accumulated_recompile_limit
recompil + debug why find explain log logging print trace error fail:
    error_on_recompile fail_on_recompile_limit_hit verbose recompile_limit accumulated_recompile_limit
    automatic_dynamic_shapes fx.print_specializations
dynamic vary varying variable + shape size length batch:
    automatic_dynamic_shapes assume_static_by_default compiler.dynamic_sources
    force_parameter_static_shapes specialize_int capture_dynamic_output_shape_ops fx.print_specializations
graph + break:
    nested_graph_breaks capture_scalar_outputs capture_dynamic_output_shape_ops
    reorderable_logging_functions ignore_logging_functions trace_autograd_ops
    enable_trace_load_build_class fx.no_data_dependent_graph_break
match same identical equal bitwise like + eager uncompiled:
    inductor.emulate_precision_casts inductor.eager_numerics.division_rounding
    inductor.eager_numerics.use_pytorch_libdevice inductor.eager_numerics.disable_ftz
    inductor.fallback_random inductor.align_random_eager inductor.numerics verify_correctness
numeric accura precis wrong incorrect differ mismatch bitwise:
    verify_correctness inductor.emulate_precision_casts inductor.numerics inductor.fallback_random
    inductor.eager_numerics.division_rounding inductor.use_fast_math repro_after repro_level
determin reproducib repeatab seed:
    inductor.deterministic inductor.fallback_random inductor.align_random_eager
    inductor.emulate_precision_casts inductor.numerics
random dropout seed rng + eager same match differ:
    inductor.fallback_random inductor.align_random_eager use_numpy_random_stream inductor.deterministic
nan inf infinit:
    inductor.nan_asserts inductor.runtime_triton_nan_asserts verify_correctness
eager uncompiled:
    disable suppress_errors debug_backend_override verify_correctness
error fail crash exception + eager fallback ignore suppress continue:
    suppress_errors fail_on_recompile_limit_hit repro_after verbose
crash minif reproduc repro:
    repro_after repro_level suppress_errors verbose replay_record_enabled inductor.save_args
    debug_backend_override
disable off without stop + compil dynamo:
    disable suppress_errors debug_backend_override
debug log logging print verbose trace:
    verbose inductor.trace.enabled inductor.debug debug_dir_root inductor.trace.output_code repro_after
    functorch.debug_partitioner
generated output triton + code kernel source:
    inductor.trace.enabled inductor.trace.output_code inductor.debug debug_dir_root
    inductor.benchmark_kernel inductor.triton.unique_kernel_names
cudagraph:
    inductor.triton.cudagraphs inductor.triton.cudagraph_trees inductor.triton.cudagraph_or_error
    inductor.triton.cudagraph_skip_dynamic_graphs inductor.triton.cudagraph_support_input_mutation
    inductor.triton.cudagraph_dynamic_shape_warn_limit inductor.cudagraph_policy
cudagraph + dynamic + shape size + distinct record:
    inductor.triton.cudagraph_skip_dynamic_graphs inductor.triton.cudagraph_dynamic_shape_warn_limit
cudagraph + partition:
    inductor.graph_partition
pending + unbacked:
    fx.soft_pending_unbacked_not_found_error
cudagraph + mutat:
    inductor.triton.cudagraph_support_input_mutation inductor.triton.cudagraph_trees
data + dependent:
    capture_scalar_outputs capture_dynamic_output_shape_ops fx.no_data_dependent_graph_break
dynamic + output + shape:
    capture_dynamic_output_shape_ops capture_scalar_outputs
profiler + function record ignored:
    capture_profiler_record_function
child subprocess subproc worker + exception terminat abrupt died killed crash:
    inductor.compile_threads inductor.worker_start_method
cutlass:
    inductor.cutlass.cutlass_dir inductor.max_autotune_gemm_backends
shared + memory + resource required limit:
    inductor.max_autotune_prune_choices_based_on_shared_mem inductor.max_autotune_gemm_backends
online + softmax:
    inductor.online_softmax inductor.split_reductions
compiler + found find working missing:
    inductor.cpp.cxx
cuda + graph graphs:
    inductor.triton.cudagraphs inductor.triton.cudagraph_trees inductor.triton.cudagraph_or_error
    inductor.triton.cudagraph_skip_dynamic_graphs
autotun tune tuning:
    inductor.max_autotune inductor.max_autotune_gemm inductor.max_autotune_pointwise
    inductor.coordinate_descent_tuning inductor.max_autotune_gemm_backends inductor.autotune_local_cache
    inductor.autotune_in_subproc
cach:
    inductor.fx_graph_cache functorch.enable_autograd_cache inductor.autotune_local_cache
    inductor.fx_graph_remote_cache caching_precompile compiler.force_disable_caches compiler.cache_key_tag
cach + disable off without no clear fresh:
    compiler.force_disable_caches inductor.fx_graph_cache functorch.enable_autograd_cache
    inductor.autotune_local_cache compiler.cache_key_tag
hang stuck deadlock freezes:
    inductor.compile_threads inductor.worker_start_method inductor.compile_worker_wait_timeout
    inductor.compile_worker_watchdog_interval_seconds inductor.file_lock_timeout
    enable_compiler_collectives
ddp multigpu distributed ranks:
    optimize_ddp enable_compiler_collectives compiler.compile_on_one_rank
    inductor.reorder_for_compute_comm_overlap
"""
"""Beginnings of words, in groups of which a question has one each, and the flags that it is about.

The words of a warning of torch's are a question, too: people paste it.
"""


def _intents() -> Iterator[Intent]:
    for each in re.split(r"\n(?! )", _INTENTS.strip()):
        stems, _, flags = each.partition(":")
        yield Intent(tuple(tuple(group.split()) for group in stems.split("+")), tuple(flags.split()))


INTENTS = tuple(_intents())

_STOP_WORDS = """
a an and are as at avoid be better by can do does flag flags for from get how i in is it its less make
makes me more my not of on option options or out save set setting settings should so than that the this
to too torch turn use what when where which why with
"""
STOP_WORDS = _STOP_WORDS.split()
"""Words of a question that tell nothing of what it is about."""

_FIRST = 1000
"""The weight of the first flag of an intent: more than any words can score."""

_MINOR = ("internal", "no-op", "unread", "testing")
"""The flags that are hardly ever meant."""


_FEW = 6
"""The words of a question; more are a message, of which one common word, such as memory, tells little."""

_NOISE = re.compile(r"://|\.py\b|^['\"(~.]*/|^TORCH_LOGS=|^[A-Z]\d{4}$")
"""Marks what a message has beside its words: addresses, files, an advice that is in many, the day."""

_CAMEL = re.compile(r"[\w.]{1,99}\.(?=[A-Z][a-z])|(?<=[a-z]{2})(?=[A-Z])")
_DIGITS = "0123456789._"

_OF_NAMES = 3
"""The weight of the texts that are names."""


@dataclass(frozen=True, slots=True)
class Entry:
    """The texts of a flag in which words are looked for.

    Attributes:
        flag: The flag, by its newest name.
        is_minor: Whether it is hardly ever meant: it comes after the others that match as well.
        texts: Names, variables and descriptions, each with its weight: lower case words, separated by spaces.
    """

    flag: Flag
    is_minor: bool
    texts: tuple[tuple[int, str], ...]


def index() -> list[Entry]:
    """Return the texts of all flags, by module and name."""
    return [_entry(flag) for flag in newest_flags()]


def _entry(flag: Flag) -> Entry:
    records = records_of(flag)
    # Two records may read the same variable, and two modules have a flag of the same name.
    names = dict.fromkeys(name for each in records for name in (each.name, each.name.rpartition(".")[2]))
    variables = {variable.name: None for each in records for variable in each.variables}
    variables |= {each.uniform_variable: None for each in records if each.public}
    about = f"{flag.module} {flag.topic} {flag.summary}"
    places = [(_OF_NAMES, names), (2, [about, flag.qualified, *variables]), (1, [flag.details])]
    texts = tuple((weight, _normal(text)) for weight, group in places for text in group if text)
    return Entry(flag, not flag.described or flag.status in _MINOR, texts)


def topics() -> dict[str, int]:
    """Return the topics of all config modules, by their full names, with the number of their flags."""
    counts = Counter(qualified(flag.module, flag.topic) for flag in newest_flags())
    known = [qualified(module, topic) for module in MODULES for topic in catalogue(module).topics]
    return {topic: counts[topic] for topic in known if topic in counts}


def search(phrase: str) -> list[Flag]:
    """Return the flags of a topic, those that match a glob, or those that match words, the best first.

    A flag that is named in full comes before all others. If none has half of the words, none is meant; of a
    long phrase, such as a message, one common word is no aim.

    Example:
        >>> [flag.name for flag in search("*recompile_limit")][:2]
        ['accumulated_recompile_limit', 'recompile_limit']
        >>> search("autotune faster")[0].qualified
        'inductor.max_autotune'
    """
    if phrase in topics():
        return [flag for flag in newest_flags() if qualified(flag.module, flag.topic) == phrase]
    if is_glob(phrase):
        return [
            flag
            for flag in newest_flags()
            if any(fnmatchcase(each.qualified, phrase) for each in records_of(flag))
        ]
    told = _CAMEL.sub(" ", " ".join(each for each in phrase.split() if not _NOISE.search(each)))
    written = [each.strip(".") for each in re.sub(r"[^\w.]+", " ", told.lower()).split()]
    words = list(dict.fromkeys(each.rpartition("config.")[2] for each in written if each.strip(_DIGITS)))
    # Of one word, such as "disable", people may mean something else.
    in_full = {_normal(each) for each in words if each not in written or not each.isalpha()}
    meant = _flags_meant(words)
    words = [word for word in words if word not in STOP_WORDS] or words
    ranks: list[tuple[tuple[bool, int, bool, float], Flag]] = []
    is_known = False
    for entry in index():
        asked, weight = meant.get(entry.flag.qualified, (set(), 0))
        scores = [_score(word, entry) for word in words if word not in asked]
        if asked or any(scores):
            # A word by which a flag is meant counts more than one that is in its texts.
            matched = sum(map(bool, scores))
            is_named = any(text in in_full for _, text in entry.texts)
            is_aim = (
                len(asked) > 1 or len(words) <= _FEW or any(_score(each, entry) > _OF_NAMES for each in asked)
            )
            is_known |= is_named or (is_aim and bool(asked)) or 2 * (matched + len(asked)) >= len(words)
            rank = not is_named, -2 * len(asked) - matched, entry.is_minor, -sum(scores) - weight
            ranks.append((rank, entry.flag))
    return [flag for _, flag in sorted(ranks, key=lambda each: each[0])] if is_known else []


def _flags_meant(words: Sequence[str]) -> dict[str, tuple[set[str], int]]:
    """Return the flags of a question's intents, each with the words that ask for it and a weight."""
    found = [(intent.words_in(words), intent) for intent in INTENTS]
    flags: dict[str, tuple[set[str], int]] = {}
    for asked, intent in found:
        if any(asked < other for other, _ in found):  # "debug recompiles" is more than "debug"
            continue
        for number, name in enumerate(intent.flags if asked else ()):
            others, weight = flags.get(name, (set(), 0))
            flags[name] = asked | others, max(weight, _FIRST - number)
    return flags


def corrected(phrase: str) -> str:
    """Return a phrase with each word that no flag has as the most similar one that some flag has.

    Example:
        >>> corrected("inducter memroy")
        'inductor memory'
    """
    if is_glob(phrase):
        return phrase
    return re.sub(r"[^\W_]+", lambda match: _known_word(match[0].lower()) or match[0], phrase)


_SHORT = 4
"""The letters of a word that is no misspelt one: it is like too many others."""

_TYPO = 0.83
"""How similar a misspelt word, from 0 to 1, must be to the one that is meant."""


@cache
def _known_word(word: str) -> str | None:
    """Return the most similar word that some flag has, if none has this one."""
    texts = [text for entry in index() for _, text in entry.texts]
    is_known = (
        len(word) < _SHORT
        or word in STOP_WORDS
        or any(_begins(word, group) for each in INTENTS for group in each.stems)
    )
    if is_known or any(f" {word.removesuffix('s')}" in f" {text}" for text in texts):
        return None
    return nearest(word, sorted({each for text in texts for each in text.split()}), cutoff=_TYPO)


def is_glob(phrase: str) -> bool:
    """Tell whether it is a glob, such as ``*limit*``, and not a question."""
    return " " not in phrase and not {"*", "?", "["}.isdisjoint(phrase.removesuffix("?"))


def newest_flags() -> Iterator[Flag]:
    """Yield the flags by their newest names: an old one would be beside it, and says the same."""
    for module in MODULES:
        for _, flag in sorted(catalogue(module).flags.items()):
            if not flag.renamed_to:
                yield flag


def _score(word: str, entry: Entry) -> float:
    """Return how well a flag has a word, or its beginning: 0 if not at all, most if it is all of the name."""
    own = _normal(word.removesuffix("s"))
    return max(
        (weight + len(own) / len(text) for weight, text in entry.texts if own and f" {own}" in f" {text}"),
        default=0,
    )


def _normal(text: str) -> str:
    """Return a text as words in lower case, those of a name too."""
    return re.sub(r"[\W_]+", " ", text.lower()).strip()
