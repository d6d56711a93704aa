"""Small changes of C++ source, all compiled into one file and chosen when it runs.

Each mutated statement becomes a choice on `emptor_mutant`, which is read from the environment:
    if (a < b) {        ->  if (emptor_mutant == 7 ? (a <= b) : (a < b)) {
    x += 1;             ->  if (emptor_mutant == 8) { x -= 1; } else { x += 1; }
    const int n = 3;    ->  const int n = emptor_mutant == 9 ? (4) : (3);
What fits none of these forms (constants at namespace scope, declarations in conditions, heads of
lambdas) is not mutated.
"""
import re
from dataclasses import dataclass

SWAPS = [  # clang-format puts spaces around binary operators, and none into template brackets
    (" < ", " <= "), (" <= ", " < "), (" > ", " >= "), (" >= ", " > "), (" == ", " != "),
    (" != ", " == "), (" && ", " || "), (" || ", " && "), (" + ", " - "), (" - ", " + "),
    (" += ", " -= "), (" -= ", " += "), (" * ", " / "), (" / ", " * "), ("std::min(", "std::max("),
    ("std::max(", "std::min("), ("++", "--"),
]
WORDS = [("true", "false"), ("false", "true")]
PRELUDE = ('#include <cstdlib>\nstatic const int emptor_mutant = std::getenv("EMPTOR_MUTANT") ? '
           'std::atoi(std::getenv("EMPTOR_MUTANT")) : 0;\n')
SKIPPED = re.compile(r"(assert\(|static_assert|using |namespace |template|struct |class |enum |static |"
                     r"constexpr |goto |case |default:|public:|private:|\}|else\b|typedef )")
DECLARATION = re.compile(r"(?:const )?[\w:]+(?:<.*?>)?(?: const)?[ ]?[&*]* ?\b\w+ =\s+", re.S)
DECLARES = re.compile(r"(?:const |auto\b|(?:[\w:]+(?:<[^;]*>)?[&*]* )\w+(?:;|,|\(|\{| =))")


@dataclass(frozen=True)
class Mutant:
    path: str
    line: int  # from 1: where its statement begins
    before: str
    after: str

    def __str__(self):
        return f"{self.path}:{self.line}\n  - {self.before}\n  + {self.after}"


def blank(code):
    """The code with strings, characters and comments overwritten, of the same length."""
    def spaces(match):
        text = match.group()
        if text.startswith("//"):
            return " " * len(text)
        return '"' + "_" * (len(text) - 2) + '"'
    return re.sub(r'R"\(.*?\)"|"(?:\\.|[^"\\])*"|(?<!\w)\'(?:\\.|[^\'\\])+\'|//[^\n]*', spaces, code,
                  flags=re.S)


def closing(code, opening):
    depth = 0
    for at in range(opening, len(code)):
        depth += {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}.get(code[at], 0)
        if depth == 0:
            return at
    return -1


def changes(text):
    """The expression or statement with one thing changed, in every way."""
    code = blank(text)
    for old, new in SWAPS:
        for match in re.finditer(re.escape(old), code):
            yield text[:match.start()] + new + text[match.end():]
    for old, new in WORDS:
        for match in re.finditer(rf"\b{old}\b", code):
            yield text[:match.start()] + new + text[match.end():]
    for match in re.finditer(r"(?<![\w.])\d+(?![\w.'>])", code):
        value = int(match.group())
        for other in ([1] if value == 0 else [value + 1, value - 1]):
            yield text[:match.start()] + str(other) + text[match.end():]


class Mutator:
    """Collects the mutants of one file; text() has those in it whose statement is not in `plain`."""

    def __init__(self, path, source):
        self.path, self.mutants = path, []
        self.pieces = []  # (line, original text, text with choices)
        for line, text in statements(source):
            self.line = line
            self.pieces.append((line, text, self.with_choices(text)))

    def add(self, before, after):
        clean = [re.sub(r"\s+", " ", t).strip() for t in (before, after)]
        self.mutants.append(Mutant(self.path, self.line, *clean))
        return len(self.mutants)

    def choose(self, expression, whole=None, negate=False):
        """A conditional expression over the changes of `expression`."""
        found = list(changes(expression)) + ([f"!({expression})"] if negate else [])
        chain = "".join(f"emptor_mutant == {self.add(whole or expression, after)} ? ({after}) : "
                        for after in found)
        return f"({chain}({expression}))" if found else expression

    def statement(self, text):
        found = list(changes(text))
        code = text.strip()
        if not code.startswith("return"):
            found.append(";" if not re.match(r"(break|continue);", code) else "{}")
        chain = "".join(f"if (emptor_mutant == {self.add(text, after)}) {{ {after} }} else "
                        for after in found)
        return f"{{ {chain}{{ {text} }} }}"

    def with_choices(self, text):
        indent = re.match(r"\s*", text).group()
        body = text[len(indent):]
        head = re.match(r"(?:\} )?(?:else )?(?:if|while) \(", body)
        if not indent or (SKIPPED.match(body) and not head):
            return text
        code = blank(body)
        if head:
            end = closing(code, head.end() - 1)
            condition, rest = body[head.end():end], body[end + 1:]
            if end < 0 or DECLARES.match(condition) or ";" in blank(condition):
                return text
            chosen = self.choose(condition, negate=True)
            simple = code.endswith(";") and "{" not in blank(rest) and not DECLARES.match(rest.strip())
            inner = self.statement(rest.strip()) if simple and rest.strip() != ";" else rest
            return f"{indent}{head.group()}{chosen}) {inner.strip()}"
        if body.startswith("for ("):
            end = closing(code, 4)
            parts = re.split(";", code[5:end])
            if len(parts) != 3 or not code.endswith("{"):
                return text
            first = 5 + len(parts[0]) + 1
            condition = body[first:first + len(parts[1])]
            return indent + body[:first] + self.choose(condition) + body[first + len(parts[1]):]
        if not code.endswith(";") or code.count("{") != code.count("}"):
            return text
        declaration = DECLARATION.match(code)
        if declaration and not code.startswith(("return ", "delete ")):
            value = body[declaration.end():-1]
            if value.startswith(("{", "[")) or "\n#" in value:
                return text
            return indent + body[:declaration.end()] + self.choose(value, value) + ";"
        if DECLARES.match(code) and not code.startswith(("return ", "delete ", "throw ")):
            return text
        return indent + self.statement(body)

    def text(self, plain):
        """The source, and the line of each statement's choices in it."""
        out, number, lines = PRELUDE, PRELUDE.count("\n") + 1, {}
        for line, original, chosen in self.pieces:
            piece = original if line in plain else chosen
            for offset in range(piece.count("\n") + 1):
                lines[number + offset] = line
            out += piece + "\n"
            number += piece.count("\n") + 1
        return out, lines


def statements(source):
    """(line, text) of each statement, head of a block, or other line; joined they are the source."""
    lines, held, first = source.split("\n"), [], 0
    in_raw = False
    for number, line in enumerate(lines, 1):
        if not held:
            first = number
        held.append(line)
        text = "\n".join(held)
        code = re.sub(r"//[^\n]*", "", blank(text)).rstrip()
        in_raw = 'R"(' in code
        is_label = re.search(r"(?:case .*|default|public|private|protected):$", code)
        if in_raw or (code.strip() and not code.lstrip().startswith("#") and not is_label
                      and not code.endswith((";", "{", "}", ",")) and line.strip()):
            continue
        if code.endswith(",") or (code.endswith(";") and code.count("(") != code.count(")")):
            if code.count("{") <= code.count("}"):
                continue
        yield first, text
        held = []
    if held:
        yield first, "\n".join(held)
