"""The hand-written retail lexicon (lexicon/*.tsv) as plain values."""
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).resolve().parent / "lexicon"


@dataclass(frozen=True)
class ProductType:
    department: str
    names: tuple      # the first is the usual one
    needs: tuple      # what shoppers want it for
    sets: tuple       # names of attribute sets
    chinese: tuple


@dataclass(frozen=True)
class AttributeSet:
    attribute: str
    values: tuple     # tuples of equal spellings
    units: tuple      # equal unit spellings, empty when the value is complete


@dataclass(frozen=True)
class Lexicon:
    types: tuple
    attributes: dict  # set name -> AttributeSet
    synonyms: tuple   # tuples of interchangeable words
    chinese_words: dict
    intents: tuple    # tuples of paraphrases of one support question


def rows(name):
    for line in (FOLDER / name).read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            yield line.split("\t")


def split(text, separator=";"):
    return tuple(part.strip() for part in text.split(separator) if part.strip())


def load():
    types = tuple(ProductType(department, (name, *split(synonyms)), split(needs), tuple(sets.split()), split(zh))
                  for department, name, synonyms, needs, sets, zh in rows("product_types.tsv"))
    attributes = {name: AttributeSet(attribute, tuple(
                      split(v, "/") if not units and name != "inch" else (v,) for v in split(values)), split(units, "/"))
                  for name, attribute, values, units in rows("attributes.tsv")}
    return Lexicon(types, attributes, tuple(tuple(r) for r in rows("synonyms.tsv")),
                   dict(rows("chinese_words.tsv")),
                   tuple((name, *split(phrases)) for name, phrases in rows("faq_intents.tsv")))
