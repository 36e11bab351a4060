"""Checks whose removal lets nothing wrong through, each with the reason: they are not among the forty.

With some of them gone more is refused, with others less is known, and with others what comes next raises: then the
verdict is lost to an internal error, and none is given.
"""

from __future__ import annotations

Key = tuple[str, str, str, str, str, int]
"""File, function, operator, the text before and after, and which of those that read alike in the file."""

NO_ITEMS = "what is no dict has no items: AttributeError, and the verdict is lost"
NO_NEIGHBOURS = "whether any data are neighbours: a claim about none holds"
LESS_KNOWN = "a fact less is known: what was proved from it is not proved any more"
WRITTEN_BEFORE = "draws._required writes it before the draw: where it is not so the run raises, and the law is refused"
NOT_AT_THE_TOP = "no such statement stands at the top of a file, and what scripts alone run makes no claim another"

HARMLESS: dict[Key, str] = {
    ("refdp/logic/file_tops.py", "_is_target", "operand dropped", "isinstance(target, ast.Tuple) and (not strict)",
     "not strict", 0):
        "a plain name has no elements: AttributeError; other targets are refused where the constant is read",
    ("refdp/logic/file_tops.py", "stored", "statement deleted", "yield name", "pass", 2):
        NOT_AT_THE_TOP,
    ("refdp/logic/file_tops.py", "stored", "statement deleted", "yield name", "pass", 3):
        NOT_AT_THE_TOP,
    ("refdp/programs/checking/charges.py", "drawable", "clause dropped",
     "conjunction(*(at_most(ZERO, weight) for weight in numbers), less(ZERO, total(numbers)))",
     "conjunction(less(ZERO, total(numbers)))", 0):
        "before each choice stands that no weight is negative, written by draws.weight: no run goes on where one is",
    ("refdp/programs/checking/charges.py", "rated", "clause dropped",
     "conjunction(less(ZERO, heads), less(ZERO, tails))", "conjunction(less(ZERO, heads))", 0):
        "heads <= odds * tails with heads > 0 and odds > 0 leaves no other tails",
    ("refdp/programs/checking/conditions.py", "Product.insist_on_order", "operand dropped",
     "self.alignment.others and s.is_round", "self.alignment.others", 0):
        "rounds of no loop are compared besides: more is refused",
    ("refdp/programs/checking/proof.py", "charged", "condition", "if len({site for site, _ in draws}) < len(draws)",
     "if False", 0):
        "whatever is demanded of a draw is demanded of each of its scales in the loop below",
    ("refdp/programs/checking/proof.py", "moved", "condition", "if relation.squares is not None", "if False", 0):
        NO_NEIGHBOURS,
    ("refdp/programs/checking/proof.py", "moved", "condition", "if relation.total is not None", "if False", 0):
        NO_NEIGHBOURS,
    ("refdp/programs/checking/public.py", "Public.known", "condition", "if term.operator == 'exp'", "if False", 0):
        LESS_KNOWN,
    ("refdp/programs/checking/ratios.py", "Ratios.facts", "statement deleted",
     "yield at_most(multiply(subtract(rational(1), t), name), rational(1))", "pass", 0):
        LESS_KNOWN,
    ("refdp/programs/checking/symbolic.py", "Laws.not_negative", "condition", "if one.family == 'bernoulli'",
     "if False", 0):
        WRITTEN_BEFORE,
    ("refdp/programs/checking/symbolic.py", "Laws.not_negative", "statement deleted",
     "yield from ((self.ratios(p), False) for p in one.parameters)", "pass", 0):
        WRITTEN_BEFORE,
    ("refdp/programs/checking/symbolic.py", "Laws.look", "loop skipped",
     "in execution.block(self.program.body, start(self.program, known, 1))", "in ()", 0):
        "without ways the probabilities add up to 0, not to 1, and the law is refused",
    ("refdp/programs/checking/symbolic.py", "bounded", "statement deleted",
     "raise Refused(f'at most {MOST_OPEN} answers may be likelier by more than the factor, where delta is shown')",
     "pass", 0):
        "a limit of work: all sums of so many differences are demanded instead",
    ("refdp/programs/checking/symbolic.py", "sizes", "loop skipped", "in drawn", "in ()", 0):
        ("each draw is zipped with its outcomes strictly: a draw without outcomes is a ValueError, and "
         "the verdict is lost"),
    ("refdp/programs/checking/ties.py", "untied", "condition",
     "if part.operator in ('<', '<=') and any((is_slanted(subtract(*part.arguments), draw) for draw in draws))",
     "if False", 0):
        LESS_KNOWN,
    ("refdp/programs/language/allowed.py", "is_parameter_of_claim", "operand dropped",
     "isinstance(node, ast.Name) and node.id in {given.arg for given in one.args.args}",
     "node.id in {given.arg for given in one.args.args}", 0):
        "all that is chosen is the words of a refusal",
    ("refdp/programs/language/arithmetic.py", "product", "operand dropped",
     "flag.operator == 'ite' and all((part.operator == 'number' for part in flag.arguments[1:]))",
     "flag.operator == 'ite'", 0):
        "the product is worked out case by case, as it is, whatever the cases are; solvers are spared the others",
    ("refdp/programs/language/expressions.py", "_signed", "operand dropped",
     "isinstance(found, Mixed) and found.number is None and (len(found.others) == 1)",
     "found.number is None and len(found.others) == 1", 0):
        "a plain number has no number within: AttributeError, and the verdict is lost",
    ("refdp/programs/language/flow.py", "same", "operand dropped",
     "a.sort != 'Bool' and a.sort == b.sort and (normal(subtract(a, b)) in (ZERO, normal(subtract(a, a))))",
     "a.sort == b.sort and normal(subtract(a, b)) in (ZERO, normal(subtract(a, a)))", 0):
        "two truth values are the same number if and only if they are the same",
    ("refdp/programs/language/flow.py", "shifted", "operand dropped",
     "part.operator == '==' and part.arguments[0] is counter and is_number(part.arguments[1])",
     "part.operator == '==' and part.arguments[0] is counter", 0):
        "number() of what is no number is a TypeError, and the verdict is lost",
    ("refdp/programs/language/parameters.py", "_looks_within", "operand dropped",
     "used == name and function in OVER and (function == 'enumerate' or not others)",
     "used == name and function in OVER", 0):
        "a number is read as a list then, and where it stands as a number the whole list is refused",
    ("refdp/programs/language/parameters.py", "signature", "statement deleted",
     "raise Refusal(function, 'a program without data', 'make the data the first parameter')", "pass", 0):
        "nothing can be unpacked into a first parameter: ValueError, and there is no program",
    ("refdp/programs/language/reading.py", "_read", "statement deleted",
     ("raise Refusal(function, 'a function whose variables change their kinds endlessly', 'use each "
      "variable for one thing')"), "pass", 0):
        "nothing is returned, which is no list of statements: TypeError, and the verdict is lost",
    ("refdp/sensitivities/checking/edits.py", "single_edit", "condition", "if question.edits < 1", "if False", 0):
        "no tables are fewer than 0 edits apart; at 0 edits the claim is divided by 0, of which nothing is proved",
    ("refdp/sensitivities/checking/replaying.py", "require_refuted", "statement deleted",
     "insist(max(len(tried.first), len(tried.second)) <= MOST_ROWS, f'a table must have at most {MOST_ROWS} rows')",
     "pass", 0):
        "a limit of work: the pair is run all the same",
    ("refdp/sensitivities/language/calls.py", "call_expression", "operand dropped",
     "any((isinstance(one, ast.Starred) for one in node.args)) or any((one.arg is None for one in node.keywords))",
     "any((one.arg is None for one in node.keywords))", 0):
        "no rule reads a starred expression: it is refused where its value is asked for",
    ("refdp/sensitivities/language/calls.py", "call_expression", "statement deleted",
     "raise x.unsupported(node, 'a starred argument', 'write the arguments one by one')", "pass", 0):
        ("a starred expression has no rule of its own, and ** would be a keyword of the name None, which "
         "no function has"),
    ("refdp/sensitivities/language/comparisons.py", "precedes", "operand dropped",
     "isinstance(a, Term) and isinstance(b, Term)", "isinstance(a, Term)", 0):
        "what is no term has no sort: AttributeError, and the verdict is lost",
    ("refdp/sensitivities/language/comprehensions.py", "Comprehension._level", "statement deleted",
     "raise self.reader.unsupported(self.node, 'an asynchronous comprehension', 'write an ordinary one')", "pass",
     0):
        ("outside an async function that is no Python; the interpreter refuses it, too, and CPython does "
         "not compile it"),
    ("refdp/sensitivities/language/comprehensions.py", "is_loose", "operand dropped",
     "isinstance(content, Mapped) and (content.loose or content.kind == 'set')",
     "content.loose or content.kind == 'set'", 0):
        "what is no dict has no order: AttributeError, and the verdict is lost",
    ("refdp/sensitivities/language/comprehensions.py", "is_loose", "operand dropped",
     "isinstance(inner, Reference) and is_loose(state, inner)", "is_loose(state, inner)", 0):
        "more is said to hang on the order of rows, or as before",
    ("refdp/sensitivities/language/comprehensions.py", "is_loose", "operand dropped",
     "isinstance(value, Lazy) and value.kind in ('keys', 'values', 'items')", "isinstance(value, Lazy)", 0):
        "more is said to hang on the order of rows, or what has several parts is not unpacked",
    ("refdp/sensitivities/language/extremes.py", "next_", "operand dropped",
     "not isinstance(arguments[0], Lazy) or arguments[0].kind != 'generator'", "arguments[0].kind != 'generator'",
     0):
        "of all values an iterator alone has a kind: AttributeError, and the verdict is lost",
    ("refdp/sensitivities/language/modules.py", "counter", "operand dropped",
     "isinstance(content, Mapped) and content.kind != 'set'", "content.kind != 'set'", 0):
        "what is no dict has no kind: AttributeError, and the verdict is lost",
    ("refdp/sensitivities/language/objects.py", "merged", "operand dropped",
     "isinstance(yes, Mapped) and isinstance(no, Mapped)", "isinstance(yes, Mapped)", 0):
        NO_ITEMS,
    ("refdp/sensitivities/language/objects.py", "merged", "statement deleted",
     "raise TypeError('an address holds objects of two kinds')", "pass", 0):
        "an address is that of one new object, on both sides; and nothing can be done with None as contents",
    ("refdp/sensitivities/language/objects.py", "same_object", "operand dropped",
     "isinstance(a, Mapped) and isinstance(b, Mapped)", "isinstance(a, Mapped)", 0):
        NO_ITEMS,
    ("refdp/sensitivities/language/operators.py", "_lists", "operand dropped",
     "isinstance(content, Listing) and len(content.pieces) * count <= LONGEST",
     "len(content.pieces) * count <= LONGEST", 0):
        "listing() returns nothing but a Listing, or raises",
    ("refdp/sensitivities/language/places.py", "plan", "operand dropped",
     "isinstance(after, Mapped) and isinstance(before, Mapped)", "isinstance(before, Mapped)", 0):
        NO_ITEMS,
    ("refdp/sensitivities/language/reading.py", "read_answer", "statement deleted",
     "raise x.not_a_fold(source.tree, 'the function is nested too deeply to be read') from None", "pass", 0):
        "nothing is returned, which cannot be unpacked: TypeError, and the verdict is lost",
    ("refdp/sensitivities/language/scope.py", "_meaning", "operand dropped",
     "isinstance(statement, ast.ImportFrom) and statement.level == 0", "isinstance(statement, ast.ImportFrom)", 0):
        "an import from the folder of the file is refused at its top, by insist_on_known",
    ("refdp/sensitivities/language/scope.py", "_meaning", "operand dropped",
     "isinstance(statement, ast.ImportFrom) and statement.level == 0", "statement.level == 0", 0):
        "other statements have no level: AttributeError, and the verdict is lost",
    ("refdp/sensitivities/language/source.py", "read_source", "condition",
     "if not colon or not path.endswith('.py') or (not name.isidentifier())", "if False", 0):
        "the words of a command line: without a name or a file there is nothing to be read, which is said later",
    ("refdp/sensitivities/language/source.py", "read_source", "operand dropped",
     "not colon or not path.endswith('.py') or (not name.isidentifier())", "not colon or not name.isidentifier()",
     0):
        "the words of a command line: a file of another name is read like any, and its text decides",
    ('refdp/sensitivities/language/calls.py', 'closure', 'statement deleted',
     "raise x.unsupported(node, f'a function that reads {name} of a lambda around it', 'pass it as an argument')",
     'pass', 0):
        ("a parameter of a lambda is bound once, as := is not read, so its value may stand in the function; what a "
         "row makes is kept for no other row: the loop has no fixed shape"),
    ('refdp/programs/language/reading.py', '_insist_on_names', 'operand dropped',
     'stores and found.data.is_list or ((stores or name in found.public) and name in uses)',
     'stores and found.data.is_list', 0):
        ("a parameter that is assigned has a value from the start, so that a list of its name is a second one, which "
         "is refused"),
    ('refdp/programs/language/draws.py', '_probability', 'operand dropped',
     'is_positive(bottom, context.assumption) and is_at_most(top, bottom, context.assumption)',
     'is_positive(bottom, context.assumption)', 0):
        "charges.drawable, Laws.sense and exact laws demand of every draw that its probability is at most 1",
    ('refdp/programs/language/loops.py', 'for_loop', 'operand dropped',
     'rounds.element is not None and frame.element is not None', 'rounds.element is not None', 0):
        "whatever has an element is a list of data, and then the loop's frame has one too",
    ('refdp/programs/checking/public.py', 'Public.__call__', 'loop skipped', 'in parts(fixed)', 'in ()', 0):
        ("solvers are then asked of the terms themselves: power they refuse, the others mean to them what they mean "
         "here"),
    ('refdp/sensitivities/language/endings.py', '_fits', 'operand dropped',
     'outside.issuperset(variables(one.start)) and inside.issuperset(variables(one.step))',
     'outside.issuperset(variables(one.start))', 0):
        ("what speaks of the row or the state of a pass around is no step: wellformed.insist_on_question refuses the "
         "program"),
    ('refdp/sensitivities/language/places.py', '_list_plan', 'statement deleted',
     "raise CannotKeep(f'a list of what cannot be kept: {reason}')", 'pass', 0):
        ("what a row makes is not in the heap after the loop: KeyError where it is looked into, and else it counts "
         "as one element"),
    ('refdp/sensitivities/language/objects.py', 'under', 'statement deleted',
     "raise TypeError('a list that grows with the rows is emptied')", 'pass', 0):
        ("no operation that is read takes anything away from a list, so that what grew stands at the start on both "
         "sides"),
    ('refdp/programs/checking/finite.py', 'insist_on_one_length', 'condition', 'if not claim.adjacency.parts',
     'if False', 0):
        NO_NEIGHBOURS,
    ('refdp/sensitivities/language/modules.py', '_sum', 'statement deleted',
     "raise x.unsupported(node, 'this sum of an iterator', 'write a list')", 'pass', 0):
        "math.fsum of an iterator is its sum, as in Python, and numpy's sum is of lists alone, by of_list",
    ('refdp/programs/language/emissions.py', 'written', 'operand dropped', 'isinstance(one, Mixed) and _is_open(one)',
     'isinstance(one, Mixed)', 0):
        "a plain None is then taken apart for ever: RecursionError, and the function is refused",
    ('refdp/programs/checking/conditions.py', 'Product.conditions', 'statement deleted',
     "yield from self.pair(f'steps {i} and {j}', a, b)", 'pass', 0):
        "no condition is left, and what yields nothing is no generator: None, TypeError, and the verdict is lost",
    ('refdp/programs/language/module.py', '_imports', 'statement deleted',
     "raise Refusal(statement, 'import of all names of another module', 'import the names that are used')", 'pass', 0):
        "whether it is refdp.programs is not asked then: UnboundLocalError, and the verdict is lost",
    ('refdp/programs/language/arithmetic.py', '_public', 'condition', 'if context.is_secret(*terms)', 'if False', 0):
        ("the operators are read as Python has them of secret numbers too, and Public refuses mod and power of what "
         "is not public"),
    ('refdp/programs/checking/conditions.py', 'insist', 'statement deleted',
     "raise Refused(f'{term} must be made of what solvers know')", 'pass', 0):
        ("solvers are then asked of the shift itself: power they refuse, and of the others a shift means what it "
         "means to them"),
}  # fmt: skip
