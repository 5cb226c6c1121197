"""What scripts/mutate may change in a source: places found in the syntax tree of C++ (tree-sitter) or in the text of JSON.

A candidate replaces the bytes [begin, end) of its file with `direct`. Most have a `switched` form, too, in which the
program decides at run time which of the two holds: `(trtlens_mutant(N) ? changed : original)`.
"""
import dataclasses
import re

WORDS = (("more", "less"), ("faster", "slower"), ("min", "max"), ("minimum", "maximum"), ("before", "after"),
         ("above", "below"), ("first", "last"), ("higher", "lower"), ("all", "none"), ("input", "output"), ("on", "off"),
         ("fatal", "major"), ("moderate", "minor"), ("measured", "inferred"), ("build", "run"), ("a", "b"))
CALLS = (("min", "max"), ("front", "back"), ("min_element", "max_element"), ("any_of", "all_of"),
         ("lower_bound", "upper_bound"), ("floor", "ceil"), ("find", "rfind"),
         ("first", "second"), ("first", "last"))
OPERATORS = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "+": "-", "-": "+", "*": "/", "/": "*",
             "&&": "||", "||": "&&"}
ASSIGNMENTS = {"+=": "-=", "-=": "+=", "|=": "=", "*=": "/="}
# Nothing but speed depends on these.
IDLE_CALLS = re.compile(r"(?:[.>:]|^)(?:reserve|shrink_to_fit|progress)\s*\(|^static_assert")
SWITCH = "$MUTANT$"  # stands for trtlens_mutant(N) until N is known
# What proves a rule, and its prose, of which a test could only hold a copy.
UNCHANGED = {"sources", "samples", "near_misses", "id", "category", "title", "what", "why", "remedies", "text", "next_check",
             "false_positive", "evidence"}
SKIPPED = {"comment", "preproc_include", "preproc_def", "static_assert_declaration", "attribute_declaration",
           "template_parameter_list", "using_declaration", "char_literal"}
# Here the compiler needs the value: the change is compiled on its own.
CONSTANT = {"template_argument_list", "case_statement", "array_declarator", "enumerator"}
ORDERS = re.compile(r"sort|min_element|max_element|merge|bound|nth_element")


@dataclasses.dataclass
class Candidate:
    operator: str
    begin: int
    end: int
    line: int
    original: str
    direct: str
    switched: str = ""  # with SWITCH in it; empty: compiled on its own


def swapped_word(text):
    """`text` with its first word of WORDS exchanged, or None."""
    table = {a: b for pair in WORDS for a, b in (pair, pair[::-1])}
    for match in re.finditer(r"[a-z]+", text):
        other = table.get(match[0])
        if other and not re.match(r"\w|\\", text[match.start() - 1:match.start()] or " "):
            return text[:match.start()] + other + text[match.end():]
    return None


def changed_number(text):
    if re.fullmatch(r"\d+[uUlLzZ]*", text):
        digits = re.match(r"\d+", text)[0]
        value = int(digits)
        return str(2 * value if value in (8, 16, 32, 64, 128, 256) else value + 1) + text[len(digits):]
    if re.fullmatch(r"\d+\.\d*(?:[eE][-+]?\d+)?[fF]?", text):
        head = re.match(r"\d+\.\d*", text)[0]
        places = 1 + len(head.split(".")[1])
        grown = float(head) * 1.4 if float(head) else 0.1
        return f"{grown:.{places}f}" + text[len(head):]
    return None


