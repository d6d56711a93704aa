#!/usr/bin/env python3
"""Checks answer cases against the records of their shop and shows what they expect.

  check_cases.py sample            every mistake of sample.jsonl, and the counts by kind
  check_cases.py sample-desk       the same of sample-desk.jsonl, another file of cases about that shop
  check_cases.py sample --show ID  what each check of a conversation resolves to
  check_cases.py sample --find '[{"type":"kettle"},{"key":"price","max":5000}]'
                                   the products that meet the conditions

The format is docs/formats/answer_cases.md. Prices take sales into account that run today.
"""
import collections
import csv
import datetime
import io
import json
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, "..", "..", "..")
DATA = os.environ.get("EMPTOR_TEST_DATA", os.path.join(ROOT, "..", "shared", "data"))
KINDS = ("find refine superlative attribute yesno which compare advise total availability policy order complaint "
         "human cart smalltalk offtopic harmful badinput").split()
CHECKS = ("language cards about fact yes_no winner document says never admits handoff refuses total").split()
ADMITS = ("not_sold", "unknown", "nothing", "contradiction", "unsure")
FACTORS = {"mg": ("g", 1e-3), "g": ("g", 1), "kg": ("g", 1e3), "lb": ("g", 453.592), "oz": ("g", 28.3495),
           "ml": ("l", 1e-3), "cl": ("l", 1e-2), "l": ("l", 1), "mm": ("m", 1e-3), "cm": ("m", 1e-2), "m": ("m", 1),
           "in": ("m", 0.0254), "\"": ("m", 0.0254), "inch": ("m", 0.0254), "inches": ("m", 0.0254), "ft": ("m", 0.3048),
           "s": ("h", 1 / 3600), "min": ("h", 1 / 60), "h": ("h", 1), "hours": ("h", 1), "days": ("h", 24),
           "w": ("W", 1), "kw": ("W", 1e3), "mb": ("MB", 1), "gb": ("MB", 1024), "tb": ("MB", 1024 * 1024),
           "mah": ("mAh", 1), "ah": ("mAh", 1e3), "mhz": ("MHz", 1), "ghz": ("MHz", 1e3)}


def zstd(path):
    return subprocess.run(["zstdcat", path], check=True, capture_output=True).stdout.decode()


