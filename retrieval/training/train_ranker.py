"""Trains the linear model of the reranker on features that `emptor eval retrieval --features` wrote.

    emptor eval retrieval --products P --judgments J --mode hybrid --features a.tsv
    python train_ranker.py --features a.tsv:2^g-1 --features b.tsv:2^(g-1)-1 --output emptor-rank.json
    python train_ranker.py --features a.tsv:2^g-1 --folds 5 --output 'rank.{fold}.json'
    emptor eval retrieval --products P --judgments J --mode hybrid,reranked --folds 5 --ranker 'rank.{fold}.json'

Loss: cross entropy between the softmax of the scores of a query's candidates and their gains (ListNet, Cao et al. 2007),
once over all candidates, where an unjudged one has no gain, and once over the judged ones. Each data set counts as much
as the others, whatever its size. With --folds, the model of fold f has not seen the queries of fold f. Stock, price,
image, popularity and rating get no weight: the judgments at hand say nothing about them.
"""
import argparse
import json

import numpy as np
from scipy.optimize import minimize

GAINS = {"2^g-1": lambda g: 2.0**g - 1, "2^(g-1)-1": lambda g: 2.0 ** (g - 1) - 1, "g": lambda g: g}
WITHOUT_EVIDENCE = {"popularity", "rating", "in_stock", "has_price", "has_image", "query_terms"}
CANDIDATES = 50


def read_features(path, gain):
    """Arrays by query: features [queries, CANDIDATES, n], gains, present, judged; folds; names of the features."""
    queries = {}
    with open(path, encoding="utf-8") as lines:
        names = next(lines).rstrip("\n").split("\t")[4:]
        for line in lines:
            query, fold, _, grade, *values = line.rstrip("\n").split("\t")
            queries.setdefault(query, (int(fold), []))[1].append((grade, values))
    shape = (len(queries), CANDIDATES)
    features = np.zeros(shape + (len(names),), np.float32)
    gains, present, judged = np.zeros(shape, np.float32), np.zeros(shape, bool), np.zeros(shape, bool)
    folds = np.array([fold for fold, _ in queries.values()])
    for q, (_, candidates) in enumerate(queries.values()):
        for i, (grade, values) in enumerate(candidates[:CANDIDATES]):
            features[q, i] = values
            present[q, i] = True
            judged[q, i] = grade != ""
            gains[q, i] = max(0.0, gain(float(grade))) if grade else 0.0
    return {"names": names, "folds": folds, "arrays": (features, gains, present, judged)}


def loss_and_gradient(weights, sets, all_share, decay):
    """Cross entropy over the sets, each by its mean over queries."""
    loss, gradient = decay * weights @ weights, 2 * decay * weights
    for features, gains, present, judged in sets:
        scores = features @ weights.astype(np.float32)
        for mask, share in ((present, all_share), (judged, 1 - all_share)):
            logits = np.where(mask, scores, -1e9)
            logits -= logits.max(axis=1, keepdims=True)
            odds = np.exp(logits)
            total = odds.sum(axis=1, keepdims=True)
            loss += share / len(scores) * float(-(gains * (logits - np.log(total)))[mask].sum())
            slope = (odds / total - gains * mask) * (share / len(scores))
            gradient = gradient + np.einsum("qc,qcf->f", slope, features, optimize=True)
    return loss, gradient


def train(data, without_fold, all_share, decay):
    """Weights by feature, of features as they are."""
    names = data[0]["names"]
    kept = [each["arrays"] if without_fold is None
            else tuple(array[each["folds"] != without_fold] for array in each["arrays"]) for each in data]
    moments = [(f[p].mean(axis=0), f[p].var(axis=0)) for f, _, p, _ in kept]
    mean = np.mean([m for m, _ in moments], axis=0)
    scale = np.sqrt(np.mean([v for _, v in moments], axis=0)) + 1e-6
    used = np.array([name not in WITHOUT_EVIDENCE for name in names])
    sets = []
    for features, gains, present, judged in kept:
        answered = gains.sum(axis=1) > 0
        share = gains[answered] / gains[answered].sum(axis=1, keepdims=True)
        scaled = ((features[answered] - mean) / scale * used).astype(np.float32)
        sets.append((scaled, share, present[answered], judged[answered]))
    found = minimize(loss_and_gradient, np.zeros(len(names)), args=(sets, all_share, decay), jac=True,
                     method="L-BFGS-B", options={"maxiter": 60})
    return {name: round(float(w), 6) for name, w, use in zip(names, found.x / scale, used) if use}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--features", action="append", required=True, metavar="FILE:GAIN")
    parser.add_argument("--output", required=True)
    parser.add_argument("--folds", type=int, default=0, help="0: one model of all queries; 5: one without each fold")
    parser.add_argument("--all-share", type=float, default=1.0, help="of the loss over all candidates; rest: judged")
    parser.add_argument("--decay", type=float, default=0.01)
    arguments = parser.parse_args()
    data = [read_features(path, GAINS[gain])
            for path, gain in (each.rsplit(":", 1) for each in arguments.features)]
    for fold in range(arguments.folds) if arguments.folds else [None]:
        weights = train(data, fold, arguments.all_share, arguments.decay)
        path = arguments.output.replace("{fold}", str(fold))
        with open(path, "w", encoding="utf-8") as out:
            json.dump({"format": "emptor-ranking-1", "linear": weights}, out, indent=1)
            out.write("\n")


if __name__ == "__main__":
    main()
