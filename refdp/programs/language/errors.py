"""What is said where a program is outside the subset of Python that is read."""

from __future__ import annotations

import ast


class Unsupported(ValueError):
    """The program is outside the subset: the message says where, what is not supported and what to write instead."""


class Refusal(Exception):
    """What is not supported at a node of the syntax tree; `instead` begins with write, use, call or the like."""

    def __init__(self, node: ast.AST, what: str, instead: str) -> None:
        super().__init__(what)
        self.node, self.what, self.instead = node, what, instead

    def located(self, file: str) -> Unsupported:
        """The refusal as users see it, with file, line and column, both from 1."""
        line, column = getattr(self.node, "lineno", 1), getattr(self.node, "col_offset", 0) + 1
        return Unsupported(f"{file}:{line}:{column}: not supported: {self.what}; {self.instead}")
