"""Generates training and evaluation examples without end: passage lines, questions, gold answers."""

import random
from dataclasses import dataclass

from catalog import CatalogMaker
from product_turns import ProductTurns, Turn
from scene import Scene, make_scene
from shop_turns import ShopTurns

_ONE_PRODUCT = {
    "attribute": 34, "value": 13, "unknown": 20, "price": 6, "sale": 3, "rating": 5, "stock": 7, "brand": 4,
    "link": 2, "overview": 3,
}  # fmt: skip
_SEVERAL = {
    "cheapest": 4, "best_rated": 4, "recommend": 5, "recommend_wish": 4, "recommend_value": 5, "compare": 3,
    "compare_price": 2, "compare_attribute": 4, "compare_all": 4, "all_prices": 2,
}  # fmt: skip
_OTHERS = {"missing_product": 4, "missing_document": 1.5, "small_talk": 2.5, "off_topic": 2.5}


_OPENINGS = [
    "hi, ", "hello, ", "please, ", "ok, ", "hey ", "excuse me, ", "sorry, ", "and ", "one more thing: ", "quick question: ",
    "so, ", "good morning, ", "thanks, and ", "a question: ", "just checking, ", "hi there, ", "also, ", "then ",
]  # fmt: skip


@dataclass
class Example:
    """One set of passage lines with several independent questions about it."""

    lines: str
    turns: list[Turn]
    scene: Scene


class Generator:
    """A reproducible stream of examples. With `held_out`, lexicon, names and wordings are those of evaluation."""

    def __init__(self, seed: int, held_out: bool = False, wordings_held_out: bool | None = None):
        self.rng = random.Random(seed)
        self.catalog = CatalogMaker(self.rng, held_out)
        reserved_wordings = held_out if wordings_held_out is None else wordings_held_out
        self.most_products = 6
        self.about_product = ProductTurns(self.rng, self.catalog, reserved_wordings)
        self.about_shop = ShopTurns(self.rng, self.catalog, self.about_product)

    def example(self, turn_count: int | None = None) -> Example:
        scene = make_scene(self.rng, self.catalog, self.most_products)
        wanted = turn_count or self.rng.randint(7, 12)
        if not scene.products:
            wanted = min(wanted, 5)
        turns: list[Turn] = []
        weights = self._weights(scene)
        for _ in range(8 * wanted):
            if len(turns) == wanted:
                break
            kind = self.rng.choices(list(weights), list(weights.values()))[0]
            turn = self.make_turn(kind, scene)
            if turn and all(turn.question != other.question for other in turns):
                turn.question = self._as_typed(turn.question)
                turns.append(turn)
        return Example(scene.lines, turns, scene)

    def make_turn(self, kind: str, scene: Scene) -> Turn | None:
        if kind in _ONE_PRODUCT:
            return getattr(self.about_product, kind)(scene, self.rng.randrange(len(scene.products)))
        return getattr(self.about_shop, kind)(scene)

    @staticmethod
    def _weights(scene: Scene) -> dict[str, float]:
        weights = dict(_OTHERS)
        if scene.documents:
            weights["document"] = 14 * len(scene.documents)
        if scene.products:
            weights |= _ONE_PRODUCT
            weights |= _SEVERAL if len(scene.products) > 1 else {k: v * 0.3 for k, v in _SEVERAL.items()}
        if scene.budget:
            weights["budget"] = 30 if scene.products else 2
        return weights

    def _as_typed(self, question: str) -> str:
        """How people type: case, question mark, politeness, mistakes."""
        rng, names = self.rng, self.catalog.names
        text = question.replace("[", "").replace("]", "").strip()
        if rng.random() < 0.1:
            text = names.misspell(text)
        if rng.random() < 0.04:
            text = rng.choice(_OPENINGS) + text
        elif rng.random() < 0.03:
            text += rng.choice([" please", " thanks", ", thank you", " pls"])
        style = rng.random()
        if style < 0.4:
            return text.lower() + ("?" if rng.random() < 0.4 else "")
        if style < 0.85:
            text = text[0].upper() + text[1:]
        mark = rng.random()
        if text[-1] in "?!.":
            return text
        return text + ("?" if mark < 0.75 else "" if mark < 0.95 else rng.choice([".", "!", " ?"]))


def prompt_text(lines: str, question: str) -> str:
    """Everything in front of the answer, as docs/formats/prompt.md says."""
    return prefix_text(lines) + question_text(question)


def prefix_text(lines: str) -> str:
    return f"<|im_start|>system\n{lines}<|im_end|>\n"


def question_text(question: str) -> str:
    return f"<|im_start|>user\n{question}<|im_end|>\n<|im_start|>assistant\n"


def answer_text(answer: str) -> str:
    return f"{answer}<|im_end|>"


if __name__ == "__main__":
    generator = Generator(seed=1)
    for _ in range(6):
        shown = generator.example()
        print(shown.lines)
        for made in shown.turns:
            print(f"  {made.kind}: {made.question}\n      {made.answer}")
