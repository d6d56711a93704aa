#!/usr/bin/env python3
"""Searches for questions that the embedder finds near an entry, and that the entry does not answer.

Each near question of minimal_pairs.jsonl (sides 1 and 2) differs from its entry in one fact. Words are put behind it, before it
or inside it, one after the other, each time the one that raises the cosine with the entry most. No word has a digit or denies, and none
belongs to the paraphrases alone, so that the fact stays what it is. Needs a service for the vectors:

  emptor serve --data-dir DIR --model none &
  python3 data/eval/faq/find_near_collisions.py --url http://localhost:8080 --out data/eval/faq/near_collisions.jsonl
"""
import argparse
import json
import pathlib
import re
import urllib.request

import numpy

FOLDER = pathlib.Path(__file__).parent
DENYING = {"no", "not", "never", "without", "nothing", "none", "neither", "nor", "cannot", "unless", "except"}
QUESTION_WORDS = 3  # "how many days" stays whole: it may be the fact that differs
FILLERS = "please thanks really just actually maybe exactly again today now hello kindly quickly simply".split()


def fnv1a(text):
    value = 0xCBF29CE484222325
    for byte in text.encode():
        value = (value ^ byte) * 0x100000001B3 & (2**64 - 1)
    return value


def read_pairs():
    entries, near = {}, []
    for line in (FOLDER / "minimal_pairs.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        if fnv1a(row["id"]) % 5 not in (1, 2):
            continue
        if row["kind"] == "entry":
            entries[row["id"]] = row["text"]
        elif row["kind"] == "near":
            near.append(row)
    return entries, near


class Embedder:
    def __init__(self, url):
        self.url, self.known = url, {}

    def __call__(self, texts):
        missing = [text for text in dict.fromkeys(texts) if text not in self.known]
        for start in range(0, len(missing), 256):
            part = missing[start : start + 256]
            request = urllib.request.Request(
                self.url + "/v1/embeddings", json.dumps({"input": part}).encode(), {"Content-Type": "application/json"}
            )
            with urllib.request.urlopen(request) as reply:
                for text, item in zip(part, json.load(reply)["data"]):
                    self.known[text] = numpy.array(item["embedding"], numpy.float32)
        return numpy.stack([self.known[text] for text in texts])


def variants(text, word, place):
    """The question with a word more."""
    words = text.split()
    if place == "behind":
        return [text + " " + word]
    if place == "before":
        return [word + " " + text]
    return [" ".join(words[:i] + [word] + words[i:]) for i in range(min(QUESTION_WORDS, len(words) - 1), len(words))]


def climb(embed, question, entry, words, place, steps):
    """Greedy: the best of all words, `steps` times."""
    target = embed([entry])[0]
    for _ in range(steps):
        tried = [text for word in words for text in variants(question, word, place)]
        scores = embed(tried) @ target
        question = tried[int(scores.argmax())]
    return question, float(scores.max())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--url", default="http://localhost:8080")
    parser.add_argument("--out", required=True)
    parser.add_argument("--count", type=int, default=500)
    arguments = parser.parse_args()
    entries, near = read_pairs()
    embed = Embedder(arguments.url)
    found = []
    for row in near:
        entry = entries[row["id"]]
        own = [word for word in re.findall(r"[a-z]+", entry.lower()) if word not in DENYING and len(word) > 1]
        words = list(dict.fromkeys(own + FILLERS))
        before = float(embed([row["text"]])[0] @ embed([entry])[0])
        for place, steps in (("behind", 3), ("before", 2), ("inside", 2)):
            if place == "inside" and " " not in row["text"]:
                continue
            text, cosine = climb(embed, row["text"], entry, words, place, steps)
            if cosine > before:
                found.append({"id": row["id"], "why": row["why"], "text": text, "cosine": round(cosine, 4)})
    found.sort(key=lambda item: -item["cosine"])
    distinct = list({item["text"]: item for item in found}.values())[: arguments.count]
    with open(arguments.out, "w", encoding="utf-8") as out:
        for item in distinct:
            out.write(json.dumps(item, ensure_ascii=False) + "\n")
    print(f"{len(near)} near questions, {len(found)} variants with a greater cosine, {len(distinct)} written")


if __name__ == "__main__":
    main()
