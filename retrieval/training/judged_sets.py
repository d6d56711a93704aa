"""BM25, an embedder and both together on judged sets that training never saw (EMPTOR_TEST_DATA)."""
import io
import json
import math
import os
import random
import re
from collections import Counter, defaultdict
from pathlib import Path

import numpy as np
import zstandard

import bpe

HERE = Path(__file__).resolve().parent
DATA = Path(os.environ.get("EMPTOR_TEST_DATA", HERE.parents[2] / "shared" / "data"))


def lines(path):
    raw = path.open("rb")
    stream = zstandard.ZstdDecompressor().stream_reader(raw) if path.suffix == ".zst" else raw
    for line in io.TextIOWrapper(stream, encoding="utf-8", newline="\n"):
        yield line.rstrip("\n")


def icecat():
    """(documents: id -> (text for BM25, text for the embedder), judgments: query -> {id: gain})"""
    documents = {}
    for line in lines(DATA / "icecat_chorus" / "products.jsonl.zst"):
        p = json.loads(line)
        extra = f"{p.get('short_description') or ''} {p.get('supplier') or ''}"
        documents[str(p["id"])] = (f"{p['title']} {extra}", f"{p['title']} {extra}"[:240])
    judged = defaultdict(dict)
    for row in list(lines(DATA / "icecat_chorus" / "judgments.tsv"))[1:]:
        query, docid, rating = row.split("\t")[:3]
        judged[query][docid] = float(rating)
    return documents, {q: g for q, g in judged.items() if max(g.values()) > 0}, lambda g: 2 ** g - 1, 1


def homedepot():
    documents = {}
    for row in list(lines(DATA / "homedepot" / "products.tsv.zst"))[1:]:
        uid, title = row.split("\t")[:2]
        documents[uid] = (title, title)
    judged = defaultdict(dict)
    for row in list(lines(DATA / "homedepot" / "judgments.tsv.zst"))[1:]:
        _, query, uid, relevance = row.split("\t")[:4]
        judged[query][uid] = float(relevance)
    chosen = random.Random(7).sample(sorted(q for q, g in judged.items() if max(g.values()) >= 2.33), 600)
    return documents, {q: judged[q] for q in chosen}, lambda g: 2 ** (g - 1) - 1, 2.33


def sample_shop():
    """Our own shop and questions: easy, and written by the authors of the lexicon; a smoke test, not a proof."""
    folder = HERE.parents[1] / "data" / "sample-shop"
    documents = {}
    for name in ("products.jsonl", "products.zh-CN.jsonl", "faq.jsonl"):
        for line in lines(folder / name):
            p = json.loads(line)
            facts = ", ".join(f"{k}: {v}" for k, v in p.get("attributes", {}).items())
            text = f"{p['title']} {' '.join(p.get('categories', []))} {facts}"
            documents[p["id"]] = (f"{text} {p.get('description', p.get('text', ''))}", text)
    judged = {q["question"]: {i: 1.0 for i in q["ids"]} for q in map(json.loads, lines(folder / "questions.jsonl"))}
    return documents, judged, float, 1


LOADERS = {"icecat": icecat, "homedepot": homedepot, "sample-shop": sample_shop}


def words(text):
    return [w[:-1] if len(w) > 3 and w.endswith("s") and not w.endswith("ss") else w
            for w in re.findall(r"\w+", bpe.normalize(text))]


class Bm25:
    def __init__(self, texts, k1=0.9, b=0.4):
        counts = [Counter(words(t)) for t in texts]
        lengths = np.array([sum(c.values()) for c in counts])
        frequency = Counter(w for c in counts for w in c)
        self.postings = defaultdict(list)
        for i, c in enumerate(counts):
            norm = k1 * (1 - b + b * lengths[i] / lengths.mean())
            for w, n in c.items():
                idf = math.log(1 + (len(texts) - frequency[w] + 0.5) / (frequency[w] + 0.5))
                self.postings[w].append((i, idf * n * (k1 + 1) / (n + norm)))
        self.size = len(texts)

    def scores(self, query):
        total = np.zeros(self.size, dtype=np.float32)
        for w in words(query):
            for i, s in self.postings.get(w, ()):
                total[i] += s
        return total


def top(scores, count):
    best = np.argpartition(-scores, count)[:count]
    return [int(i) for i in best[np.argsort(-scores[best], kind="stable")] if scores[i] > 0]


def rrf(rankings, k=60):
    total = defaultdict(float)
    for ranking in rankings:
        for position, i in enumerate(ranking):
            total[i] += 1 / (k + position + 1)
    return sorted(total, key=lambda i: -total[i])


def weighted(lexical, dense, candidates, share):
    """share * BM25 (divided by its best) + (1 - share) * cosine, over both candidate lists."""
    peak = max(lexical.max(), 1e-9)
    return sorted(candidates, key=lambda i: -(share * lexical[i] / peak + (1 - share) * dense[i]))


def measure(ranking, grades, gain, threshold):
    """nDCG@10 with unjudged as 0, nDCG@10 over judged items only, recall@100, judged@10."""
    ideal = sorted((gain(g) for g in grades.values()), reverse=True)[:10]
    best = sum(g / math.log2(i + 2) for i, g in enumerate(ideal)) or 1
    def ndcg(items):
        return sum(gain(grades[d]) / math.log2(i + 2) for i, d in enumerate(items[:10]) if d in grades) / best
    relevant = {d for d, g in grades.items() if g >= threshold}
    return (ndcg(ranking), ndcg([d for d in ranking if d in grades]),
            len(relevant & set(ranking[:100])) / max(1, len(relevant)), sum(d in grades for d in ranking[:10]) / 10)


def evaluate(name, embed):
    """Prints a table for a set of LOADERS; `embed`: texts -> rows of length 1, or zeros."""
    documents, judged, gain, threshold = LOADERS[name]()
    ids = list(documents)
    bm25 = Bm25([documents[i][0] for i in ids])
    matrix = embed([documents[i][1] for i in ids])
    results = defaultdict(list)
    for query, grades in judged.items():
        lexical, dense = bm25.scores(query), matrix @ embed([query])[0]
        a, b = top(lexical, 300), top(dense, 300)
        both = list(dict.fromkeys(a + b))
        rankings = {"BM25": a, "dense": b, "RRF": rrf([a, b]), "RRF, BM25 twice": rrf([a, a, b])}
        for share in (0.8, 0.6):
            rankings[f"weighted {share}"] = weighted(lexical, dense, both, share)
        for label, ranking in rankings.items():
            results[label].append(measure([ids[i] for i in ranking], grades, gain, threshold))
    print(f"\n{name}: {len(judged)} queries, {len(ids)} documents\n"
          "| ranking | nDCG@10 | nDCG@10 judged only | recall@100 | judged@10 |\n| --- | --- | --- | --- | --- |")
    for label, rows in results.items():
        print("| " + " | ".join([label, *(f"{x:.3f}" for x in np.mean(rows, axis=0))]) + " |", flush=True)
