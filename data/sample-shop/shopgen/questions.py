"""Shopper questions over the finished shop, with the ids that answer them: ground truth for the integration test."""
import random
from collections import defaultdict

ATTRIBUTE_QUESTIONS = {
    "capacity": "What is the capacity of the {t}?", "power": "How many watts does the {t} use?",
    "battery life": "How long does the battery of the {t} last?", "weight": "How heavy is the {t}?",
    "material": "What is the {t} made of?", "noise level": "How loud is the {t}?",
    "bluetooth version": "Which Bluetooth version does the {t} have?", "resolution": "What resolution does the {t} have?",
    "refresh rate": "What is the refresh rate of the {t}?", "run time": "How long does the {t} run on one charge?",
    "water resistance": "How water resistant is the {t}?", "weight capacity": "How much weight can the {t} hold?",
    "height range": "What height range does the {t} cover?", "brightness": "How bright is the {t}?",
    "waterproof rating": "What is the waterproof rating of the {t}?", "fill power": "What fill power does the {t} have?",
    "warranty": "How long is the warranty on the {t}?", "steel": "Which steel is the {t} made from?",
    "players": "How many people can play {t}?", "play time": "How long does a game of {t} take?",
    "pieces": "How many pieces are in the {t}?", "torque": "How much torque does the {t} have?",
    "volume": "How much is in the {t}?", "pages": "How many pages does {t} have?",
    "age": "From what age is the {t} suitable?", "room size": "What room size is the {t} good for?",
    "comfort temperature": "What is the comfort temperature of the {t}?", "lock": "What kind of lock is on the {t}?",
    "slots": "How many slots does the {t} have?", "read speed": "How fast does the {t} read?",
    "frame": "What is the frame of the {t} made of?", "filling": "What is the {t} filled with?",
    "max child weight": "Up to what child weight can I use the {t}?", "author": "Who wrote {t}?",
    "cutting width": "What is the cutting width of the {t}?", "coverage": "How large an area does the {t} cover?",
    "laptop sleeve": "What size of laptop fits into the {t}?", "hardness": "How hard is the steel of the {t}?",
}
YES_NO_QUESTIONS = {
    "noise cancelling": "Does the {t} have noise cancelling?", "dishwasher safe": "Can the {t} go in the dishwasher?",
    "wireless charging": "Does the {t} support wireless charging?", "touch screen": "Does the {t} have a touch screen?",
    "gps": "Does the {t} have GPS?", "temperature control": "Can I set the temperature on the {t}?",
    "dimmable": "Is the {t} dimmable?", "pet hair brush": "Does the {t} come with a pet hair brush?",
    "packable": "Is the {t} packable?", "frost resistant": "Is the {t} frost resistant?",
    "mopping": "Does the {t} mop?", "magnetic charging": "Does the {t} work with magnetic charging?",
}
NEEDS = [  # product type, words, condition on an attribute, budget in dollars
    ("kettle", "a kettle for less than ${b}", None, 50),
    ("headphones", "headphones with noise cancelling under ${b}", ("noise cancelling", "yes"), 250),
    ("backpack", "a backpack for school below ${b}", None, 80),
    ("monitor", "a monitor that charges my laptop over USB-C, at most ${b}", ("usb-c charging", ("65 W", "90 W")), 600),
    ("tent", "a tent for four people up to ${b}", ("capacity", ("4 people", "6 people")), 400),
    ("running-shoes", "running shoes under ${b}", None, 90),
    ("speaker", "a portable speaker for the beach, budget ${b}", None, 100),
    ("desk-lamp", "a dimmable desk lamp under ${b}", ("dimmable", "yes"), 120),
    ("cordless-vacuum", "a cordless vacuum with a pet hair brush for no more than ${b}", ("pet hair brush", "yes"), 400),
    ("board-game", "a board game under ${b}", None, 40),
    ("drill", "a cordless drill with hammer function up to ${b}", ("hammer function", "yes"), 230),
    ("stroller", "a stroller that folds with one hand, under ${b}", ("one-hand fold", "yes"), 600),
    ("suitcase", "a suitcase for cabin luggage, not more than ${b}", ("capacity", "38 l"), 200),
    ("yoga-mat", "a yoga mat for less than ${b}", None, 60),
    ("smartwatch", "a smartwatch with GPS below ${b}", ("gps", "yes"), 300),
]
FAQ_QUESTIONS = [
    ("shipping-time", "When will my order get here?"), ("return-window", "Can I send something back after three weeks?"),
    ("refund-time", "How soon do I get my money back?"), ("price-match", "Another store has it cheaper, will you match that?"),
    ("gift-cards", "Can I buy a gift card by email?"), ("store-pickup", "Is it possible to collect my order in the store?"),
    ("change-order", "I want to cancel my order, is that possible?"), ("warranty", "What warranty do I get?"),
    ("pay-in-installments", "Can I pay for it in parts?"),
]


def base_title(product):
    return product["title"].split(", ")[0]


def payable(product):
    """Price now: a sale counts without a window or inside one (all open windows run to 2030)."""
    window = product.get("sale_price_effective_date")
    on_sale = "sale_price" in product and (window is None or window["end"] > "2027")
    return product["sale_price" if on_sale else "price"]["amount"]


