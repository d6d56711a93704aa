"""A scene is what one prompt shows; this file also finds words by which a shopper names one of its products."""

import random
from dataclasses import dataclass

from catalog import Attribute, CatalogMaker, Document, Product, money, passage_lines

_ORDINALS = {
    1: ["the first one", "the first", "number 1", "product 1", "option 1", "the first {t}", "the 1st one", "1"],
    2: ["the second one", "the second", "number 2", "product 2", "option 2", "the second {t}", "the 2nd one", "2"],
    3: ["the third one", "the third", "number 3", "product 3", "option 3", "the third {t}", "the 3rd one", "3"],
    4: ["the fourth one", "number 4", "product 4", "option 4", "the fourth {t}", "the 4th one"],
    5: ["the fifth one", "number 5", "product 5", "option 5"],
}
_PRONOUNS = ["it", "it", "it", "this", "this one", "that", "that one", "this {t}", "the {t}", "this product", "the item"]


@dataclass
class Scene:
    """Sources of one prompt, in order: products, then documents."""

    products: list[Product]
    documents: list[Document]
    budget: float | None
    sign: str
    same_type: bool

    @property
    def lines(self) -> str:
        return passage_lines(self.products, self.documents, self.budget_text, self.sign)

    @property
    def budget_text(self) -> str | None:
        return money(self.budget, self.sign).replace(".00", "") if self.budget else None

    def document_number(self, index: int) -> int:
        return len(self.products) + index + 1


def make_scene(rng: random.Random, catalog: CatalogMaker, most_products: int = 6) -> Scene:
    """A random scene: mostly one to four products, sometimes none, sometimes with documents."""
    count = min(most_products, rng.choices([0, 1, 2, 3, 4, 5, 6], [6, 38, 28, 20, 6, 1, 1])[0])
    most_attributes = rng.choice([2, 3, 4, 6]) if count > 2 else rng.choice([2, 3, 4, 5, 7])
    group = rng.choice(catalog.groups)
    kind, same_type = rng.choice(group[0]), rng.random() < 0.65
    products = []
    for _ in range(count):
        if not same_type:
            group = rng.choice(catalog.groups) if rng.random() < 0.6 else group
            kind = rng.choice(group[0])
        product = catalog.product(group, kind, most_attributes)
        if products and rng.random() < 0.12:
            product = _same_brand(product, products[0])
        if all(product.title != other.title for other in products):
            products.append(product)
    shares = [30, 40, 30] if count == 0 else [78, 17, 5]
    topics = catalog.sample_topics(min(6 - count, rng.choices([0, 1, 2], shares)[0]))
    documents = [catalog.document(topic) for topic in topics]
    sign = rng.choices(["$", "eur", "£", "€"], [80, 6, 7, 7])[0]
    return Scene(products, documents, _budget(rng, products), sign, same_type or count < 2)


def _same_brand(product: Product, other: Product) -> Product:
    """Gives a product the brand of another one, so that the brand alone does not identify it."""
    if product.brand and other.brand and product.title.startswith(product.brand):
        old, new = product.brand, other.brand
        product.title = (new + product.title[len(old) :])[:80]
        product.short_names = [name.replace(old, new) for name in product.short_names]
        product.brand = new
    return product


def _budget(rng: random.Random, products: list[Product]) -> float | None:
    """Mostly an amount that all products fit (code has filtered them), sometimes one that none fits."""
    prices = [p.price for p in products if p.price is not None]
    if rng.random() > 0.17:
        return None
    if not prices:
        return float(rng.choice([20, 30, 50, 60, 100, 150, 200, 500]))
    top = max(prices) if rng.random() < 0.85 else min(prices) * 0.7
    limit = top * rng.uniform(1.0, 1.8) if top == max(prices) else top
    step = 5 if limit < 100 else 50 if limit < 1000 else 100
    rounded = limit // step * step + (step if top == max(prices) else 0)
    return float(max(5, rounded))


def pick_reference(rng: random.Random, scene: Scene, index: int) -> str:
    """Words that name product `index` (from 0) and no other product of the scene."""
    product = scene.products[index]
    if len(scene.products) == 1 and rng.random() < 0.4:
        return rng.choice(_PRONOUNS).replace("{t}", product.type)
    if len(scene.products) > 1:
        if rng.random() < 0.07 and index + 1 in _ORDINALS:
            return rng.choice(_ORDINALS[index + 1]).replace("{t}", product.type)
        if rng.random() < 0.02 and index == len(scene.products) - 1:
            return "the last one"
        if rng.random() < 0.04 and index == 0:
            return rng.choice(_PRONOUNS).replace("{t}", product.type)
    for _ in range(12):
        text = _name_candidate(rng, product)
        if is_unambiguous(text, scene.products, index):
            return text if rng.random() < 0.35 else f"the {text}"
    return f"the {product.title}"


def _name_candidate(rng: random.Random, product: Product) -> str:
    kind = rng.random()
    if kind < 0.33:
        return product.title
    if kind < 0.75:
        return rng.choice(product.short_names)
    words = product.title.replace(",", "").split()
    keep = sorted(rng.sample(range(len(words)), min(len(words), rng.choice([1, 2, 2, 3]))))
    return " ".join(words[i] for i in keep if words[i] != "-") or product.title


def is_unambiguous(text: str, products: list[Product], index: int) -> bool:
    words = set(text.lower().replace(",", "").split())
    own = words <= products[index].words() or text in products[index].title
    others = (p for i, p in enumerate(products) if i != index)
    shares_part = any(words <= p.words() or text.lower() in p.title.lower() for p in others)
    return own and not shares_part and len(text) > 1


def attributes_of(scene: Scene, key: str) -> list[tuple[int, Attribute]]:
    """Products (from 0) that have an attribute of this key, with the attribute."""
    found = []
    for index, product in enumerate(scene.products):
        found += [(index, a) for a in product.attributes if a.key == key]
    return found
