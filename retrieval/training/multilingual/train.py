#!/usr/bin/env python3
"""Distils the shipped embedder from all-MiniLM-L6-v2 and multilingual-e5-small and writes it as GGUF."""
import argparse
import hashlib
import json
import random
import sys
import time
from pathlib import Path

import numpy as np
import torch

sys.path.append(str(Path(__file__).resolve().parents[1]))  # lexicon, pairs and what the trainings share

import distill
import gguf_file
import model as static
import texts
import words
from pair_batches import false_negatives
from pairs import Generator
from sources import Sources
from teachers import E5, MiniLm
from vocabulary import KnownWords, Vocabulary, script

HERE = Path(__file__).resolve().parent
REFERENCE_TEXTS = [
    "electric kettle", "Quiet Cordless Vacuum for PET HAIR", "27 inch 4K monitor, USB-C", "ＵＳＢ－Ｃ　Ｃｈａｒｇｅｒ",
    "静音无线吸尘器", "推荐一款 1.7 升电热水壶", "wireless headphones 降噪", "HP 51625AE ink cartridge",
    "does it fit my phone?", "Straße café ﬁt", "1920x1080 144Hz  2-pack", "", "Kabelloser Akkustaubsauger, leise",
    "bouilloire électrique 1,7 l", "¿Tienen auriculares inalámbricos?", "Ðuro Щётка\nkettle", "...",
]
CHUNK = 4096


class Cache:
    """Vectors of a teacher by what was read, kept in a folder: an interrupted run continues."""

    def __init__(self, folder):
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)

    def encode(self, teacher, items):
        parts = []
        for at in range(0, len(items), CHUNK):
            part = items[at:at + CHUNK]
            digest = hashlib.sha256(json.dumps(part).encode()).hexdigest()[:16]
            path = self.folder / f"{teacher.name}-{digest}.npy"
            if not path.exists():
                np.save(path, teacher.encode(part).astype(np.float16))
                print(f"{teacher.name}: {at + len(part)} of {len(items)}", flush=True)
            parts.append(np.load(path).astype(np.float32))
        return np.concatenate(parts)


class Teaching:
    """The texts that are read, and what the teachers say of them."""

    def __init__(self, sources, known, vocabulary, cache, teachers, seed):
        self.sources, self.known, self.vocabulary, self.cache, self.seed = sources, known, vocabulary, cache, seed
        self.mini, self.e5 = teachers
        self.concepts = [c for found in sources.concepts.values() for c in found]
        self.composed = list(texts.composed(sources.concepts, 9000, seed))
        self.english = self.english_texts()
        vectors = cache.encode(self.mini, self.english)
        self.directions = distill.projection(random.Random(seed).sample(list(vectors), 20000))
        self.targets = distill.unit(vectors @ self.directions)
        self.row = {text: i for i, text in enumerate(self.english)}

    def english_texts(self):
        """Phrases of the lexicons, composed products, generated pairs, the sample shop, definitions, lists of words."""
        everyday = set(self.known.bert) | set(self.known.counts["en"])
        pairs = Generator(self.sources.retail, self.seed + 4, word_share=0).pairs(6000)
        listed = sorted(w for w in self.known.english if len(w) > 2)
        return list(dict.fromkeys([
            *(p for c in self.concepts for p in c["en"]), *(c["en"] for c in self.composed),
            *(t for p in pairs for t in (p.query, p.passage[:160])), *self.sources.shop_texts(),
            *texts.word_lists(listed, 5000, self.seed + 2),
            *texts.definitions(self.sources.wordnet, everyday, self.seed + 1)]))

    def first_rows(self):
        """One row for each token: the teachers' vectors without their mean, weighted by frequency."""
        pieces = self.vocabulary.pieces
        english = [i for i, p in enumerate(pieces) if len(p) > 1 and p.startswith(words.MARK)
                   and (script(p[1:]) == "number" or p[1:] in self.known.english)]
        found = distill.unit(self.cache.encode(self.mini, [pieces[i][1:] for i in english]) @ self.directions)
        seen = set(english)
        foreign = [i for i, p in enumerate(pieces) if i not in seen
                   and (len(p) > 2 and p.startswith(words.MARK) and script(p[1:]) == "latin" or script(p) == "han")]
        both = np.random.RandomState(self.seed).choice([k for k, i in enumerate(english) if len(pieces[i]) > 3], 5000, False)
        read = [self.vocabulary.spelled.get(pieces[i]) or pieces[i].strip(words.MARK)
                for i in [*(english[k] for k in both), *foreign]]
        e5 = self.cache.encode(self.e5, read)
        translated = distill.Translation(e5[:len(both)], found[both]).apply(e5[len(both):])
        rows = np.zeros((len(pieces), distill.DIMENSIONS), np.float32)
        rows[english] = distill.unit(found - found.mean(axis=0))
        chinese = np.array([script(pieces[i]) == "han" for i in foreign])
        for kind in (chinese, ~chinese):   # texts of a language are not alike for being in it
            rows[np.array(foreign)[kind]] = distill.unit(translated[kind] - translated[kind].mean(axis=0))
        self.fill(rows, english)
        weights = distill.token_weights(np.array([score for _, score in self.vocabulary.listed]))
        weights[[0, self.vocabulary.ids[words.MARK]]] = 0
        return rows * weights[:, None]

    def fill(self, rows, english):
        """Other pieces: as the beginning of a word with the same letters, or by e5's own vector of the piece."""
        pieces, ids, origins = self.vocabulary.pieces, self.vocabulary.ids, self.vocabulary.origins
        known = rows.any(axis=1)
        own = {i: self.e5.words[origins[p]].mean(axis=0) for i, p in enumerate(pieces) if p in origins}
        taught = [i for i in english if i in own]
        translation = distill.Translation(np.stack([own[i] for i in taught]), rows[taught])
        rng = np.random.RandomState(self.seed)
        for i in np.flatnonzero(~known):
            twin = ids.get(pieces[i][1:] if pieces[i].startswith(words.MARK) else words.MARK + pieces[i])
            if twin is not None and known[twin]:
                rows[i] = rows[twin]
            elif i in own:
                rows[i] = translation.apply(own[i][None])[0]
            else:
                rows[i] = distill.unit(rng.randn(distill.DIMENSIONS).astype(np.float32))

    def foreign_phrases(self):
        """(phrase, vector): what the English phrases of its line mean."""
        for concept in self.concepts:
            meant = distill.unit(np.mean([self.targets[self.row[p]] for p in concept["en"]], axis=0))
            for language in ("de", "fr", "es", "zh"):
                yield from ((p, meant) for p in concept.get(language, ()))

    def translations(self):
        """(text, the same in English)"""
        return [(text, c["en"]) for c in self.composed for language, text in c.items() if language != "en"]