class Asker:
    def __init__(self, products, kinds, seed):
        self.rng = random.Random(seed)
        self.products = products
        self.kinds = kinds
        self.by_title = defaultdict(list)
        for product in products:
            self.by_title[base_title(product)].append(product)
        self.questions = []

    def add(self, kind, text, ids, field, value=None, locale="en-US"):
        record = {"id": f"q-{len(self.questions) + 1:03d}", "kind": kind, "question": text, "locale": locale,
                  "ids": list(ids), "field": field}
        if value is not None:
            record["value"] = value
        self.questions.append(record)

    def pick_named(self, attribute):
        """A product name all of whose variants agree on the attribute."""
        names = [t for t, ps in self.by_title.items()
                 if len({p["attributes"].get(attribute) for p in ps}) == 1 and attribute in ps[0]["attributes"]]
        return self.rng.choice(sorted(names)) if names else None

    def ask_attributes(self, table, kind, count):
        for attribute in self.rng.sample(sorted(table), count):
            title = self.pick_named(attribute)
            group = self.by_title[title]
            self.add(kind, table[attribute].format(t=title), [p["id"] for p in group],
                     f"attr.{attribute}", group[0]["attributes"][attribute])

    def ask_facts(self):
        prices = ["How much is the {t}?", "What does the {t} cost?", "Price of the {t}?"]
        for i, product in enumerate(self.rng.sample(self.products, 12)):
            self.add("price", prices[i % 3].format(t=product["title"]), [product["id"]], "price", payable(product))
        for state in ("in_stock", "out_of_stock", "preorder", "backorder", "in_stock", "out_of_stock"):
            product = self.rng.choice([p for p in self.products if p["availability"] == state])
            self.add("stock", f"Is the {product['title']} in stock?", [product["id"]], "availability", state)
        for product in self.rng.sample([p for p in self.products if "rating" in p], 5):
            self.add("rating", f"How is the {product['title']} rated?", [product["id"]], "rating",
                     product["rating"]["value"])

    def ask_comparisons(self):
        forms = ["Compare the {a} and the {b}.", "Which is cheaper, the {a} or the {b}?", "{a} or {b}: which is better rated?"]
        keys = self.rng.sample(sorted(set(self.kinds.values())), 40)
        made = 0
        for key in keys:
            names = sorted({base_title(p) for p in self.products if self.kinds[p["id"]] == key})
            single = [self.by_title[n][0] for n in names if len(self.by_title[n]) == 1 and "rating" in self.by_title[n][0]]
            if len(single) < 2 or made == 10:
                continue
            a, b = self.rng.sample(single, 2)
            if payable(a) == payable(b) or a["rating"]["value"] == b["rating"]["value"]:
                continue
            field, best = [("table", None), ("price", min(a, b, key=payable)["id"]),
                           ("rating", max(a, b, key=lambda p: p["rating"]["value"])["id"])][made % 3]
            self.add("compare", forms[made % 3].format(a=base_title(a), b=base_title(b)), [a["id"], b["id"]], field, best)
            made += 1

    def ask_recommendations(self):
        openers = ["I need {n}.", "Can you recommend {n}?", "Looking for {n}"]
        for i, (key, words, condition, budget) in enumerate(NEEDS):
            fitting = [p["id"] for p in self.products if self.kinds[p["id"]] == key and payable(p) <= budget * 100
                       and (condition is None or p["attributes"].get(condition[0]) in
                            (condition[1] if isinstance(condition[1], tuple) else (condition[1],)))]
            if not fitting:
                raise SystemExit(f"no {key} for {words!r}")
            self.add("recommend", openers[i % 3].format(n=words.format(b=budget)), fitting, "q:budget", budget * 100)

    def ask_chinese(self, chinese):
        kettle = next(p for p in chinese if p["id"].startswith("kettle"))
        phones = next(p for p in chinese if p["id"].startswith("headphones"))
        watch = next(p for p in chinese if p["id"].startswith("smartwatch"))

        def add(*question):
            self.add(*question, locale="zh-CN")

        add("attribute", f"{kettle['title']}的功率是多少？", [kettle["id"]], "attr.功率", kettle["attributes"]["功率"])
        add("price", f"{phones['title']}多少钱？", [phones["id"]], "price", payable(phones))
        add("yesno", f"{watch['title']}有 GPS 吗？", [watch["id"]], "attr.GPS", watch["attributes"]["GPS"])
        packs = [p["id"] for p in chinese if p["id"].startswith("backpack") and payable(p) <= 10000]
        add("recommend", "推荐一款 100 美元以内的双肩背包", packs, "q:budget", 10000)
        add("faq", "多久能收到货？", ["faq-shipping-time.zh"], "answer")


def make(products, chinese, entries, drawings, seed):
    """100 questions; every id in them is checked against the shop."""
    asker = Asker(products, {d[0]: d[1] for d in drawings}, seed)
    asker.ask_attributes(ATTRIBUTE_QUESTIONS, "attribute", 30)
    asker.ask_facts()
    asker.ask_comparisons()
    asker.ask_recommendations()
    asker.ask_attributes(YES_NO_QUESTIONS, "yesno", 8)
    for key, text in FAQ_QUESTIONS:
        asker.add("faq", text, [f"faq-{key}"], "answer")
    asker.ask_chinese(chinese)
    known = {r["id"] for r in products + chinese + entries}
    for question in asker.questions:
        if not question["ids"] or not set(question["ids"]) <= known:
            raise SystemExit(f"{question['id']}: wrong ids in {question}")
    return asker.questions