def sample_records():
    with open(os.path.join(ROOT, "data/sample-shop/products.jsonl"), encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def readable_name(key):
    """As the conversion of the data set names attributes: pallet_size__eu_ is "pallet size (eu)"."""
    name = ""
    for i, part in enumerate(key.split("__")):
        part = " ".join(part.replace("_", " ").split())
        if part:
            name += (" " if name else "") + (f"({part})" if i % 2 else part)
    return name[:-6] if name.endswith((" (t t)", " (h h)")) else name


def electronics_records():
    rows = []
    for line in zstd(os.path.join(DATA, "icecat_chorus/products.jsonl.zst")).split("\n"):
        if not line:
            continue
        raw = json.loads(line)
        attributes = {}
        for key, value in raw.items():
            if key.startswith("attr_"):
                name = readable_name(key[7:])
                if isinstance(value, bool) or key.startswith("attr_b_"):
                    value = "yes" if value in (True, "true", "Y", 1, "1") else "no"
                elif isinstance(value, float):
                    value = f"{value:g}"
                attributes[name] = value
        rows.append({"id": raw["id"], "title": raw["title"], "brand": raw["supplier"], "categories": [],
                     "price": {"amount": raw["price"], "currency": "USD"}, "availability": "in_stock",
                     "attributes": attributes, "description": raw.get("short_description", "")})
    return rows


def rupees(text):
    text = text.replace("₹", "").replace(",", "").strip()
    return round(float(text) * 100) if re.fullmatch(r"\d+(\.\d+)?", text) else None


def marketplace_records():
    rows = []
    for raw in csv.DictReader(io.StringIO(zstd(os.path.join(DATA, "amazon_in/products.csv.zst")))):
        listed, paid = rupees(raw["actual_price"]), rupees(raw["discount_price"])
        row = {"id": raw["asin"], "title": raw["name"], "categories": [raw["main_category"] + " > " + raw["sub_category"]],
               "attributes": {}, "brand": ""}
        if listed or paid:
            row["price"] = {"amount": listed or paid, "currency": "INR"}
        if listed and paid and paid < listed:
            row["sale_price"] = {"amount": paid, "currency": "INR"}
        if re.fullmatch(r"[0-5](\.\d+)?", raw["ratings"]):
            row["rating"] = {"value": float(raw["ratings"]),
                             "count": int(raw["no_of_ratings"].replace(",", "") or 0)
                             if raw["no_of_ratings"].replace(",", "").isdigit() else 0}
        rows.append(row)
    return rows


RECORDS = {"sample": sample_records, "electronics": electronics_records, "marketplace": marketplace_records}


def on_sale(record):
    if "sale_price" not in record:
        return False
    window = record.get("sale_price_effective_date")
    if not window:
        return True
    begin, end = window.split("/") if isinstance(window, str) else (window.get("start"), window.get("end"))
    now = datetime.datetime.now(datetime.timezone.utc)
    at = lambda text: datetime.datetime.fromisoformat(text.replace("Z", "+00:00"))
    return (not begin or at(begin) <= now) and (not end or now <= at(end))


def values(record, key):
    if key == "price":
        price = record.get("sale_price") if on_sale(record) else record.get("price")
        return [str(price["amount"])] if price else []
    if key in ("rating", "reviews"):
        rating = record.get("rating")
        return [str(rating["value" if key == "rating" else "count"])] if rating else []
    if key == "category":
        return record.get("categories", [])
    if key == "on_sale":
        return ["yes" if on_sale(record) else "no"]
    if key.startswith("attr."):
        value = record.get("attributes", {}).get(key[5:])
        return [] if value is None else [str(each) for each in value] if isinstance(value, list) else [str(value)]
    value = record.get(key)
    return [str(value)] if value not in (None, "") else []


def number(text, unit=None):
    found = re.search(r"(-?\d+(?:[.,]\d+)?)\s*([A-Za-z\"]+)?", text)
    if not found:
        return None
    value = float(found[1].replace(",", "."))
    if unit:
        base, factor = FACTORS[unit.lower()]
        own = FACTORS.get((found[2] or unit).lower())
        if own and own[0] == base:
            value = value * own[1] / factor
    return value


def measure(text):
    """What a text measures, in the base of its unit: "1.2 kg" and "1200 g" are equal."""
    found = re.search(r"-?\d+(?:[.,]\d+)?\s*([A-Za-z\"]+)?", text)
    own = FACTORS.get((found[1] or "").lower()) if found else None
    return number(text) * own[1] if own else number(text)


def has_word(text, word):
    return re.search(r"(?<!\w)" + re.escape(word.lower()) + r"(s|es)?(?!\w)", text.lower()) is not None


def is_type(record, kind):
    title = record["title"]
    if any(has_word(title, word) for word in kind.get("not_title", [])):
        return False
    if any(has_word(title, word) for word in kind.get("title", [])):
        return True
    if any(has_word(each, word) for word in kind.get("category", []) for each in record.get("categories", [])):
        return True
    return any(has_word(each, word) for key, words in kind.get("attr", {}).items() for word in words
               for each in values(record, "attr." + key))


def meets(record, condition, types):
    if "any" in condition:
        return any(meets(record, each, types) for each in condition["any"])
    if "none_of" in condition:
        return not any(meets(record, each, types) for each in condition["none_of"])
    if "type" in condition:
        return is_type(record, types[condition["type"]])
    found = values(record, condition["key"])
    if "known" in condition:
        return bool(found) == condition["known"]
    if "is" in condition:
        return any(each.lower() == want.lower() for each in found for want in condition["is"])
    if "not" in condition:
        return not any(each.lower() == want.lower() for each in found for want in condition["not"])
    if "has" in condition:
        return any(has_word(each, word) for each in found for word in condition["has"])
    numbers = [number(each, condition.get("unit")) for each in found]
    return any(n is not None and condition.get("min", n) <= n <= condition.get("max", n) for n in numbers)


class Shop:
    def __init__(self, name):
        own = os.path.join(HERE, name + ".types.json")
        name = name.split("-")[0]
        self.records = RECORDS[name]()
        self.by_id = {record["id"]: record for record in self.records}
        shared = os.path.join(HERE, name + ".types.json")
        with open(own if os.path.exists(own) else shared, encoding="utf-8") as file:
            self.types = json.load(file)

    def find(self, conditions):
        return [record for record in self.records if all(meets(record, each, self.types) for each in conditions)]

    def best(self, key, order, records):
        known = [(measure(values(r, key)[0]), r) for r in records if values(r, key)]
        known = [(n, r) for n, r in known if n is not None]
        if not known:
            return []
        goal = (min if order == "min" else max)(n for n, _ in known)
        return [r["id"] for n, r in known if n == goal]


def conditions_of(condition):
    for inner in condition.get("any", []) + condition.get("none_of", []):
        yield from conditions_of(inner)
    yield condition


def check_conditions(shop, conditions, where, complain):
    for outer in conditions:
        for each in conditions_of(outer):
            if "type" in each and each["type"] not in shop.types:
                complain(f"{where}: unknown type {each['type']}")
                return
            if not {"type", "any", "none_of", "key"} & set(each):
                complain(f"{where}: no condition: {each}")
                return
    if not shop.find(conditions):
        complain(f"{where}: no product meets {json.dumps(conditions)}")


def check_among(shop, among, turn_number, where, complain, key=None):
    if among == "cards" or isinstance(among, dict):
        return
    if among and all("id" in each or "card" in each for each in among):
        for each in among:
            check_reference(shop, each, turn_number, where, complain)
        return
    check_conditions(shop, among, where, complain)
    if key and not shop.best(key, "min", shop.find(among)):
        complain(f"{where}: nobody states {key}")


def check_reference(shop, reference, turn_number, where, complain):
    if "id" in reference:
        if reference["id"] not in shop.by_id:
            complain(f"{where}: no product {reference['id']}")
    elif "card" in reference:
        if turn_number == 1 or reference.get("turn", 1) >= turn_number:
            complain(f"{where}: a card of no earlier turn")
    elif "best" in reference:
        check_among(shop, reference["among"], turn_number, where, complain, reference["best"])
    else:
        complain(f"{where}: no reference: {reference}")


def check_turn(shop, turn, turn_number, complain):
    unknown = set(turn) - {"say", "kind", "follows", "expect"}
    if unknown or turn.get("kind") not in KINDS or not turn.get("expect"):
        complain(f"turn {turn_number}: unknown member {unknown}, kind or no expectation")
        return
    expect = turn["expect"]
    for name in set(expect) - set(CHECKS):
        complain(f"turn {turn_number}: unknown check {name}")
    where = f"turn {turn_number}"
    if "where" in expect.get("cards", {}):
        check_conditions(shop, expect["cards"]["where"], where + " cards", complain)
    for reference in expect.get("about", []):
        check_reference(shop, reference, turn_number, where + " about", complain)
    for name in ("fact", "yes_no"):
        if name not in expect:
            continue
        if "of" in expect[name]:
            check_reference(shop, expect[name]["of"], turn_number, f"{where} {name}", complain)
        elif not expect.get("about"):
            complain(f"{where} {name}: of what product?")
    if "winner" in expect:
        check_among(shop, expect["winner"]["among"], turn_number, where + " winner", complain, expect["winner"]["key"])
    for each in expect.get("total", []):
        check_reference(shop, each["of"], turn_number, where + " total", complain)
    if "admits" in expect and expect["admits"] not in ADMITS:
        complain(f"{where}: admits {expect['admits']}?")


def show(shop, conversation):
    for i, turn in enumerate(conversation["turns"], 1):
        print(f"{i}. [{turn['kind']}] {turn['say']}")
        expect = turn["expect"]
        if "where" in expect.get("cards", {}):
            found = shop.find(expect["cards"]["where"])
            print(f"   cards: {len(found)} products, such as {[r['title'][:60] for r in found[:3]]}")
        if "winner" in expect and isinstance(expect["winner"]["among"], list) and "key" in expect["winner"]:
            among = expect["winner"]["among"]
            if not any("id" in each or "card" in each for each in among):
                best = shop.best(expect["winner"]["key"], expect["winner"]["order"], shop.find(among))
                print(f"   winner: {[(each, shop.by_id[each]['title'][:60]) for each in best[:4]]}")
        for reference in expect.get("about", []):
            if "id" in reference:
                record = shop.by_id[reference["id"]]
                key = expect.get("fact", expect.get("yes_no", {})).get("key")
                print(f"   about: {record['title'][:70]}" + (f"; {key}: {values(record, key)}" if key else ""))
        rest = {k: v for k, v in expect.items() if k not in ("cards", "winner", "about")}
        if rest:
            print(f"   {json.dumps(rest, ensure_ascii=False)}")


def main():
    name = sys.argv[1]
    shop = Shop(name)
    if "--find" in sys.argv:
        for record in shop.find(json.loads(sys.argv[sys.argv.index("--find") + 1])):
            print(record["id"], values(record, "price"), record["title"][:90])
        return
    mistakes, kinds, turns, ids = [], collections.Counter(), 0, set()
    with open(os.path.join(HERE, name + ".jsonl"), encoding="utf-8") as file:
        conversations = [json.loads(line) for line in file if line.strip()]
    for conversation in conversations:
        complain = lambda text: mistakes.append(f"{conversation['id']}: {text}")
        if conversation["id"] in ids:
            complain("the id is used twice")
        ids.add(conversation["id"])
        for i, turn in enumerate(conversation["turns"], 1):
            check_turn(shop, turn, i, complain)
            kinds[turn.get("kind")] += 1
            turns += 1
        if "--show" in sys.argv and conversation["id"] == sys.argv[sys.argv.index("--show") + 1]:
            show(shop, conversation)
    print(f"{len(conversations)} conversations, {turns} turns, {len(mistakes)} mistakes")
    print(", ".join(f"{kind} {count}" for kind, count in kinds.most_common()))
    print("\n".join(mistakes))
    sys.exit(1 if mistakes else 0)


if __name__ == "__main__":
    main()