class Finder:
    """The candidates of one C++ file."""

    def __init__(self, source):
        self.source, self.found = source, []

    def text(self, node):
        return self.source[node.start_byte:node.end_byte].decode()

    def add(self, operator, node, direct, switched=None, constant=False):
        """`switched` absent: both are expressions, one of which is chosen."""
        original, line = self.text(node), node.start_point[0] + 1
        if node.parent.type == "concatenated_string":  # the pieces are one expression
            begin, node = node.start_byte, node.parent
            at = len(self.source[node.start_byte:begin].decode())
            direct = self.text(node)[:at] + direct + self.text(node)[at + len(original):]
            original = self.text(node)
        if "//" in original or "/*" in original or "#" in original.split('"')[0] or len(original) > 800:
            return
        if switched is None:
            switched = f"({SWITCH} ? ({direct}) : ({original}))"
            if node.type in ("concatenated_string", "number_literal", "string_literal", "true", "false"):
                switched = f"({SWITCH} ? {direct} : {original})"
        head = switched.replace(original, "\0")  # the original keeps its lines, the rest has none
        switched = re.sub(r"\s*\n\s*", " ", head).replace("\0", original, 1).replace("\0", re.sub(r"\s*\n\s*", " ", original))
        self.found.append(Candidate(operator, node.start_byte, node.end_byte, line, original, direct,
                                    "" if constant else switched))

    def walk(self, node, constant=False, order=False):
        if node.type in SKIPPED or node.has_error and node.type == "ERROR":
            return
        constant = constant or node.type in CONSTANT and node.type != "case_statement" or any(
            child.type == "type_qualifier" and self.text(child) in ("constexpr", "consteval") for child in node.children
            if node.type in ("declaration", "field_declaration", "function_definition"))
        if node.type == "call_expression" and ORDERS.search(self.text(node.child_by_field_name("function"))):
            order = True
        visit = getattr(self, "on_" + node.type, None)
        if visit:
            visit(node, constant, order)
        for child in node.children:
            value = node.type == "case_statement" and child == node.child_by_field_name("value")
            self.walk(child, constant or value, order)

    def on_binary_expression(self, node, constant, order):
        left, right = (self.text(node.child_by_field_name(side)) for side in ("left", "right"))
        sign = node.child_by_field_name("operator").type
        if sign not in OPERATORS or (sign in "+-" and '"' in self.text(node)) or left == "template":
            return
        if order and sign in "<>":
            self.add("sort order", node, f"{right} {sign} {left}", constant=constant)
        else:
            kind = {"&&": "and/or", "||": "and/or"}.get(sign, "arithmetic" if sign in "+-*/" else "relation")
            self.add(kind, node, f"{left} {OPERATORS[sign]} {right}", constant=constant)

    def on_number_literal(self, node, constant, _order):
        changed = changed_number(self.text(node))
        if changed and node.parent.type != "subscript_argument_list":
            self.add("number", node, changed, constant=constant)

    def on_true(self, node, constant, _order):
        self.add("true/false", node, "false", constant=constant)

    def on_false(self, node, constant, _order):
        self.add("true/false", node, "true", constant=constant)

    def on_string_literal(self, node, constant, _order):
        changed = swapped_word(self.text(node))
        if changed and node.parent.type not in ("preproc_include", "linkage_specification"):
            self.add("word", node, changed, constant=constant)

    def on_if_statement(self, node, constant, _order):
        clause = node.child_by_field_name("condition")
        value = clause and clause.child_by_field_name("value")
        if value and value.type != "declaration" and not self.text(node).startswith("if constexpr"):
            self.add("if (false)", value, "false", f"!{SWITCH} && ({self.text(value)})", constant)

    def on_expression_statement(self, node, constant, _order):
        body = node.children[0]
        text = self.text(node)
        if IDLE_CALLS.search(text) and body.type == "call_expression":
            return
        if body.type in ("assignment_expression", "call_expression"):
            self.add("statement deleted", node, ";", f"{{ if (!{SWITCH}) {text} }}", constant)
        if body.type == "assignment_expression":
            sign = body.child_by_field_name("operator").type
            if sign in ASSIGNMENTS and '"' not in text:
                left, right = (self.text(body.child_by_field_name(side)) for side in ("left", "right"))
                other = f"{left} {ASSIGNMENTS[sign]} {right};"
                self.add("arithmetic", node, other, f"{{ if ({SWITCH}) {other} else {text} }}", constant)

    def on_update_expression(self, node, constant, _order):
        text = self.text(node)
        if node.parent.type == "for_statement":  # endless
            return
        self.add("arithmetic", node, text.replace("++", "~").replace("--", "++").replace("~", "--"), constant=constant)

    def on_call_expression(self, node, constant, _order):
        function, arguments = (node.child_by_field_name(part) for part in ("function", "arguments"))
        if arguments is None or arguments.type != "argument_list":
            return
        name, values = self.text(function), [c for c in arguments.named_children if c.type != "comment"]
        word = re.search(r"\w+$", name)
        for pair in CALLS:
            if word and word[0] in pair:
                other = name[:word.start()] + pair[pair[0] == word[0]]
                self.add("call", node, other + self.text(arguments), constant=constant)
        for a, b in zip(values, values[1:]):
            texts = (self.text(a), self.text(b))
            ranges = any(re.search(r"\b(?:begin|end)\(\)", text) for text in texts)  # an empty or endless loop
            if a.type == b.type and a.type not in ("lambda_expression",) and texts[0] != texts[1] and not ranges:
                at = arguments.start_byte
                whole = self.source[at:arguments.end_byte]
                swapped = (whole[:a.start_byte - at] + self.text(b).encode() + whole[a.end_byte - at:b.start_byte - at] +
                           self.text(a).encode() + whole[b.end_byte - at:]).decode()
                self.add("arguments exchanged", node, name + swapped, constant=constant)


