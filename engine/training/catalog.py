"""Made-up products and documents, and the passage lines (docs/formats/prompt.md) that show them."""

import random
from dataclasses import dataclass, field

import concepts
import faqs
import shops
from names import NameMaker

_YES = ["yes"] * 8 + ["Yes", "true", "yes, included", "included"]
_NO = ["no"] * 8 + ["No", "false", "none", "not included", "not supported"]
_MIXED_KEYS = 0.2  # share of known keys in training of which a word is another one: to be copied, not remembered
_MADE_UP_TOPICS = 0.4
_STOCK = ["in stock"] * 12 + ["out of stock"] * 5 + ["preorder", "backorder"]


@dataclass
class Attribute:
    """One attribute of a product. The concept is None for a key that no lexicon knows."""

    key: str
    value: str
    concept: concepts.Concept | None

    @property
    def polarity(self) -> bool | None:
        """True or False for a yes or no value, else None."""
        word = self.value.lower().split(",")[0]
        if word in ("yes", "true", "included"):
            return True
        return False if word in ("no", "false", "none", "not included", "not supported") else None


@dataclass
class Product:
    """A product as the prompt shows it; absent facts are None."""

    title: str
    type: str
    brand: str | None
    price: float | None = None
    was_price: float | None = None
    rating: str | None = None
    reviews: int | None = None
    availability: str | None = None
    attributes: list[Attribute] = field(default_factory=list)
    about: str | None = None
    short_names: list[str] = field(default_factory=list)

    def words(self) -> set[str]:
        text = f"{self.title} {self.brand or ''} {self.type}".lower()
        return set(text.replace(",", " ").replace("(", " ").replace(")", " ").split())


@dataclass
class Document:
    """One FAQ entry or document passage."""

    wordings: list[str]
    question: str
    answer: str


def money(amount: float, sign: str) -> str:
    text = f"{amount:,.2f}"
    if sign == "eur":
        return text.replace(",", " ").replace(".", ",").replace(" ", ".") + " €"
    return sign + (text.removesuffix(".00") if amount == int(amount) and sign == "£" else text)


