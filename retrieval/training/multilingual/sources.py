"""Everything that the embedder learns from: the project's own lexicons and shop, WordNet, BERT's list of words."""
import json
from functools import cached_property
from pathlib import Path

import concepts
import lexicon
import wordnet

ROOT = Path(__file__).resolve().parents[3]
LEXICON, SHOP = ROOT / "data" / "lexicon", ROOT / "data" / "sample-shop"


def lines(path):
    return path.read_text(encoding="utf-8").splitlines()


class Sources:
    def __init__(self, wordnet_folder, bert_vocabulary):
        self.bert_vocabulary = bert_vocabulary
        self.concepts = concepts.load(LEXICON)
        self.retail = lexicon.load()
        self.wordnet_folder = wordnet_folder

    @cached_property
    def wordnet(self):
        return wordnet.load(self.wordnet_folder)

    def spoken_texts(self):
        """(language, text): every text of the lexicons, for the words in it."""
        for found in self.concepts.values():
            for concept in found:
                for language in concepts.LANGUAGES:
                    yield from ((language, p) for p in concept.get(language, ()))
        for language in concepts.LANGUAGES:
            yield from ((language, line.partition(": ")[2]) for line in lines(ROOT / "data" / "phrases" / f"{language}.txt"))
        for path in sorted((SHOP / "lexicon").glob("0*.txt")):
            yield from (("en", line) for line in lines(path) if not line.startswith(("#", "zh")))
        yield from (("en", line.partition(":")[2]) for line in lines(LEXICON / "trade_names.txt") if not line.startswith("#"))
        for kind in self.retail.types:
            yield from (("en", text) for text in (*kind.names, *kind.needs, kind.department))
        for attribute in self.retail.attributes.values():
            yield from (("en", spelled) for value in attribute.values for spelled in value)

    def shop_texts(self):
        """Titles and sentences of the sample shop."""
        for line in lines(SHOP / "products.jsonl"):
            product = json.loads(line)
            yield product["title"]
            yield from product.get("description", "").split(". ")[:3]
        for line in lines(SHOP / "faq.jsonl"):
            yield json.loads(line)["title"]