def cpp_candidates(source):
    import tree_sitter
    import tree_sitter_cpp
    tree = tree_sitter.Parser(tree_sitter.Language(tree_sitter_cpp.language())).parse(source)
    finder = Finder(source)
    finder.walk(tree.root_node)
    return finder.found


def json_candidates(source):
    """Of the rules' data: numbers, versions, words that decide, and alternatives of patterns."""
    found, text = [], source.decode()
    member, key, at = "", "", 0  # of the rule; the innermost one
    for number, line in enumerate(text.splitlines(keepends=True), 1):
        named = re.match(r'\s*\{?\s*"(\w+)"\s*:', line)
        key = named[1] if named else key
        member = named[1] if re.match(r'    "\w', line) else member
        start = named.end() if named else 0

        def add(operator, begin, end, new):
            offset = len(text[:at].encode()) + len(line[:begin].encode())
            found.append(Candidate(operator, offset, offset + len(line[begin:end].encode()), number, line[begin:end], new))

        if key == "priority" and member == key:  # one more or less seldom means anything
            digits = re.search(r"\d+", line)
            add("number", digits.start(), digits.end(), "1")
        elif not {key, member} & UNCHANGED:
            for match in re.finditer(r'"((?:\\.|[^"\\])*)"', line[start:]):
                begin, end = start + match.start(1), start + match.end(1)
                swapped = swapped_word(match[1])
                pattern = key in ("patterns", "pattern", "regex")
                if swapped and not pattern and member != "thresholds":  # the number is changed, not what it means
                    add("word", begin, end, swapped)
                elif re.fullmatch(r"[\d.]+", match[1]):
                    add("version", begin, end, re.sub(r"\d+$", lambda m: str(int(m[0]) + 1), match[1]))
                elif pattern and (part := re.search(r"\|[\w ]+(?=[|)])", match[1])):
                    add("alternative dropped", begin + part.start(), begin + part.end(), "")
            bare = re.sub(r'"(?:\\.|[^"\\])*"', lambda m: " " * len(m[0]), line)
            for match in re.finditer(r"(?<![\w.])(?:\d+(?:\.\d+)?|true|false)(?![\w.])", bare):
                new = {"true": "false", "false": "true"}.get(match[0]) or changed_number(match[0])
                add("number" if match[0][0].isdigit() else "true/false", match.start(), match.end(), new)
        at += len(line)
    return found