class CatalogMaker:
    """Makes products and documents from one random generator."""

    def __init__(self, rng: random.Random, held_out: bool):
        self.rng = rng
        self.names = NameMaker(rng, held_out)
        self.groups = shops.HELD_OUT if held_out else shops.TRAINING
        self.topics = faqs.HELD_OUT if held_out else faqs.TRAINING
        self.known_concepts = sorted({name for group in self.groups for name in group[1]})

    def value(self, spec: str) -> str:
        """A value after a specification of concepts.py."""
        rng = self.rng
        if spec == "bool":
            return rng.choice(_YES if rng.random() < 0.5 else _NO)
        kind, rest = spec.split(" ", 1)
        if kind == "w":
            return rng.choice(rest.split("/")) if rng.random() < 0.9 else self.names.free_value()
        if kind == "m":
            options = rest.split("/")
            return ", ".join(rng.sample(options, min(len(options), rng.choice([1, 1, 1, 2, 3]))))
        low, high, units = rest.split(" ", 2)
        number = rng.uniform(float(low), float(high))
        digits = f"{number:.1f}" if kind == "n" and rng.random() < 0.7 else str(round(number))
        return f"{digits} {rng.choice(units.split('/'))}".strip()

    def attributes(self, concept_names: list[str], most: int) -> list[Attribute]:
        """Some attributes: known concepts under one of their names, and keys that nobody knows."""
        rng = self.rng
        count = rng.randint(min(2, most), most)
        chosen = rng.sample(concept_names, min(count, len(concept_names)))
        made: dict[str, Attribute] = {}
        for name in chosen:
            concept = concepts.ALL[name]
            key = rng.choice(concept.displays).lower()
            value = self.value(concept.values)[:48]
            if not self.names.held_out and rng.random() < _MIXED_KEYS:
                key = self._mixed_key(key)
                made.setdefault(key, Attribute(key, value, None))
            else:
                made.setdefault(key, Attribute(key, value, concept))
        for _ in range(rng.choice([0, 0, 1, 1, 2])):
            key = self.names.key()
            value = rng.choice(_YES + _NO) if rng.random() < 0.25 else self.names.free_value()
            made.setdefault(key, Attribute(key, value, None))
        result = list(made.values())
        rng.shuffle(result)
        return result[:10]

    def _mixed_key(self, key: str) -> str:
        """A key like a known one, with a word in it that belongs elsewhere: "number of hinges"."""
        rng, words = self.rng, key.split()
        other = rng.choice(concepts.ALL[rng.choice(list(self.known_concepts))].displays).lower().split()
        word = rng.choice([rng.choice(other), rng.choice(shops.KEY_NOUNS), rng.choice(shops.KEY_NOUNS)])
        words[rng.randrange(len(words))] = word
        return " ".join(words)

    def product(self, group: tuple[list[str], list[str]], kind: str, most_attributes: int) -> Product:
        rng = self.rng
        brand = self.names.brand()
        title, short_names = self._title(brand, kind)
        price = self._price() if rng.random() < 0.94 else None
        sale = price is not None and rng.random() < 0.2
        rated = rng.random() < 0.8
        return Product(
            title=title,
            type=kind,
            brand=brand if rng.random() < 0.92 else None,
            price=price,
            was_price=round(price * rng.uniform(1.05, 1.9), 2) if sale else None,
            rating=f"{rng.uniform(2.6, 5):.1f}" if rated else None,
            reviews=rng.randint(1, 9) ** rng.randint(1, 4) if rated and rng.random() < 0.9 else None,
            availability=rng.choice(_STOCK) if rng.random() < 0.88 else None,
            attributes=self.attributes(group[1], most_attributes),
            about=self._about() if rng.random() < 0.35 else None,
            short_names=short_names,
        )

    def _title(self, brand: str, kind: str) -> tuple[str, list[str]]:
        """A title, and the parts of it by which people call the product."""
        rng, names = self.rng, self.names
        shown = " ".join(w if w[0].isupper() else w.capitalize() for w in kind.split())
        line = names.nonsense().capitalize() if rng.random() < 0.25 else rng.choice(shops.TITLE_WORDS)
        code = names.code()
        forms = (
            ([brand, code, shown], [code, f"{brand} {code}"]),
            ([brand, line, shown], [line, f"{brand} {line}", f"{line} {kind}"]),
            ([brand, shown, code], [code, f"{brand} {code}"]),
            ([brand, line, shown, code], [line, code, f"{brand} {line}", f"{line} {kind}", f"{line} {code}"]),
            ([brand, line, rng.choice(shops.TITLE_WORDS), shown], [line, f"{brand} {line}", f"{line} {kind}"]),
            ([brand, line, rng.choice(shops.TITLE_EXTRAS), shown], [line, f"{brand} {line}"]),
            ([brand, line, code], [line, code, f"{brand} {line}"]),
            ([brand, shown], []),
            ([line, shown], [line, f"{line} {kind}"]),
        )
        parts, calls = rng.choice(forms[:8]) if rng.random() < 0.93 else forms[8]
        parts = list(parts)
        if rng.random() < 0.25:
            joiner = rng.choice([", ", " - ", " "])
            parts[-1] += joiner + rng.choice([rng.choice(shops.TITLE_EXTRAS), f"{rng.randint(2, 60)} in", self.names.code()])
        calls = calls + [brand, f"{brand} {kind}", f"{brand} {kind.split()[-1]}", kind, kind.split()[-1]]
        return " ".join(parts)[:80].strip(), calls

    def _price(self) -> float:
        rng, kind = self.rng, self.rng.random()
        whole = rng.randint(3, 99) if kind < 0.5 else rng.randint(100, 999) if kind < 0.88 else rng.randint(1000, 4999)
        return round(whole + rng.choice([0, 0.99, 0.99, 0.95, 0.5, 0.49, rng.randint(0, 99) / 100]), 2)

    def _about(self) -> str:
        rng = self.rng
        text = rng.choice(shops.ABOUT).strip()
        if rng.random() < 0.4:
            text += " " + rng.choice(shops.ABOUT).strip()
        if rng.random() < 0.2:
            text = f"The {self.names.nonsense().capitalize()} {rng.choice(shops.KEY_NOUNS)} {text[0].lower()}{text[1:]}"
        return text[:160]

    def sample_topics(self, count: int) -> list[tuple[list[str], list[str]]]:
        """Different topics; in training many of them made up, so that the words must be compared."""
        topics = self.rng.sample(self.topics, count)
        made_up = [not self.names.held_out and self.rng.random() < _MADE_UP_TOPICS for _ in topics]
        return [self._made_up_topic() if new else topic for new, topic in zip(made_up, topics)]

    def _made_up_topic(self) -> tuple[list[str], list[str]]:
        rng, names = self.rng, self.names
        kind = rng.choice(faqs.SUBJECT_KINDS)
        first = rng.choice([names.nonsense(), rng.choice(shops.KEY_NOUNS), rng.choice(shops.KEY_ADJECTIVES)])
        subject = f"{first} {kind}" if rng.random() < 0.8 else names.nonsense()
        wordings = [w.replace("{x}", subject) for w in rng.sample(faqs.SUBJECT_WORDINGS, 7)]
        return wordings, [a.replace("{x}", subject) for a in faqs.SUBJECT_ANSWERS]

    def document(self, topic: tuple[list[str], list[str]]) -> Document:
        wordings, answers = topic
        text = "".join(str(self.rng.randint(1, 90)) if c == "#" else c for c in self.rng.choice(answers))
        question = self.rng.choice(wordings)
        if self.rng.random() < 0.8:
            question = question[0].upper() + question[1:] + "?"
        return Document(wordings, question, text)


