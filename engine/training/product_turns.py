"""Questions about one product of a scene, each with the answer that the model should give."""

import random
from dataclasses import dataclass

import answers
import phrases
from catalog import Attribute, CatalogMaker
from concepts import ALL, Concept
from grammar import Grammar
from scene import Scene, pick_reference

_RELATED = [
    {"dimensions", "size", "width", "height", "depth", "length", "diameter", "thickness", "seat height", "screen size"},
    {"battery life", "battery type", "battery capacity", "batteries included", "charging time", "voltage", "wireless"},
    {"waterproof", "water resistance rating"},
    {"connectivity", "bluetooth", "wireless", "compatibility", "cable length"},
    {"material", "upholstery", "bowl material", "blade material", "band material", "metal", "fill material", "lining",
     "sole material", "lens material", "finish", "frame material", "body wood", "ingredients", "insulation"},
    {"care instructions", "machine washable", "dishwasher safe"},
    {"weight", "weight capacity", "capacity", "line weight", "seating capacity", "sleeping capacity", "dust capacity"},
    {"speed", "number of settings", "gears", "resistance levels", "programs", "top speed", "print speed"},
    {"includes", "batteries included", "number of pieces", "pack size"},
    {"age range", "players", "life stage", "pet size"}, {"color", "ink color", "finish", "style"},
    {"power", "suction power", "torque", "voltage", "pressure", "cooling capacity"},
    {"brightness", "number of lights", "color temperature", "bulb type", "backlight"},
    {"temperature range", "temperature rating", "season rating", "lining", "insulation"},
    {"water resistance rating", "waterproof", "uv protection", "spf"}, {"movement", "battery type"},
    {"caffeine", "ingredients", "allergens", "vegan", "gluten free"}, {"shelf life", "battery life", "warranty"},
    {"sustainability", "organic", "vegan", "cruelty free", "energy rating"},
    {"display", "screen size", "resolution", "video quality", "camera", "panel type"},
    {"resolution", "dpi", "camera", "video quality", "zoom"}, {"storage", "memory", "capacity"},
]  # fmt: skip
_GRAMMAR_SHARE = 0.45
_POLAR = ("is ", "does ", "do ", "can ", "are ", "will ", "did ", "has ", "should ")


@dataclass
class Turn:
    """One question with its gold answer; `source` is the number of the source it is about, if one."""

    kind: str
    question: str
    answer: str
    source: int | None = None


