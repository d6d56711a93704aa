#!/usr/bin/env python3
"""Trains the shipped embedder on data invented from our own lexicon and writes it as GGUF."""
import argparse
import json
import random
import time
from pathlib import Path

import numpy as np
import torch
from tokenizers import Tokenizer

import bpe
import gguf_file
import lexicon
import model as static
from pair_batches import false_negatives
from pairs import Generator

HERE = Path(__file__).resolve().parent
REFERENCE_TEXTS = [
    "electric kettle", "Quiet Cordless Vacuum for PET HAIR", "27 inch 4K monitor, USB-C", "ＵＳＢ－Ｃ　Ｃｈａｒｇｅｒ",
    "静音无线吸尘器", "推荐一款 1.7 升电热水壶", "wireless headphones 降噪", "HP 51625AE ink cartridge",
    "does it fit my phone?", "Straße café ﬁt", "1920x1080 144Hz  2-pack", "",
]


def tokenizer_texts(generator, count):
    """Mostly plain retail words: invented brands must not fill the vocabulary."""
    for pair in generator.pairs(count):
        yield pair.query
        if generator.rng.random() < 0.3:
            yield pair.passage
    for kind in generator.lexicon.types:
        for text in (*kind.names, *kind.needs, *kind.chinese, kind.department):
            for form in (text, " " + text, text.title(), text + "s"):
                yield from (form, form, form)


def held_out_accuracy(reader, tokenizer, seed, known):
    """Share of unseen invented queries whose passage ranks first of 1000, strangers' right answers left out."""
    pairs = Generator(known, seed, word_share=0).pairs(1000)
    queries = reader.embed_all(bpe.encode(tokenizer, [p.query for p in pairs]))
    passages = reader.embed_all(bpe.encode(tokenizer, [p.passage for p in pairs]))
    similarity = queries @ passages.T
    for i, j in false_negatives(pairs):
        similarity[i, j] = -1
    return float((similarity.argmax(axis=1) == np.arange(len(pairs))).mean())


def write_reference(path, reader, tokenizer):
    """Token ids and first numbers of some embeddings: the oracle for the C++ encoder."""
    cases = [{"text": text, "ids": ids, "embedding_head": [round(float(x), 6) for x in reader.embed(ids)[:8]]}
             for text, ids in zip(REFERENCE_TEXTS, bpe.encode(tokenizer, REFERENCE_TEXTS))]
    path.write_text(json.dumps({"model": "emptor-embed.gguf", "tolerance": 1e-4, "cases": cases},
                               ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=HERE.parent / "models" / "emptor-embed.gguf")
    parser.add_argument("--reference", type=Path, default=HERE / "reference_vectors.json")
    parser.add_argument("--vocabulary", type=int, default=16384)
    parser.add_argument("--dimensions", type=int, default=256)
    parser.add_argument("--pairs", type=int, default=250_000)
    parser.add_argument("--steps", type=int, default=3500)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(options.seed)
    random.seed(options.seed)

    known = lexicon.load()
    tokenizer = bpe.train(tokenizer_texts(Generator(known, options.seed + 1, word_share=0), 60_000), options.vocabulary)
    vocabulary = sorted(tokenizer.get_vocab(), key=tokenizer.get_vocab().get)
    started = time.time()
    pairs = Generator(known, options.seed).pairs(options.pairs)
    queries = bpe.encode(tokenizer, [p.query for p in pairs])
    passages = bpe.encode(tokenizer, [p.passage for p in pairs])
    print(f"{len(vocabulary)} tokens, {len(pairs)} pairs in {time.time() - started:.0f} s", flush=True)

    embedder = static.StaticEmbedder(vocabulary, options.dimensions)
    static.train(embedder, pairs, queries, passages, options.steps, options.seed)
    counts = np.bincount(np.fromiter((i for s in queries + passages for i in s), dtype=np.int64), minlength=len(vocabulary))
    vectors, weights = static.finish(embedder, counts >= 5)
    options.out.parent.mkdir(parents=True, exist_ok=True)
    gguf_file.write(options.out, tokenizer, vectors, weights, "Emptor Embed")

    reader = gguf_file.Reader(options.out)
    tokenizer = Tokenizer.from_str(gguf_file.tokenizer_json(options.out))
    write_reference(options.reference, reader, tokenizer)
    print(f"{options.out}: {options.out.stat().st_size} bytes, {time.time() - started:.0f} s, "
          f"accuracy on unseen invented pairs {held_out_accuracy(reader, tokenizer, options.seed + 99, known):.3f}")


if __name__ == "__main__":
    main()
