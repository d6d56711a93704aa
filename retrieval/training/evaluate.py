#!/usr/bin/env python3
"""Measures BM25, the embedder and both together on judged sets that training never saw (EMPTOR_TEST_DATA)."""
import argparse
from pathlib import Path

from tokenizers import Tokenizer

import bpe
import gguf_file
import judged_sets


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    models = Path(__file__).resolve().parents[1] / "models"
    parser.add_argument("--model", type=Path, default=models / "emptor-embed.gguf")
    parser.add_argument("--sets", nargs="*", choices=list(judged_sets.LOADERS), default=list(judged_sets.LOADERS))
    options = parser.parse_args()
    reader = gguf_file.Reader(options.model)
    tokenizer = Tokenizer.from_str(gguf_file.tokenizer_json(options.model))
    for name in options.sets:
        judged_sets.evaluate(name, lambda texts: reader.embed_all(bpe.encode(tokenizer, texts)))


if __name__ == "__main__":
    main()
