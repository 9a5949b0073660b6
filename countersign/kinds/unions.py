"""What the kinds have each a model of, all of them in one type, for the description of the API.

Imported where a body or an answer is made: to build the models would slow every start down.
"""

from __future__ import annotations

from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Any, TypeAlias

from countersign.kinds.registry import known_kinds

if TYPE_CHECKING:
    from countersign.bodies.body import DecisionBody
    from countersign.bodies.content import Content

    AnyContent: TypeAlias = Content
    AnyDecisionBody: TypeAlias = DecisionBody[Any]
else:
    AnyContent = reduce(or_, (kind.content() for kind in known_kinds()))
    AnyDecisionBody = reduce(or_, (kind.decision_body() for kind in known_kinds()))
