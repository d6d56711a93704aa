#!/usr/bin/env python3
"""Measures BM25, the embedder and both together on judged sets that training never saw (EMPTOR_TEST_DATA)."""
import argparse
import sys
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
sys.path.append(str(HERE.parent))  # judged_sets, static_file

import gguf_file
import judged_sets


def translated_queries(reader):
    """Recall of a translated query over the English products of icecat, next to that of the English query."""
    documents, judged, gain, threshold = judged_sets.icecat()
    ids = list(documents)
    matrix = reader.embed([documents[i][1] for i in ids])
    rows = [line.split("\t") for line in judged_sets.lines(HERE / "translated_queries.tsv")]
    rows = [row for row in rows if row[0] in judged]  # the others have no relevant product
    print(f"\ntranslations of {len(rows)} queries of icecat, dense\n| language | nDCG@10 | nDCG@10 judged only | recall@100 |\n"
          "| --- | --- | --- | --- |")
    for column, language in enumerate(("en", "de", "fr", "es", "zh")):
        scores = matrix @ reader.embed([row[column] for row in rows]).T
        found = [judged_sets.measure([ids[i] for i in judged_sets.top(scores[:, k], 300)], judged[row[0]], gain, threshold) for k, row in enumerate(rows)]
        print("| " + " | ".join([language, *(f"{x:.3f}" for x in np.mean(found, axis=0)[:3])]) + " |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", type=Path, default=HERE.parents[1] / "models" / "emptor-embed-multilingual.gguf")
    parser.add_argument("--sets", nargs="*", choices=list(judged_sets.LOADERS), default=list(judged_sets.LOADERS))
    options = parser.parse_args()
    reader = gguf_file.Reader(options.model)
    for name in options.sets:
        judged_sets.evaluate(name, reader.embed)
    if "icecat" in options.sets:
        translated_queries(reader)


if __name__ == "__main__":
    main()