def train(teaching, tokenizer, options):
    encode = lambda found: words.encode(tokenizer, found)
    phrases, translated = list(teaching.foreign_phrases()), teaching.translations()
    foreign, english = (list(x) for x in zip(*translated))
    kinds = [static.TeacherTexts(encode(teaching.english), teaching.targets, 512),
             static.TeacherTexts(encode([p for p, _ in phrases]), np.array([v for _, v in phrases]), 256),
             static.TeacherTexts(encode(foreign), np.array([teaching.targets[teaching.row[t]] for t in english]), 256)]
    generator = Generator(teaching.sources.retail, options.seed + 10, word_share=0.3)
    generator.words += random.Random(options.seed).sample(sorted(w for w in teaching.known.english if len(w) > 2), 20000)
    pairs = generator.pairs(options.pairs)
    queries, passages = encode([p.query for p in pairs]), encode([p.passage for p in pairs])
    contrasts = [static.PairBatches(pairs, queries, passages, options.seed),
                 static.Translations(encode(foreign), encode(english), [teaching.row[t] for t in english], options.seed),
                 static.WordPools(teaching.vocabulary, teaching.known.english, pairs, passages, options.seed)]
    embedder = static.StaticEmbedder(teaching.first_rows())
    static.train(embedder, kinds, contrasts, options.steps, options.seed, options.work)
    return static.finish(embedder)


def held_out_accuracy(reader, seed, known):
    """Share of unseen invented queries whose passage ranks first of 1000, strangers' right answers left out."""
    pairs = Generator(known, seed, word_share=0).pairs(1000)
    similarity = reader.embed([p.query for p in pairs]) @ reader.embed([p.passage for p in pairs]).T
    for i, j in false_negatives(pairs):
        similarity[i, j] = -1
    return float((similarity.argmax(axis=1) == np.arange(len(pairs))).mean())


def write_reference(path, reader):
    """Token ids and first numbers of some embeddings: the oracle for the C++ encoder."""
    cases = [{"text": text, "ids": ids, "embedding_head": [round(float(x), 6) for x in reader.embed_ids(ids)[:8]]}
             for text, ids in zip(REFERENCE_TEXTS, reader.ids(REFERENCE_TEXTS))]
    path.write_text(json.dumps({"model": "emptor-embed-multilingual.gguf", "tolerance": 1e-4, "cases": cases},
                               ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=HERE.parents[1] / "models" / "emptor-embed-multilingual.gguf")
    parser.add_argument("--reference", type=Path, default=HERE / "reference_vectors.json")
    parser.add_argument("--work", type=Path, default=HERE / ".work", help="keeps the teachers' vectors")
    parser.add_argument("--wordnet", type=Path, default=Path("/usr/share/wordnet"))
    parser.add_argument("--pairs", type=int, default=30_000)
    parser.add_argument("--steps", type=int, default=1600)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(options.seed)
    started = time.time()

    mini, e5 = MiniLm(), E5()
    sources = Sources(options.wordnet, mini.vocabulary)
    known = KnownWords(sources)
    vocabulary = Vocabulary(e5.pieces, known)
    teaching = Teaching(sources, known, vocabulary, Cache(options.work), (mini, e5), options.seed)
    print(f"{len(vocabulary.pieces)} tokens, {len(teaching.english)} texts, {time.time() - started:.0f} s", flush=True)
    vectors, weights = train(teaching, vocabulary.tokenizer(), options)
    options.out.parent.mkdir(parents=True, exist_ok=True)
    gguf_file.write(options.out, vocabulary.listed, vectors, weights, "Emptor Embed")

    reader = gguf_file.Reader(options.out)
    write_reference(options.reference, reader)
    print(f"{options.out}: {options.out.stat().st_size} bytes, {time.time() - started:.0f} s, "
          f"accuracy on unseen invented pairs {held_out_accuracy(reader, options.seed + 99, sources.retail):.3f}")


if __name__ == "__main__":
    main()