def passage_lines(products: list[Product], documents: list[Document], budget: str | None, sign: str) -> str:
    """The system turn of the prompt, line for line as docs/formats/prompt.md says."""
    lines = []
    for n, product in enumerate(products, start=1):
        lines += _product_lines(n, product, sign)
    for n, document in enumerate(documents, start=len(products) + 1):
        lines += [f"[{n}:question] {document.question}", f"[{n}:answer] {document.answer}"]
    if budget:
        lines.append(f"[q:budget] {budget}")
    if len(products) > 1:
        cheapest, best = cheapest_product(products), best_rated_product(products)
        lines += [f"[best:price] [{cheapest}]"] if cheapest else []
        lines += [f"[best:rating] [{best}]"] if best else []
    return "".join(line + "\n" for line in lines)


def _product_lines(n: int, product: Product, sign: str) -> list[str]:
    facts = [("title", product.title), ("brand", product.brand)]
    facts.append(("price", money(product.price, sign) if product.price is not None else None))
    facts.append(("was_price", money(product.was_price, sign) if product.was_price is not None else None))
    facts += [("rating", product.rating), ("reviews", product.reviews), ("availability", product.availability)]
    facts += [(f"attr.{a.key}", a.value) for a in product.attributes]
    facts.append(("about", product.about))
    return [f"[{n}:{name}] {value}" for name, value in facts if value is not None]


def cheapest_product(products: list[Product]) -> int | None:
    """Number of the cheapest product, the first of equals."""
    priced = [(p.price, n) for n, p in enumerate(products, start=1) if p.price is not None]
    return min(priced)[1] if priced else None


def best_rated_product(products: list[Product]) -> int | None:
    """Number of the best rated product, the first of equals."""
    rated = [(-float(p.rating), n) for n, p in enumerate(products, start=1) if p.rating is not None]
    return min(rated)[1] if rated else None
