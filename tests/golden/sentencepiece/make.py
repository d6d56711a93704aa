#!/usr/bin/env python3
"""Writes the vocabularies and expected ids that SentencePiece's own library gives.

Run once, from the repository root: pip install sentencepiece==0.2.3 gguf==0.19.0, then
  python3 tests/golden/sentencepiece/make.py [FOLDER]
It trains small models on the project's own prose, stores each as a vocabulary-only GGUF, and encodes
inputs.txt (one text a line, \\n and \\t written out) with the library. sentencepiece_test.cc compares.
"""
import io
import pathlib
import sys

import gguf
import sentencepiece as spm

ROOT = pathlib.Path(__file__).resolve().parents[3]
PROSE = ["README.md", "ARCHITECTURE.md", "docs/formats/*.md", "docs/adr/*.md", "*/README.md"]
# What a normaliser does: one to one, many to one, one to many, longer before shorter, away.
RULES = {"\u00e9": "e", "e\u0301": "e", "\ufb01": "fi", "\uff21": "A", "\u3000": " ", "\u00a0": " ", "\t": " ", "\n": " ",
         "\u00bd": "1/2", "\u2026": "...", "ab\u0301": "x", "\u00ad": ""}
COMMON = dict(vocab_size=400, character_coverage=0.995, hard_vocab_limit=False, num_threads=1,
              minloglevel=2, user_defined_symbols=["[1]", "[1:price]"])
MODELS = {
    # As T5: normalised, blanks collapsed, an unknown token.
    "unigram": dict(model_type="unigram", normalization_rule_tsv="rules.tsv"),
    # Every byte has a token, text is left as it is.
    "unigram_bytes": dict(model_type="unigram", normalization_rule_name="identity",
                          remove_extra_whitespaces=False, byte_fallback=True),
    # As Llama-2.
    "bpe": dict(model_type="bpe", normalization_rule_name="identity",
                remove_extra_whitespaces=False, byte_fallback=True, user_defined_symbols=[]),
}


def fields(message):
    """The (number, value) pairs of a protobuf message; only what these files hold."""
    at = 0

    def varint():
        nonlocal at
        value = shift = 0
        while True:
            byte = message[at]
            at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value
    while at < len(message):
        key = varint()
        kind = key & 7
        if kind == 0:
            yield key >> 3, varint()
        else:
            size = {1: 8, 5: 4}.get(kind) or varint()
            yield key >> 3, message[at:at + size]
            at += size


def charsmap(model):
    """ModelProto.normalizer_spec.precompiled_charsmap."""
    spec = dict(fields(dict(fields(model))[3]))
    return spec.get(2, b"")


def write_gguf(model, options, path):
    sp = spm.SentencePieceProcessor(model_proto=model)
    user = options.get("user_defined_symbols", [])
    tokens, scores, types = [], [], []
    for i in range(sp.vocab_size()):
        piece = sp.id_to_piece(i)
        kind = (2 if sp.is_unknown(i) else 3 if sp.is_control(i) else 6 if sp.is_byte(i) else
                5 if sp.is_unused(i) else 4 if piece in user else 1)
        tokens.append(piece.encode())
        scores.append(sp.get_score(i))
        types.append(kind)
    unigram = options["model_type"] == "unigram"
    writer = gguf.GGUFWriter(str(path), "t5" if unigram else "llama")
    writer.add_tokenizer_model("t5" if unigram else "llama")
    writer.add_token_list(tokens)
    writer.add_token_scores(scores)
    writer.add_token_types(types)
    writer.add_unk_token_id(sp.unk_id())
    writer.add_eos_token_id(sp.eos_id())
    writer.add_add_bos_token(False)
    writer.add_remove_extra_whitespaces(options.get("remove_extra_whitespaces", True))
    if charsmap(model):
        writer.add_precompiled_charsmap(charsmap(model))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.close()
    return sp


def train(options, rules):
    text = "\n".join(p.read_text() for pattern in PROSE for p in sorted(ROOT.glob(pattern)))
    options = dict(COMMON, **options)
    if "normalization_rule_tsv" in options:
        rules.write_text("".join("\t".join([" ".join("%X" % ord(c) for c in source),
                                            " ".join("%X" % ord(c) for c in target)]) + "\n"
                                 for source, target in RULES.items()))
        options["normalization_rule_tsv"] = str(rules)
    out = io.BytesIO()
    spm.SentencePieceTrainer.train(sentence_iterator=iter(text.split("\n")), model_writer=out, **options)
    rules.unlink(missing_ok=True)
    return out.getvalue(), options


def main():
    folder = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else pathlib.Path(__file__).parent
    lines = (pathlib.Path(__file__).parent / "inputs.txt").read_text().split("\n")[:-1]
    inputs = [line.replace("\\n", "\n").replace("\\t", "\t") for line in lines]
    for name, options in MODELS.items():
        model, options = train(options, folder / "rules.tsv")
        sp = write_gguf(model, options, folder / f"{name}.gguf")
        ids = [" ".join(map(str, sp.encode(text))) for text in inputs]
        (folder / f"{name}.out").write_text("".join(line + "\n" for line in ids))


if __name__ == "__main__":
    main()
