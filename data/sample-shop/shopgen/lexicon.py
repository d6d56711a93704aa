"""Reads the hand-authored product types (lexicon/*.txt; format in data/README.md)."""
import re
from dataclasses import dataclass, field
from pathlib import Path


@dataclass
class Line:
    """A sentence (or noun) that may be used when all its conditions hold."""
    text: str
    conditions: dict = field(default_factory=dict)  # attribute -> set of allowed raw values

    def holds(self, attributes):
        return all(attributes.get(k) in allowed for k, allowed in self.conditions.items())


@dataclass
class Attribute:
    """One attribute, or several linked ones; `ordered` values rise with the price."""
    keys: list
    values: list  # tuples, one entry per key
    ordered: bool


@dataclass
class ProductType:
    key: str
    fields: dict = field(default_factory=dict)
    nouns: list = field(default_factory=list)
    attributes: list = field(default_factory=list)
    openings: list = field(default_factory=list)
    sentences: list = field(default_factory=list)
    uses: list = field(default_factory=list)
    zh: dict = field(default_factory=lambda: {"noun": "", "o": [], "s": [], "u": []})

    def words(self, name):
        return [w.strip() for w in self.fields.get(name, "").split(",") if w.strip()]


def parse_conditions(text):
    """`a=1|2, b=yes` -> {"a": {"1", "2"}, "b": {"yes"}}; a comma not followed by key= is text."""
    conditions = {}
    for part in re.split(r",\s*(?=[^,=]+=)", text):
        key, _, values = part.partition("=")
        conditions[key.strip()] = {v.strip() for v in values.split("|")}
    return conditions


def parse_nouns(text):
    """`A | B if key=value|value | C`: a bare word after a condition is another value or a noun."""
    nouns = []
    for part in (p.strip() for p in text.split(" | ")):
        name, _, condition = part.partition(" if ")
        nouns.append(Line(name, parse_conditions(condition) if condition else {}))
    return nouns


def parse_attribute(text):
    keys, _, values = text.partition(":")
    ordered = " < " in values
    parts = re.split(r" [|<] ", values.strip())
    names = [k.strip() for k in keys.split(" + ")]
    tuples = [tuple(v.strip() for v in p.split(" & ")) for p in parts]
    for t in tuples:
        if len(t) != len(names):
            raise ValueError(f"attribute {keys!r}: value {t!r} does not fit {names!r}")
    return Attribute(names, tuples, ordered)


def parse_sentence(head, text):
    condition = head[1:].strip()
    return Line(text.strip(), parse_conditions(condition) if condition else {})


def parse_line(kind, line):
    """Adds one lexicon line to the product type `kind`."""
    if line.startswith("- "):
        kind.attributes.append(parse_attribute(line[2:]))
        return
    match = re.match(r"(zh )?([osu])( [^:]*)?: ", line)
    if match:
        sentence = parse_sentence(match[2] + (match[3] or ""), line[match.end():])
        target = {"o": kind.openings, "s": kind.sentences, "u": kind.uses}
        (kind.zh[match[2]] if match[1] else target[match[2]]).append(sentence)
        return
    name, _, value = line.partition(":")
    if name == "zh noun":
        kind.zh["noun"] = value.strip()
    elif name == "noun":
        kind.nouns = parse_nouns(value.strip())
    else:
        kind.fields[name.strip()] = value.strip()


def load_types(folder):
    """All product types of all lexicon files, in file order."""
    types = []
    for path in sorted(Path(folder).glob("[0-9]*.txt")):
        for number, raw in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            line = raw.strip()
            if not line or line.startswith("#"):
                continue
            if line.startswith("== "):
                types.append(ProductType(line[3:].strip()))
                continue
            try:
                parse_line(types[-1], line)
            except ValueError as error:
                raise SystemExit(f"{path.name}:{number}: {error}") from error
    return types


def load_pairs(path):
    """`english = translation` lines as a dictionary."""
    pairs = {}
    for line in Path(path).read_text(encoding="utf-8").splitlines():
        if line.strip() and not line.startswith("#"):
            key, _, value = line.partition(" = ")
            pairs[key.strip()] = value.strip()
    return pairs
