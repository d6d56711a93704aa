"""Makes catalog records from product types. Deterministic for a given random generator."""
import random
import re

from .values import display, display_zh

HOST = "https://shop.emptor.example"
BANNED = re.compile(r"[\[\]<>|]")


class Model:
    """One product line: brand, name and attributes shared by its variants."""

    def __init__(self, kind, index, count, rng):
        self.kind = kind
        self.tier = min(1.0, max(0.0, (index + rng.uniform(0.35, 0.65)) / count))
        self.attributes = pick_attributes(kind, self.tier, rng)
        nouns = [n for n in kind.nouns if n.holds(self.attributes)]
        special = [n for n in nouns if n.conditions]
        self.noun = (rng.choice(special) if special and rng.random() < 0.6 else rng.choice(nouns)).text


def pick_attributes(kind, tier, rng):
    chosen = {}
    for attribute in kind.attributes:
        if attribute.ordered:
            index = min(len(attribute.values) - 1, int(tier * len(attribute.values)))
            values = attribute.values[index]
        else:
            values = rng.choice(attribute.values)
        chosen.update(zip(attribute.keys, values))
    return chosen


def parse_axis(kind):
    """(name, values, price step): the attribute in which variants differ."""
    text = kind.fields.get("axis")
    if not text:
        name = "color" if "color" in kind.fields else "tint"
        return name, kind.words(name), 0.0
    name, _, rest = text.partition(" = ")
    values, _, step = rest.partition(" +")
    return name.strip(), [v.strip() for v in values.split(",")], float(step.rstrip("%")) / 100


def price_ending(dollars, rng):
    """A shop-like price near `dollars`, in cents."""
    whole = max(3, round(dollars))
    if whole >= 200:
        whole = round(whole / 10) * 10 - 1
        return whole * 100 + rng.choice([0, 0, 99])
    return whole * 100 - rng.choice([1, 1, 1, 5, 51, 100])


def slug(text):
    return re.sub(r"[^a-z0-9]+", "-", text.lower().replace("'", "")).strip("-")


def gtin13(number):
    """A GTIN-13 in the restricted range 2xx, which is never a real trade item."""
    body = f"2{number:011d}"
    total = sum(int(d) * (3 if i % 2 else 1) for i, d in enumerate(body))
    return body + str((10 - total % 10) % 10)


def render(text, attributes, fmt=display):
    """Fills {slots}; the first letter of the sentence is made upper case."""
    filled = re.sub(r"\{([^}]+)\}", lambda m: fmt(attributes[m[1]]), text)
    filled = re.sub(r"\b([Aa]) (?=(?!one)[aeioAEIO]|8|11 |18 )", r"\1n ", filled)
    return filled[:1].upper() + filled[1:]


def describe(lines, attributes, rng, used):
    """Opening, one or two features, a use: sentences that hold for these attributes."""
    def pick(pool, count):
        fitting = [s for s in pool if s.holds(attributes)]
        rng.shuffle(fitting)
        fitting.sort(key=lambda s: (used.get(s.text, 0), not s.conditions))
        for s in fitting[:count]:
            used[s.text] = used.get(s.text, 0) + 1
        return fitting[:count]

    features = pick(lines["s"], rng.choice([1, 2, 2]))
    return pick(lines["o"], 1) + features + pick(lines["u"], 1)


def pick_rating(tier, rng):
    if rng.random() < 0.08:
        return None
    value = min(4.9, max(3.1, rng.gauss(4.15 + 0.25 * tier, 0.32)))
    return {"value": round(value, 1), "count": max(1, int(rng.lognormvariate(4.3, 1.2)))}


def pick_availability(rng):
    return rng.choices(["in_stock", "out_of_stock", "preorder", "backorder"], [84, 9, 3, 4])[0]


