"""What the Python worker of Azure Functions makes of a function's annotations.

In these points its versions and those of Python differ, so each question is about one of them. The
rules are those of `functions.py` and `typing_inspect.py` in worker 4.34 and in the package
`azure-functions-runtime`, and of the converters in the SDK.
"""

from __future__ import annotations

import sys
import typing
from collections.abc import Callable
from inspect import signature
from types import GenericAlias
from typing import Any

from azure.functions import get_binding_registry

Version = tuple[int, int]
THIS: Version = sys.version_info[:2]

# Before it, `isinstance` took `dict[str, int]` for a class and `typing.Any` for none.
_CLASSES_ARE_CLASSES: Version = (3, 11)
# Before it, the worker always asked its extensions about an annotation, which want its origin to be
# a class: that of `typing.Literal["a"]` is none.
_ANY_ORIGIN: Version = (3, 13)
# The types of `typing.List[int]` and `typing.List`; `list[int]` is no alias of `typing`.
_ALIASES = (type(typing.List[int]), type(typing.List))  # noqa: UP006 - they are what is meant
_SPECIAL = (typing.Union, tuple, typing.ClassVar, Callable)


def resolved(run: Any, python: Version = THIS) -> dict[str, Any]:
    """Return a function's annotations, as `typing` of a version of Python resolves them.

    Raises:
        Exception: Whatever an annotation raises that is written as a string.
    """
    hints = typing.get_type_hints(run)
    if python < _CLASSES_ARE_CLASSES <= THIS and hasattr(run, "__code__"):
        # Then `typing` read `x: str = None` as an Optional[str]; it didn't look behind a wrapper,
        # and took the defaults of functions alone.
        for name, parameter in signature(run, follow_wrapped=False).parameters.items():
            if parameter.default is None and name in hints:
                hints[name] = hints[name] | None
    return hints


def is_class(hint: Any, python: Version) -> bool:
    """Tell whether an annotation was a class to `isinstance`."""
    if isinstance(hint, GenericAlias):
        return python < _CLASSES_ARE_CLASSES
    if hint is Any:
        return python >= _CLASSES_ARE_CLASSES
    return isinstance(hint, type)


def is_generic(hint: Any, python: Version) -> bool:
    """Tell whether an annotation is an alias of `typing` that stands for a class."""
    if not isinstance(hint, _ALIASES) or typing.get_origin(hint) in _SPECIAL:
        return False
    return isinstance(typing.get_origin(hint), type) or python >= _ANY_ORIGIN


def is_out(hint: Any) -> bool:
    """Tell whether an annotation is `azure.functions.Out`, of whatever."""
    shape = typing.get_origin(hint) if isinstance(hint, _ALIASES) else hint
    return isinstance(shape, type) and shape.__name__ == "Out"


def is_plain(kind: str, hint: Any) -> bool:
    """Tell whether a parameter takes as it comes what a binding of this type brings."""
    return hint in (str, bytes) and not _has_implicit_output(kind)


def fits(kind: str, hint: Any) -> bool:
    """Tell whether a parameter that is annotated so can take what a binding brings.

    Raises:
        TypeError: The annotation isn't a class.
    """
    converter = _Generic if is_plain(kind, hint) else _registry(hint).get(kind) or _Generic
    return converter.check_input_type_annotation(hint)


def fits_out(kind: str, hint: Any) -> bool:
    """Tell whether a binding can send what a parameter for it, annotated `Out[hint]`, is given.

    Raises:
        TypeError: The annotation isn't a class.
        AttributeError: Bindings of this type send nothing.
    """
    if is_plain(kind, hint):
        return _Generic.check_output_type_annotation(hint)
    return fits_return(kind, hint)


def fits_return(kind: str, hint: Any) -> bool:
    """Tell whether a binding can send what a function returns; raises as `fits_out` does."""
    return _converter(kind).check_output_type_annotation(hint)


class _Generic:
    """What the worker takes for the converter of a binding that the SDK has none for."""

    @staticmethod
    def check_input_type_annotation(hint: Any) -> bool:
        return issubclass(hint, (str, bytes))

    @staticmethod
    def check_output_type_annotation(hint: Any) -> bool:
        return issubclass(hint, (str, bytes, bytearray))

    @staticmethod
    def has_implicit_output() -> bool:
        return True


def _registry(hint: Any) -> Any:
    """Return the converters to ask about an annotation: the SDK's, or those of an extension.

    The app has imported the extension if the annotation is one of its classes.
    """
    extensions = sys.modules.get("azurefunctions.extensions.base")
    if extensions and extensions.get_binding_registry().check_supported_type(hint):
        return extensions.get_binding_registry()
    return get_binding_registry()


def _converter(kind: str) -> Any:
    return get_binding_registry().get(kind) or _Generic


def _has_implicit_output(kind: str) -> bool:
    implicit = getattr(_converter(kind), "has_implicit_output", None)
    return implicit is not None and implicit()
