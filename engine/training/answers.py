"""The sentences that the model learns to write. Facts appear by reference only, each sentence ends with its citation.

The key of an attribute stands in quotes: so it has the very tokens of the passage line and can be copied from it.
"""

from catalog import Attribute, Product

GREETING = "Hello! What are you looking for today?"
THANKS = "You're welcome! Is there anything else I can help with?"
GOODBYE = "Goodbye, and thank you for your visit!"
ABOUT_BOT = "I am the assistant of this shop. Ask me about products, prices, stock, delivery or returns."
OFF_TOPIC = "I can only help with products and questions about this shop."
NOT_FOUND = "I could not find anything about that in this shop."


def attribute(n: int, item: Attribute, asked_yes_no: bool = False) -> str:
    """States an attribute; a yes or no value gives a yes or no answer."""
    polarity = item.polarity
    if polarity is None and not asked_yes_no:
        return f'The "{item.key}" of the [{n}:title] is [{n}:attr.{item.key}] [{n}].'
    return yes_no(n, item, polarity is not False)


def yes_no(n: int, item: Attribute, holds: bool) -> str:
    word = "Yes" if holds else "No"
    return f'{word}, the [{n}:title] lists "{item.key}" as [{n}:attr.{item.key}] [{n}].'


def has_attribute(n: int, item: Attribute) -> str:
    return f'The [{n}:title] has "{item.key}" [{n}:attr.{item.key}] [{n}].'


def unknown(n: int, key: str, is_feature: bool = False) -> str:
    what = f"anything about {key}" if is_feature else f"its {key}"
    return f"The listing for the [{n}:title] does not say {what} [{n}]."


def price(n: int, product: Product) -> str:
    if product.price is None:
        return unknown(n, "price")
    if product.was_price is not None:
        return f"The [{n}:title] costs [{n}:price], down from [{n}:was_price] [{n}]."
    return f"The [{n}:title] costs [{n}:price] [{n}]."


def sale(n: int, product: Product) -> str:
    if product.price is None:
        return unknown(n, "price")
    if product.was_price is not None:
        return f"Yes, the [{n}:title] is on sale at [{n}:price], down from [{n}:was_price] [{n}]."
    return f"No, the [{n}:title] is not on sale, it costs [{n}:price] [{n}]."


def rating(n: int, product: Product) -> str:
    if product.rating is None:
        return unknown(n, "rating")
    reviews = f" from [{n}:reviews] reviews" if product.reviews is not None else ""
    return f"The [{n}:title] is rated [{n}:rating]{reviews} [{n}]."


def stock(n: int, product: Product) -> str:
    if product.availability is None:
        return unknown(n, "availability")
    if product.availability == "in stock":
        return f"Yes, the [{n}:title] is [{n}:availability] [{n}]."
    joint = "is" if product.availability == "out of stock" else "is on"
    return f"No, the [{n}:title] {joint} [{n}:availability] [{n}]."


def brand(n: int, product: Product) -> str:
    return f"The [{n}:title] is made by [{n}:brand] [{n}]." if product.brand else unknown(n, "brand")


def link(n: int) -> str:
    return f"Here is the page of the [{n}:title]: [{n}:link] [{n}]."


def overview(n: int, product: Product) -> str:
    """Brand, price and rating, then the first two attributes."""
    parts = [f"is made by [{n}:brand]"] if product.brand else []
    parts += [f"costs [{n}:price]"] if product.price is not None else []
    parts += [f"is rated [{n}:rating]"] if product.rating is not None else []
    text = f"The [{n}:title] {_join(parts)} [{n}]." if parts else f"Here is the [{n}:title] [{n}]."
    shown = [f'"{a.key}" [{n}:attr.{a.key}]' for a in product.attributes[:2]]
    return f"{text} It has {_join(shown)} [{n}]." if shown else text


def _join(parts: list[str]) -> str:
    return parts[0] if len(parts) == 1 else ", ".join(parts[:-1]) + " and " + parts[-1]


def recommend(choices: list[tuple[int, str]]) -> str:
    """Up to three products, each with its reason (empty, or text such as ` at [1:price]`)."""
    openings = ["I recommend the", "Another choice is the", "A third choice is the"]
    sentences = [f"{o} [{n}:title]{why} [{n}]." for o, (n, why) in zip(openings, choices)]
    return " ".join(sentences)


def reason_price(n: int, product: Product) -> str:
    return f" at [{n}:price]" if product.price is not None else ""


def reason_attribute(n: int, item: Attribute) -> str:
    return f' with "{item.key}" [{n}:attr.{item.key}]'


def no_match(n: int, product: Product) -> str:
    return f"I did not find that here. The closest is the [{n}:title]{reason_price(n, product)} [{n}]."


def over_budget(n: int) -> str:
    return f"I found nothing within [q:budget]. The lowest price is the [{n}:title] at [{n}:price] [{n}]."


def cheapest(n: int) -> str:
    return f"The cheapest is the [{n}:title] at [{n}:price] [{n}]."


def best_rated(n: int, product: Product) -> str:
    reviews = f" from [{n}:reviews] reviews" if product.reviews is not None else ""
    return f"The best rated is the [{n}:title] with [{n}:rating]{reviews} [{n}]."


def compare(n: int, product: Product) -> str:
    parts = [f"costs [{n}:price]"] if product.price is not None else []
    parts += [f"is rated [{n}:rating]"] if product.rating is not None else []
    return f"The [{n}:title] {_join(parts)} [{n}]." if parts else unknown(n, "price")


def cheaper(n: int) -> str:
    return f"The [{n}:title] is cheaper at [{n}:price] [{n}]."


def document(n: int) -> str:
    return f"[{n}:answer] [{n}]."