def pick_sale(amount, rng):
    """(sale price in cents or None, effective window or None)."""
    if rng.random() >= 0.15:
        return None, None
    cut = rng.choice([0.1, 0.15, 0.2, 0.25, 0.3, 0.35])
    sale = max(199, int(amount * (1 - cut) / 100) * 100 + rng.choice([99, 49, 95]))
    sale = min(sale, amount - 50)
    window = rng.choice([None, None, ("2026-11-01", "2030-12-31"), ("2026-10-15", "2030-06-30"),
                         ("2026-05-01", "2026-06-01")])
    if window:
        window = {"start": f"{window[0]}T00:00:00Z", "end": f"{window[1]}T00:00:00Z"}
    return sale, window


class Shop:
    """Collects the records; keeps brands, lines, codes and ids from colliding."""

    def __init__(self, seed, words_zh):
        self.rng = random.Random(seed)
        self.words_zh = words_zh
        self.products, self.chinese, self.drawings = [], [], []
        self.serial = 10_000
        self.names = set()

    def add_type(self, kind):
        counts = [int(n) for n in kind.fields["variants"].split()]
        order = list(range(len(counts)))
        self.rng.shuffle(order)
        used, used_zh, brand_cycle = {}, {}, self.rng.sample(kind.words("brands"), len(kind.words("brands")))
        lines = self.rng.sample(kind.words("lines"), len(kind.words("lines")))
        for position, (index, variants) in enumerate(zip(order, counts)):
            model = Model(kind, index, len(counts), self.rng)
            self.name(model, brand_cycle, lines, position)
            model.sentences = describe({"o": kind.openings, "s": kind.sentences, "u": kind.uses},
                                       model.attributes, self.rng, used)
            model.sentences_zh = describe(kind.zh, model.attributes, self.rng, used_zh) if kind.zh["noun"] else []
            self.add_model(model, variants)

    def name(self, model, brands, lines, position):
        """Gives the model a brand, a line and a code that no other product has."""
        kind, rng = model.kind, self.rng
        for attempt in range(200):
            model.brand = brands[(position + attempt // 40) % len(brands)]
            model.line = lines[(position + attempt) % len(lines)]
            prefix = kind.fields.get("code", "")
            model.code = f"{prefix}{rng.randrange(1, 10) * 10 + rng.choice([0, 0, 5])}" if prefix else ""
            key = (model.brand, model.line, kind.key, model.code) if prefix else (model.brand, model.line, kind.key)
            code_key = (model.brand, model.code, kind.key)
            if key not in self.names and (not prefix or code_key not in self.names):
                self.names.update((key, code_key))
                return
        raise SystemExit(f"no free name for {kind.key}")

    def add_model(self, model, variants):
        axis, values, step = parse_axis(model.kind)
        chosen = sorted(self.rng.sample(range(len(values)), variants))
        if axis not in ("color", "tint") and variants == 1:
            chosen = [min(len(values) - 1, int(model.tier * len(values)))]
        low, high = (float(x) for x in model.kind.fields["price"].split("-"))
        base = low + (high - low) * model.tier ** 1.4
        if axis not in ("color", "tint"):
            base = low + (high / (1 + step) ** (len(values) - 1) - low) * model.tier ** 1.4
        color_name = "color" if "color" in model.kind.fields else "tint"
        color = self.rng.choice(model.kind.words(color_name))
        for index in chosen:
            attributes = dict(model.attributes)
            tint = values[index] if axis == color_name else color
            if axis not in ("color", "tint"):
                attributes = {axis: values[index], **attributes}
            if color_name == "color":
                attributes["color"] = tint
            self.add_variant(model, attributes, tint, base * (1 + step) ** index,
                             axis if variants > 1 or step else None)

    def add_variant(self, model, attributes, tint, dollars, axis):
        kind, rng = model.kind, self.rng
        group = "-".join(p for p in (kind.key, slug(model.brand), slug(model.code or model.line)) if p)
        suffix = slug(attributes[axis]) if axis and axis in attributes else ""
        amount = self.group_price(group, dollars, bool(axis == "color"))
        sale, window = pick_sale(amount, rng)
        self.serial += rng.randrange(3, 90)
        record = {
            "id": f"{group}-{suffix}" if suffix else group,
            "title": self.title(model, attributes, axis),
            "description": " ".join(render(s.text, attributes) for s in self.sentences(model, attributes, axis)),
            "brand": model.brand,
            "gtin": gtin13(self.serial * 7919),
            "mpn": f"{slug(model.brand)[:3].upper()}-{self.serial}",
            "categories": [kind.fields["cat"]],
            "price": {"amount": amount, "currency": "USD"},
        }
        if sale:
            record["sale_price"] = {"amount": sale, "currency": "USD"}
        if window:
            record["sale_price_effective_date"] = window
        record |= {"availability": pick_availability(rng), "condition": "new"}
        if rng.random() < 0.02:
            record["condition"] = "refurbished"
        record |= {"link": f"{HOST}/p/{record['id']}", "image_link": f"/images/{record['id']}.svg",
                   "additional_image_links": []}
        rating = pick_rating(model.tier, rng)
        if rating:
            record["rating"] = rating
        record["attributes"] = {k: display(v) for k, v in attributes.items()}
        if suffix:
            record["item_group_id"] = group
        record |= {"locale": "en-US", "updated_at": f"2026-11-{rng.randrange(1, 15):02d}T0{rng.randrange(10)}:00:00Z"}
        self.products.append(record)
        self.drawings.append((record["id"], kind.key, tint, attributes))
        if model.sentences_zh:
            self.add_chinese(model, record, attributes, axis)

    def sentences(self, model, attributes, axis, chinese=False):
        """The model's sentences, plus one that holds for this variant alone."""
        chosen = model.sentences_zh if chinese else model.sentences
        pool = model.kind.zh["s"] if chinese else model.kind.sentences
        extra = [s for s in pool if axis in s.conditions and s.holds(attributes)]
        return chosen[:-1] + extra + chosen[-1:]

    def group_price(self, group, dollars, share):
        """Variants that differ in colour alone cost the same."""
        if share and self.products and self.products[-1].get("item_group_id") == group:
            return self.products[-1]["price"]["amount"]
        return price_ending(dollars, self.rng)

    def title(self, model, attributes, axis):
        kind = model.kind
        if "title" in kind.fields:
            author = attributes.get("author")
            title = kind.fields["title"].replace("{line}", model.line)
            return f"{title} by {author}" if author else title
        title = " ".join(p for p in (model.brand, model.line, model.noun, model.code) if p)
        details = []
        if axis and axis in attributes:
            details.append(display(attributes[axis]))
        spec = kind.fields.get("spec")
        if spec and spec != axis:
            details.insert(0, display(attributes[spec]))
        details = [d.title() if re.fullmatch(r"[a-z' ]+", d) else d for d in details]
        return ", ".join([title, *details])

    def add_chinese(self, model, record, attributes, axis):
        kind, words = model.kind, self.words_zh

        def fmt(raw):
            return display_zh(raw, words)

        def tight(text):
            """No blank between a number and its Chinese unit."""
            return re.sub(r"(\d) (?=[\u4e00-\u9fff])", r"\1", text)

        parts = [model.brand, model.line, kind.zh["noun"], model.code]
        spec = kind.fields.get("spec")
        for name in dict.fromkeys(n for n in (spec, axis) if n and n in attributes):
            parts.append(fmt(attributes[name]))
        chinese = dict(record)
        chinese |= {
            "id": record["id"] + ".zh",
            "title": " ".join(p for p in parts if p),
            "description": "".join(tight(render(s.text, attributes, fmt)) for s in self.sentences(model, attributes, axis, True)),
            "categories": [" > ".join(words[c] for c in kind.fields["cat"].split(" > "))],
            "link": record["link"] + ".zh",
            "attributes": {words[k]: fmt(v) for k, v in attributes.items()},
            "item_group_id": record.get("item_group_id", record["id"]),
            "locale": "zh-CN",
        }
        record.setdefault("item_group_id", record["id"])
        self.chinese.append(chinese)


def check_text(records):
    """No brackets or chat markers in any text: they would forge references."""
    for record in records:
        for value in record.values():
            texts = value.values() if isinstance(value, dict) else [value]
            for text in texts:
                if isinstance(text, str) and BANNED.search(text):
                    raise SystemExit(f"{record['id']}: forbidden character in {text!r}")
