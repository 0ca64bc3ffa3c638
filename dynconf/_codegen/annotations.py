"""torch's annotations, read as the value types of flags."""

import ast
from typing import Any

from dynconf.catalogue.flags import types

_BY_NAME = {"bool": "Bool()", "int": "Int()", "float": "Float()", "str": "Text()", "dict": "JsonDict()"}


def type_of(annotation: str) -> str:
    """Return the value type that an annotation means, as an expression; ``Opaque()`` where there is none.

    Example:
        >>> type_of("Optional[list[str]]")
        'OrNone(Items(Text()))'
    """
    return _of_node(_parse(annotation))


def alternatives(annotation: str) -> set[str]:
    """Return the members of the union that an annotation is, as our value types annotate each."""
    members = _union_members(_parse(annotation))
    # The expressions are our own; nothing of torch's text gets into them but the words of a Literal.
    made: list[Any] = [eval(_of_node(each), {**vars(types)}) for each in members if not _is_none(each)]  # noqa: S307
    return {each.annotation for each in made} | {"None" for each in members if _is_none(each)}


def words_in(annotation: str) -> set[str]:
    """Return the words of every Literal in an annotation."""
    subscripts = [node for node in ast.walk(_parse(annotation)) if isinstance(node, ast.Subscript)]
    literals = [node.slice for node in subscripts if ast.unparse(node.value) == "Literal"]
    words = [ast.literal_eval(item) for each in literals for item in _items(each)]
    return {word for word in words if isinstance(word, str)}


def _parse(annotation: str) -> ast.expr:
    return ast.parse(annotation, mode="eval").body


def _of_node(node: ast.expr) -> str:  # noqa: C901, PLR0911, PLR0912  one case for each form
    match node:
        case ast.Constant(value=str(text)):
            return type_of(text)
        case ast.Name(id=name) if name in _BY_NAME:
            return _BY_NAME[name]
        case ast.Name(id="Callable") | ast.Subscript(value=ast.Name(id="Callable")):
            return 'Reference("callable")'
        case ast.Subscript(value=ast.Name(id="type" | "Type")):
            return 'Reference("class")'
        case ast.Attribute(attr=name) if name.startswith("Custom"):
            return 'Reference("callable")'
        case ast.BinOp() | ast.Subscript(value=ast.Name(id="Optional" | "Union")):
            members = _union_members(node)
            types_ = [_of_node(member) for member in members if not _is_none(member)]
            if len(types_) != 1 or types_[0] == "Opaque()":
                return "Opaque()"
            return f"OrNone({types_[0]})" if len(members) > 1 else types_[0]
        case ast.Subscript(value=ast.Name(id="Literal"), slice=inner):
            words = [ast.literal_eval(each) for each in _items(inner)]
            if all(isinstance(word, int) for word in words):
                return f"Int({min(words)}, {max(words)})"
            return f"Choice({tuple(words)!r})"
        case ast.Subscript(value=ast.Name(id="dict" | "Dict"), slice=ast.Tuple(elts=[ast.Name(), _])):
            return "JsonDict()"
        case ast.Subscript(value=ast.Name(id="list" | "List"), slice=inner):
            return _wrapped("Items", _of_node(inner))
        case ast.Subscript(value=ast.Name(id="set" | "Set"), slice=inner):
            return _wrapped("SetOf", _of_node(inner))
        case ast.Subscript(value=ast.Name(id="tuple"), slice=ast.Tuple(elts=parts)):
            items = {_of_node(part) for part in parts if not _is_none(part)}
            if len(items) != 1 or "Opaque()" in items:
                return "Opaque()"
            (item,) = items
            return f"Items({f'OrNone({item})' if any(map(_is_none, parts)) else item}, as_tuple=True)"
    return "Opaque()"


def _wrapped(container: str, item: str) -> str:
    return item if item == "Opaque()" else f"{container}({item})"


def _items(node: ast.expr) -> list[ast.expr]:
    return node.elts if isinstance(node, ast.Tuple) else [node]


def _union_members(node: ast.expr) -> list[ast.expr]:
    """Return the members of a union, however it is written; of any other annotation, itself."""
    match node:
        case ast.BinOp(left=left, right=right):
            return _union_members(left) + _union_members(right)
        case ast.Subscript(value=ast.Name(id="Optional"), slice=inner):
            return [*_union_members(inner), ast.Constant(None)]
        case ast.Subscript(value=ast.Name(id="Union"), slice=inner):
            return [each for part in _items(inner) for each in _union_members(part)]
    return [node]


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None
