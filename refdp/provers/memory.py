"""What a worker replied for certain: to ask a solver anew would bring the same, as it begins anew with each request."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

CERTAIN = ("sat", "unsat")
"""Answers that do not depend on the time that there was."""
MOST = 4_096
"""Most replies that are kept."""

Reply = dict[str, Any]


@dataclass(slots=True)
class Memory:
    """Certain replies, by request."""

    replies: dict[str, Reply] = field(default_factory=dict)

    def reply(self, request: Mapping[str, Any]) -> Reply | None:
        """What was replied to the same request; None if that is not known."""
        found = self.replies.get(_key(request))
        return None if found is None else dict(found)

    def keep(self, request: Mapping[str, Any], reply: Reply) -> Reply:
        """The reply, kept if it is certain."""
        if reply.get("answer") in CERTAIN:
            if len(self.replies) >= MOST:
                self.replies.clear()
            self.replies[_key(request)] = dict(reply)
        return reply


def _key(request: Mapping[str, Any]) -> str:
    """A short name for the request, which may be long."""
    return sha256(json.dumps(request, sort_keys=True).encode()).hexdigest()
