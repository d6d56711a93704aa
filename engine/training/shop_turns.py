"""Questions about several products, the shop's documents, or no product at all, with their answers."""

import random

import answers
import concepts
import phrases
import shops
from catalog import CatalogMaker, best_rated_product, cheapest_product
from product_turns import ProductTurns, Turn
from scene import Scene, attributes_of, pick_reference


_ASKED_OF_ALL = ["PRICE", "STOCK", "RATING", "BRAND", "OVERVIEW", "LINK", "SALE", "ATTRIBUTE", "BOOLEAN"]


class ShopTurns:
    """Makes the questions that are not about one product."""

    def __init__(self, rng: random.Random, catalog: CatalogMaker, product_turns: ProductTurns):
        self.rng = rng
        self.catalog = catalog
        self.pattern = product_turns.pattern
        self.held_out = product_turns.held_out

    def _typed(self, block: str, scene: Scene, index: int = 0) -> str:
        """A pattern with the product type filled in; the type is often shortened to its last word."""
        kind = scene.products[index].type
        if " " in kind and self.rng.random() < 0.3:
            kind = kind.split()[-1]
        text = self.pattern(block).replace("a {t}", f"{_article(kind)} {{t}}")
        return text.replace("{t}s", _plural(kind)).replace("{t}", kind)

    def cheapest(self, scene: Scene) -> Turn | None:
        n = cheapest_product(scene.products)
        if n is None or not scene.same_type:
            return None
        answer = answers.cheapest(n) if len(scene.products) > 1 else answers.price(1, scene.products[0])
        return Turn("cheapest", self._typed("CHEAPEST", scene), answer)

    def best_rated(self, scene: Scene) -> Turn | None:
        n = best_rated_product(scene.products)
        if n is None or not scene.same_type:
            return None
        several = len(scene.products) > 1
        answer = (answers.best_rated if several else answers.rating)(n, scene.products[n - 1])
        return Turn("best_rated", self._typed("BEST_RATED", scene), answer)

    def recommend(self, scene: Scene) -> Turn | None:
        """A wish for a type only: the first three of that type, in rank order."""
        if not scene.products:
            return None
        index = self.rng.randrange(len(scene.products))
        kind = scene.products[index].type
        numbers = [n for n, p in enumerate(scene.products, 1) if p.type == kind or kind.split()[-1] in p.words()]
        reasons = [(n, answers.reason_price(n, scene.products[n - 1])) for n in numbers[:3]]
        return Turn("recommend", self._typed("RECOMMEND", scene, index), answers.recommend(reasons))

    def recommend_wish(self, scene: Scene) -> Turn | None:
        """A wish such as "lightweight": products that list the attribute which the wish is about."""
        if not scene.products or not scene.same_type:
            return None
        known = [a.concept for p in scene.products for a in p.attributes if a.concept and a.concept.wishes]
        if not known:
            return None
        concept = self.rng.choice(known)
        matches = [
            (n, answers.reason_attribute(n, a))
            for n, p in enumerate(scene.products, 1)
            for a in p.attributes
            if a.concept is concept and a.polarity is not False
        ]
        question = self._typed("RECOMMEND_WISH", scene).replace("{w}", self.rng.choice(concept.wishes))
        answer = answers.recommend(matches[:3]) if matches else answers.no_match(1, scene.products[0])
        return Turn("recommend", question, answer)

    def recommend_value(self, scene: Scene) -> Turn | None:
        """A wish for an attribute value: the products that have it."""
        items = [a for p in scene.products for a in p.attributes if a.polarity is None]
        if not items or not scene.same_type:
            return None
        item = self.rng.choice(items)
        value = self.rng.choice(item.value.split(", "))
        if self.rng.random() < 0.15 and item.concept:
            value = self.catalog.value(item.concept.values).split(",")[0]
        elif len(value) < 2:
            return None
        matches = [
            (n, answers.reason_attribute(n, a))
            for n, p in enumerate(scene.products, 1)
            for a in p.attributes[:]
            if value.lower() in a.value.lower().split(", ") or (a.value == value)
        ]
        matches = list({n: (n, why) for n, why in reversed(matches)}.values())[::-1]
        question = self._typed("RECOMMEND_VALUE", scene).replace("{k}", item.key).replace("{v}", value)
        answer = answers.recommend(matches[:3]) if matches else answers.no_match(1, scene.products[0])
        return Turn("recommend", question, answer)

    def budget(self, scene: Scene) -> Turn | None:
        if not scene.budget or not scene.products:
            return None if scene.products or not scene.budget else self._empty_budget(scene)
        fits = [n for n, p in enumerate(scene.products, 1) if p.price is not None and p.price <= scene.budget]
        lowest = cheapest_product(scene.products)
        if lowest is None or (scene.sign == "$" and not scene.same_type and len(fits) < len(scene.products)):
            return None
        question = self._typed("BUDGET", scene).replace("{b}", self._spoken_budget(scene))
        reasons = [(n, f" at [{n}:price]") for n in fits[:3]]
        answer = "Within [q:budget], " + answers.recommend(reasons) if fits else answers.over_budget(lowest)
        return Turn("budget", question, answer)

    def _empty_budget(self, scene: Scene) -> Turn:
        kind = self.rng.choice(self.rng.choice(self.catalog.groups)[0])
        question = self.pattern("BUDGET").replace("{t}", kind).replace("{b}", self._spoken_budget(scene))
        return Turn("not_found", question, answers.NOT_FOUND)

    def _spoken_budget(self, scene: Scene) -> str:
        amount = f"{scene.budget:.0f}"
        word = {"$": "dollars", "eur": "euros", "€": "euro", "£": "pounds"}[scene.sign]
        return self.rng.choice([scene.budget_text, scene.budget_text, amount, f"{amount} {word}", f"{amount} bucks"])

    def _pair(self, scene: Scene) -> tuple[int, int, str, str] | None:
        if len(scene.products) < 2:
            return None
        i, j = self.rng.sample(range(len(scene.products)), 2)
        return i, j, pick_reference(self.rng, scene, i), pick_reference(self.rng, scene, j)

    def compare(self, scene: Scene) -> Turn | None:
        pair = self._pair(scene)
        if not pair:
            return None
        i, j, first, second = pair
        question = self.pattern("COMPARE").replace("{a}", first).replace("{b}", second)
        lines = [answers.compare(k + 1, scene.products[k]) for k in (i, j)]
        return Turn("compare", question, " ".join(lines))

    def compare_price(self, scene: Scene) -> Turn | None:
        pair = self._pair(scene)
        if not pair:
            return None
        i, j, first, second = pair
        lowest = cheapest_product(scene.products)
        if lowest == j + 1:
            i, j = j, i
        opening = answers.price(i + 1, scene.products[i])
        if lowest == i + 1 and scene.products[j].price is not None:
            opening = answers.cheaper(i + 1)
        question = self.pattern("COMPARE_PRICE").replace("{a}", first).replace("{b}", second)
        return Turn("compare", question, f"{opening} {answers.price(j + 1, scene.products[j])}")

    def compare_attribute(self, scene: Scene) -> Turn | None:
        pair = self._pair(scene)
        if not pair:
            return None
        i, j, first, second = pair
        own = {a.key: a for a in scene.products[i].attributes}
        other = {a.key: a for a in scene.products[j].attributes}
        shared = [k for k in own if k in other]
        keys = shared if shared and self.rng.random() < 0.85 else list(own)
        if not keys:
            return None
        key = self.rng.choice(keys)
        question = self.pattern("COMPARE_ATTRIBUTE").replace("{k}", key)
        question = question.replace("{a}", first).replace("{b}", second)
        second_line = answers.has_attribute(j + 1, other[key]) if key in other else answers.unknown(j + 1, key)
        return Turn("compare", question, f"{answers.has_attribute(i + 1, own[key])} {second_line}")

    def compare_all(self, scene: Scene) -> Turn | None:
        """A superlative that no line answers: states the attribute of up to three products."""
        keys = [a.key for p in scene.products for a in p.attributes]
        if len(scene.products) < 2 or not keys:
            return None
        shared = [k for k in keys if keys.count(k) > 1]
        key = self.rng.choice(shared if shared and self.rng.random() < 0.85 else keys)
        question = self._typed("COMPARE_ALL_ATTRIBUTE", scene).replace("{k}", key)
        lines = [answers.has_attribute(i + 1, a) for i, a in attributes_of(scene, key)[:3]]
        return Turn("compare", question, " ".join(lines))

    def all_prices(self, scene: Scene) -> Turn | None:
        if len(scene.products) < 2:
            return None
        lines = [answers.price(n, p) for n, p in enumerate(scene.products[:3], 1)]
        return Turn("compare", self._typed("EXPENSIVE", scene), " ".join(lines))

    def document(self, scene: Scene) -> Turn | None:
        if not scene.documents:
            return None
        index = self.rng.randrange(len(scene.documents))
        n = scene.document_number(index)
        return Turn("document", self.rng.choice(scene.documents[index].wordings), answers.document(n), n)

    def missing_document(self, scene: Scene) -> Turn | None:
        topic = self.catalog.sample_topics(1)[0]
        if any(d.wordings is topic[0] for d in scene.documents):
            return None
        return Turn("not_found", self.rng.choice(topic[0]), answers.NOT_FOUND)

    def missing_product(self, scene: Scene) -> Turn | None:
        """Asks for something that no source is about."""
        group = self.rng.choice(self.catalog.groups)
        kind = self.rng.choice(group[0])
        made = self.catalog.product(group, kind, 2)
        name = self.rng.choice([made.title, made.brand or kind, kind, kind, *made.short_names[:1]])
        shown = set().union(*(p.words() for p in scene.products)) if scene.products else set()
        if shown & set(name.lower().split()):
            return None
        return Turn("not_found", self._ask_missing(name, scene), answers.NOT_FOUND)

    def _ask_missing(self, name: str, scene: Scene) -> str:
        """The same words as for a product that is there: only the name tells that this one is not."""
        if self.rng.random() < 0.45:
            return self.pattern("MISSING").replace("{x}", name)
        pattern = self.pattern(self.rng.choice(_ASKED_OF_ALL))
        key = concepts.ALL[self.rng.choice(self.catalog.known_concepts)].name
        called = name if self.rng.random() < 0.4 else f"the {name}"
        return pattern.replace("{k}", key).replace("{r}", called)

    def small_talk(self, _: Scene) -> Turn:
        blocks = [
            ("GREETING", answers.GREETING),
            ("THANKS", answers.THANKS),
            ("GOODBYE", answers.GOODBYE),
            ("ABOUT_BOT", answers.ABOUT_BOT),
        ]
        block, answer = self.rng.choices(blocks, [40, 25, 15, 20])[0]
        return Turn(block.lower(), self.pattern(block), answer)

    def off_topic(self, _: Scene) -> Turn:
        names = self.catalog.names
        text = self.pattern("OFF_TOPIC").replace("{x}", names.nonsense().capitalize())
        text = text.replace("{y}", self.rng.choice([names.nonsense(), self.rng.choice(shops.KEY_NOUNS)]))
        return Turn("off_topic", text.replace("{d}", str(self.rng.randint(2, 99))), answers.OFF_TOPIC)


def _plural(kind: str) -> str:
    if kind.endswith(("s", "sh", "ch", "x")):
        return kind if kind.endswith("s") else kind + "es"
    return kind[:-1] + "ies" if kind.endswith("y") and kind[-2] not in "aeo" else kind + "s"


def _article(kind: str) -> str:
    return "an" if kind[0].lower() in "aeiou" else "a"