class ProductTurns:
    """Makes one-product questions; patterns come from the training or the evaluation part."""

    def __init__(self, rng: random.Random, catalog: CatalogMaker, held_out: bool):
        self.rng = rng
        self.catalog = catalog
        self.held_out = held_out
        self._patterns: dict[str, list[str]] = {}
        self._grammar = Grammar(rng)

    def pattern(self, block: str) -> str:
        if not self.held_out and self._grammar.covers(block) and self.rng.random() < _GRAMMAR_SHARE:
            return self._grammar.wording(block)
        if block not in self._patterns:
            self._patterns[block] = phrases.patterns(getattr(phrases, block), self.held_out)
        return self.rng.choice(self._patterns[block])

    def concept_ask(self, concept: Concept) -> str:
        """A natural question for a concept, from the right part."""
        allowed = [a for a in concept.asks if phrases.is_held_out(a) == self.held_out]
        return self.rng.choice(allowed or concept.asks)

    def attribute(self, scene: Scene, index: int) -> Turn | None:
        """Wants the value of an attribute that is there."""
        product = scene.products[index]
        if not product.attributes:
            return None
        item = self.rng.choice(product.attributes)
        reference = pick_reference(self.rng, scene, index)
        if item.concept and self.rng.random() < 0.6 and not self._ambiguous(product.attributes, item.concept):
            question = self.concept_ask(item.concept)
        elif item.polarity is not None and self.rng.random() < 0.8:
            question = self.pattern("BOOLEAN").replace("{k}", item.key)
        else:
            known = item.concept.name if item.concept and self.rng.random() < 0.4 else item.key
            question = self.pattern("ATTRIBUTE").replace("{k}", known)
        takes_yes_no = bool(item.concept) and "yes/no" in item.concept.values and question.startswith(_POLAR)
        answer = answers.attribute(index + 1, item, takes_yes_no)
        kind = "yes_no" if item.polarity is not None or takes_yes_no else "attribute"
        return Turn(kind, question.replace("{r}", reference), answer, index + 1)

    @staticmethod
    def _ambiguous(items: list[Attribute], concept: Concept) -> bool:
        names = [a.concept.name for a in items if a.concept and a.concept.name != concept.name]
        related = [group for group in _RELATED if concept.name in group]
        asks = {ask for name in names for ask in ALL[name].asks}
        if asks & set(concept.asks):
            return True
        return concept.name in ("dimensions", "size") and any(n in g for g in related for n in names)

    def value(self, scene: Scene, index: int) -> Turn | None:
        """Asks whether an attribute has a value: half of the time it has."""
        items = [a for a in scene.products[index].attributes if a.polarity is None]
        if not items:
            return None
        item = self.rng.choice(items)
        mentioned, holds = self._mention(item)
        if mentioned is None:
            return None
        if item.concept and item.concept.value_asks and self.rng.random() < 0.75:
            pattern = self.rng.choice(item.concept.value_asks)
        else:
            pattern = self.pattern("VALUE").replace("{k}", item.key)
        question = pattern.replace("{v}", mentioned).replace("{r}", pick_reference(self.rng, scene, index))
        return Turn("yes_no", question, answers.yes_no(index + 1, item, holds), index + 1)

    def _mention(self, item: Attribute) -> tuple[str | None, bool]:
        """A value to ask about, and whether the listing bears it out."""
        parts = [p.strip() for p in item.value.split(",")]
        if self.rng.random() < 0.5:
            return self.rng.choice(parts), True
        if not item.concept:
            return self.catalog.names.free_value(), False
        for _ in range(6):
            other = self.catalog.value(item.concept.values).split(",")[0]
            overlap = other.lower() in item.value.lower() or any(p.lower() in other.lower() for p in parts)
            if not overlap and other.lower() not in ("yes", "no", "none"):
                return other, False
        return None, False

    def unknown(self, scene: Scene, index: int) -> Turn | None:
        """Wants an attribute that this product lacks; often another source has it."""
        product, rng = scene.products[index], self.rng
        own_keys = {a.key for a in product.attributes}
        own_concepts = {a.concept.name for a in product.attributes if a.concept}
        others = [a for p in scene.products for a in p.attributes if a.key not in own_keys]
        concept, key = None, None
        if others and rng.random() < 0.6:
            item = rng.choice(others)
            concept, key = item.concept, item.key
        elif rng.random() < 0.7:
            group = rng.choice(self.catalog.groups)
            concept = ALL[rng.choice(group[1])]
            key = concept.name
        else:
            key = self.catalog.names.key()
        if key in own_keys or (concept and concept.name in own_concepts):
            return None
        return self._ask_unknown(scene, index, concept, key, own_concepts)

    def _ask_unknown(self, scene, index, concept, key, own_concepts) -> Turn | None:
        rng = self.rng
        related = {n for group in _RELATED if concept and concept.name in group for n in group}
        if concept and (concept.name == "warranty" and scene.documents):
            return None
        is_feature = bool(concept and concept.is_boolean)
        if concept and rng.random() < 0.5 and not related & own_concepts:
            with_value = concept.value_asks and rng.random() < 0.3
            question = rng.choice(concept.value_asks) if with_value else self.concept_ask(concept)
            question = question.replace("{v}", self.catalog.value(concept.values).split(",")[0])
            key = concept.name
        elif is_feature or (concept is None and rng.random() < 0.3):
            question, is_feature = self.pattern("BOOLEAN").replace("{k}", key), True
        else:
            question = self.pattern("ATTRIBUTE").replace("{k}", key)
        question = question.replace("{r}", pick_reference(rng, scene, index))
        return Turn("unknown", question, answers.unknown(index + 1, key, is_feature), index + 1)

    def price(self, scene: Scene, index: int) -> Turn:
        return self._fact(scene, index, "PRICE", "price", answers.price)

    def sale(self, scene: Scene, index: int) -> Turn:
        return self._fact(scene, index, "SALE", "sale", answers.sale)

    def rating(self, scene: Scene, index: int) -> Turn:
        return self._fact(scene, index, "RATING", "rating", answers.rating)

    def stock(self, scene: Scene, index: int) -> Turn:
        return self._fact(scene, index, "STOCK", "stock", answers.stock)

    def brand(self, scene: Scene, index: int) -> Turn:
        return self._fact(scene, index, "BRAND", "brand", answers.brand)

    def link(self, scene: Scene, index: int) -> Turn:
        return self._fact(scene, index, "LINK", "link", lambda n, _: answers.link(n))

    def overview(self, scene: Scene, index: int) -> Turn:
        return self._fact(scene, index, "OVERVIEW", "overview", answers.overview)

    def _fact(self, scene: Scene, index: int, block: str, kind: str, answer) -> Turn:
        reference = pick_reference(self.rng, scene, index)
        text = answer(index + 1, scene.products[index])
        kind = "unknown" if "does not say" in text else kind
        return Turn(kind, self.pattern(block).replace("{r}", reference), text, index + 1)
