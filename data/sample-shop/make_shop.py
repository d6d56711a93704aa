#!/usr/bin/env python3
"""Writes the sample shop (products, drawings, FAQ, test questions) from its lexicon. Same seed, same bytes."""
import argparse
import json
import shutil
from pathlib import Path

from shopgen import faq, questions
from shopgen.drawing import draw
from shopgen.lexicon import load_pairs, load_types
from shopgen.products import Shop, check_text

HERE = Path(__file__).resolve().parent


def write_jsonl(path, records):
    with open(path, "w", encoding="utf-8", newline="\n") as out:
        for record in records:
            out.write(json.dumps(record, ensure_ascii=False, separators=(", ", ": ")) + "\n")


def write_images(folder, drawings):
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for product_id, kind_key, color, attributes in drawings:
        (folder / f"{product_id}.svg").write_text(draw(kind_key, color, attributes), encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=20261101)
    parser.add_argument("--out", type=Path, default=HERE)
    options = parser.parse_args()

    shop = Shop(options.seed, load_pairs(HERE / "lexicon" / "zh-values.txt"))
    for kind in load_types(HERE / "lexicon"):
        shop.add_type(kind)
    entries = faq.load(HERE / "lexicon" / "faq.txt")
    asked = questions.make(shop.products, shop.chinese, entries, shop.drawings, options.seed)
    check_text(shop.products + shop.chinese + entries)

    options.out.mkdir(parents=True, exist_ok=True)
    write_jsonl(options.out / "products.jsonl", shop.products)
    write_jsonl(options.out / "products.zh-CN.jsonl", shop.chinese)
    write_jsonl(options.out / "faq.jsonl", entries)
    write_jsonl(options.out / "questions.jsonl", asked)
    write_images(options.out / "images", shop.drawings)
    print(f"{len(shop.products)} products, {len(shop.chinese)} in Chinese, {len(entries)} FAQ entries, "
          f"{len(asked)} questions, {len(shop.drawings)} drawings in {options.out}")


if __name__ == "__main__":
    main()
