"""Makes the golden files of the tokenizer.json reader with the reference library.

    pip install tokenizers==0.23.3 sentencepiece protobuf
    python tests/golden/tokenizer_json/make.py

Each <case>.json is a tokenizer trained here on made-up text; <case>.out has, for each line of
inputs.jsonl (a JSON string), the ids that the library gives with special tokens in the text taken
as plain text, without the template. framed.txt: the ids of one text with the template.
"""
import json
import pathlib
import random

from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, normalizers
from tokenizers import pre_tokenizers, processors, trainers

HERE = pathlib.Path(__file__).parent

LLAMA3 = (r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*"
          r"|\s*[\r\n]+|\s+(?!\S)|\s+")
QWEN2 = LLAMA3.replace(r"\p{N}{1,3}", r"\p{N}")

STEMS = """camera tripod lens battery charger keyboard mouse monitor printer paper kettle toaster
headphone speaker cable adapter memory laptop tablet phone cover screen garden hose drill hammer
screwdriver paint brush carpet lamp bulb socket wireless portable rechargeable waterproof black white
silver price under over between with without and the for which best cheapest what does it have
Größe Gerät für größer Ménage café naïve façade élégant Zubehör Über Straße Kühlschrank
камера штатив объектив кабель 中文 键盘 显示器 日本語 キーボード 안녕하세요 키보드 नमस्ते ไทย""".split()


def corpus(lines):
    rng = random.Random(7)
    for _ in range(lines):
        words = [rng.choice(STEMS) for _ in range(rng.randint(3, 14))]
        if rng.random() < 0.4:
            words.insert(rng.randrange(len(words)), str(rng.randint(0, 99999)))
        if rng.random() < 0.3:
            words[0] = words[0].capitalize()
        yield " ".join(words) + rng.choice([".", "!", "?", "", ", it's 5,99 €", "\n", " - don't"])


INPUTS = [
    "", " ", "  ", "a", " a", "a ", "  a  b  ", "\n", "\n\n\n", "\t\t x", "x \n\n  y\r\n z\r",
    "Which camera with tripod under 500 EUR?", "It's what we'll DON'T I'M you'Ve he'D they'RE",
    "camera camera  camera   camera    camera", "1 12 123 1234 12345 123456789 3.14 1,000,000",
    "Größe café naïve FAÇADE ÉLÉGANT Straße ÜBER", "Cafe\u0301 A\u030angstro\u0308m o\u0323\u0307",
    "камера Штатив объектив", "中文键盘和显示器", "日本語キーボードです。", "안녕하세요 키보드",
    "नमस्ते दुनिया क्ष", "ภาษาไทย", "مرحبا بالعالم", "שלום עולם", "👍🏽 👨‍👩‍👧 🇩🇪 ❤️", "x\u200by\u00adz\u2060",
    "\u00a0nbsp\u3000ideographic\u2003em", "a\u0000b\u0001c\u007fd\ufffde", "ﬁne ①② ½ ™ ㎏ Ａ１",
    "İstanbul ıI ΣΑΣ ǅ ẞ", "$5 + <tag> = ^~|`'\"\\/", "«quotes» “curly” — dash … ellipsis ¿qué?",
    "foo_bar-baz/qux@example.com http://a.b/c?d=e&f#g", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
    "x" * 120, "[USER] mid[USER]dle [USER]", "a [PAD2]  b", "left  <|left|> right <|left|>x",
    "\u2581already\u2581marked \u2581", "² ³ ¹ ¼ ٣ ४ Ⅷ", "\u0301 leading mark", "\U0001f468\u200d\U0001f4bb dev",
    "\U000e0041 tag \ue000 private", "ſ 'ſ 'S 'T", "tab\tand\vvertical\ffeed\u0085nel\u2028line",
    "日本 camera 中 tripod文", "no\u0308\u0323 NFD \u212b \u1e9b\u0323", "ਪੰਜਾਬੀ ગુજરાતી বাংলা",
    "\u09fd\u0a76 \u1b7d \u2e43\u2e52 \U00011660", "a\u0300\u0301\u0302\u0303b \u20dd \u0488",
]
SPECIAL = ["<s>x</s>", "[CLS] a [SEP] [MASK]", "<|endoftext|> <|im_end|>", "<unk> [UNK] <pad>"]

USER = [AddedToken("[USER]", normalized=False, special=False)]
USER_FULL = USER + [AddedToken("[PAD2]", normalized=False, special=False, rstrip=True),
                    AddedToken("<|left|>", normalized=False, special=False, lstrip=True)]


def train(tokenizer, trainer):
    tokenizer.train_from_iterator(list(corpus(600)), trainer)
    return tokenizer


def byte_level(pre, normalizer=None, size=700, **model):
    t = Tokenizer(models.BPE(**model))
    if normalizer is not None:
        t.normalizer = normalizer
    t.pre_tokenizer = pre
    t.decoder = decoders.ByteLevel()
    return train(t, trainers.BpeTrainer(
        vocab_size=size, show_progress=False, special_tokens=["<|endoftext|>", "<|im_end|>"],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet()))


def gpt2():
    t = byte_level(pre_tokenizers.ByteLevel(add_prefix_space=False))
    t.post_processor = processors.ByteLevel(trim_offsets=False)
    t.add_tokens(USER_FULL)
    return t


def roberta():
    t = byte_level(pre_tokenizers.ByteLevel(add_prefix_space=True))
    t.add_special_tokens(["<s>", "</s>"])
    t.post_processor = processors.RobertaProcessing(
        ("</s>", t.token_to_id("</s>")), ("<s>", t.token_to_id("<s>")))
    return t


def split_then_bytes(*stages):
    return pre_tokenizers.Sequence([
        *stages, pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)])


def llama3():
    t = byte_level(split_then_bytes(pre_tokenizers.Split(Regex(LLAMA3), "isolated")),
                   ignore_merges=True)
    bos = t.token_to_id("<|endoftext|>")
    t.post_processor = processors.Sequence([
        processors.ByteLevel(trim_offsets=True),
        processors.TemplateProcessing(single="<|endoftext|> $A",
                                      special_tokens=[("<|endoftext|>", bos)])])
    return t


def qwen2():
    t = byte_level(split_then_bytes(pre_tokenizers.Split(Regex(QWEN2), "isolated")),
                   normalizer=normalizers.NFC())
    t.add_tokens(USER)
    return t


def smollm():
    return byte_level(pre_tokenizers.Sequence([
        pre_tokenizers.Digits(individual_digits=True),
        pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=True)]))


def falcon():
    return byte_level(pre_tokenizers.Sequence([
        pre_tokenizers.Punctuation("contiguous"),
        pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=True),
        pre_tokenizers.Digits(individual_digits=False),
        pre_tokenizers.Split(Regex("[0-9][0-9][0-9]"), "isolated")]))


def deepseek_coder():
    return byte_level(split_then_bytes(
        pre_tokenizers.Split(Regex("[\r\n]"), "isolated"),
        pre_tokenizers.Split(Regex(r"\s?\p{L}+"), "isolated"),
        pre_tokenizers.Split(Regex(r"\s?\p{P}+"), "isolated"),
        pre_tokenizers.Split(Regex("[一-龥ࠀ-一가-퟿]+"), "isolated"),
        pre_tokenizers.Digits(individual_digits=True)))


def with_gaps(**model):
    """The vocabulary has the bytes of the corpus alone."""
    t = Tokenizer(models.BPE(**model))
    t.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    t.decoder = decoders.ByteLevel()
    return train(t, trainers.BpeTrainer(vocab_size=400, show_progress=False,
                                        special_tokens=["<|endoftext|>", "<unk>"]))


def byte_gaps():
    return with_gaps()


def byte_gaps_unknown():
    return with_gaps(unk_token="<unk>")


def byte_gaps_fused():
    return with_gaps(unk_token="<unk>", fuse_unk=True)


BYTES = [f"<0x{b:02X}>" for b in range(256)]


def sentence_piece(normalizer, pre, bytes_=True):
    t = Tokenizer(models.BPE(unk_token="<unk>", fuse_unk=True, byte_fallback=bytes_))
    if normalizer is not None:
        t.normalizer = normalizer
    if pre is not None:
        t.pre_tokenizer = pre
    special = ["<unk>", "<s>", "</s>"] + (BYTES if bytes_ else [])
    t = train(t, trainers.BpeTrainer(vocab_size=900, show_progress=False, special_tokens=special,
                                     limit_alphabet=120))
    # Byte tokens are no added tokens in published files.
    raw = json.loads(t.to_str())
    raw["added_tokens"] = [a for a in raw["added_tokens"] if not a["content"].startswith("<0x")]
    t = Tokenizer.from_str(json.dumps(raw))
    t.post_processor = processors.TemplateProcessing(
        single="<s> $A", pair="<s> $A <s> $B", special_tokens=[("<s>", 1)])
    t.decoder = decoders.Sequence([decoders.Replace("▁", " "), decoders.ByteFallback(),
                                   decoders.Fuse(), decoders.Strip(" ", 1, 0)])
    return t


def llama2():
    t = sentence_piece(normalizers.Sequence([normalizers.Prepend("▁"),
                                             normalizers.Replace(" ", "▁")]), None)
    t.add_tokens(USER_FULL)
    return t


def mistral():
    t = sentence_piece(None, pre_tokenizers.Metaspace("▁", prepend_scheme="first", split=False))
    t.add_tokens(USER)
    return t


def metaspace_split():
    return sentence_piece(None, pre_tokenizers.Metaspace("▁", prepend_scheme="always", split=True),
                          bytes_=False)


def unigram(normalizer, pre):
    t = Tokenizer(models.Unigram())
    t.normalizer = normalizer
    t.pre_tokenizer = pre
    t = train(t, trainers.UnigramTrainer(vocab_size=500, show_progress=False, unk_token="<unk>",
                                         special_tokens=["<s>", "<pad>", "</s>", "<unk>"]))
    t.decoder = decoders.Metaspace()
    t.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>", special_tokens=[("<s>", 0), ("</s>", 2)])
    return t


# What a map does: one to one, many to one, one to many, longer before shorter, away.
RULES = {"\u00e9": "e", "e\u0301": "e", "\ufb01": "fi", "\uff21": "A", "\u3000": " ", "\u00a0": " ",
         "\t": " ", "\n": " ", "\u00bd": "1/2", "\u2026": "...", "ab\u0301": "x", "\u00ad": "",
         "\r\n": " ", "a\u0300": "a", "\u0308": ""}


def charsmap():
    """RULES in SentencePiece's binary form, out of a model trained on a few words."""
    import io
    import tempfile
    import sentencepiece
    from sentencepiece import sentencepiece_model_pb2
    with tempfile.NamedTemporaryFile("w", suffix=".tsv") as rules:
        for source, target in RULES.items():
            rules.write("\t".join(" ".join(f"{ord(c):X}" for c in text)
                                  for text in (source, target)) + "\n")
        rules.flush()
        out = io.BytesIO()
        sentencepiece.SentencePieceTrainer.train(
            sentence_iterator=iter(["a b c d e f"] * 20), model_writer=out, vocab_size=12,
            normalization_rule_tsv=rules.name, hard_vocab_limit=False, minloglevel=2)
    model = sentencepiece_model_pb2.ModelProto()
    model.ParseFromString(out.getvalue())
    return model.normalizer_spec.precompiled_charsmap


def precompiled():
    return unigram(normalizers.Sequence([normalizers.Precompiled(charsmap()),
                                         normalizers.Strip(left=False, right=True),
                                         normalizers.Replace(Regex(" {2,}"), "▁")]),
                   pre_tokenizers.Metaspace("▁", prepend_scheme="always"))


def xlmr():
    return unigram(
        normalizers.Sequence([normalizers.NFKC(), normalizers.Replace(Regex(" {2,}"), " "),
                              normalizers.Strip(left=False, right=True)]),
        pre_tokenizers.Sequence([pre_tokenizers.WhitespaceSplit(),
                                 pre_tokenizers.Metaspace("▁", prepend_scheme="always")]))


def t5():
    t = unigram(normalizers.Sequence([normalizers.Lowercase(), normalizers.StripAccents()]),
                pre_tokenizers.Metaspace("▁", prepend_scheme="first"))
    t.add_tokens([AddedToken("[USER]", normalized=True, special=False)])
    return t


def word_piece(normalizer, pre, **kwargs):
    t = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    t.normalizer = normalizer
    t.pre_tokenizer = pre
    t = train(t, trainers.WordPieceTrainer(
        vocab_size=800, show_progress=False, limit_alphabet=150,
        special_tokens=["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]))
    t.decoder = decoders.WordPiece()
    t.post_processor = processors.BertProcessing(("[SEP]", 3), ("[CLS]", 2))
    return t


def bert_uncased():
    return word_piece(normalizers.BertNormalizer(), pre_tokenizers.BertPreTokenizer())


def bert_cased():
    t = word_piece(normalizers.BertNormalizer(lowercase=False), pre_tokenizers.BertPreTokenizer())
    t.add_tokens(USER_FULL)
    return t


def word_piece_plain():
    return word_piece(normalizers.Sequence([normalizers.NFD(), normalizers.StripAccents(),
                                            normalizers.NFKC()]),
                      pre_tokenizers.Whitespace())


CASES = [gpt2, roberta, llama3, qwen2, smollm, falcon, deepseek_coder, byte_gaps,
         byte_gaps_unknown, byte_gaps_fused, llama2, mistral, metaspace_split, xlmr, precompiled, t5,
         bert_uncased, bert_cased, word_piece_plain]


def main():
    lines = [json.dumps(text) for text in INPUTS + SPECIAL]
    (HERE / "inputs.jsonl").write_text("\n".join(lines) + "\n")
    framed = []
    for case in CASES:
        tokenizer = case()
        name = case.__name__
        tokenizer.save(str(HERE / f"{name}.json"), pretty=False)
        tokenizer.encode_special_tokens = True
        # The library's unigram model finds its special tokens in text as pieces; ours never does.
        inputs = INPUTS if name in ("xlmr", "precompiled", "t5") else INPUTS + SPECIAL
        out = [" ".join(map(str, tokenizer.encode(text, add_special_tokens=False).ids))
               for text in inputs]
        (HERE / f"{name}.out").write_text("\n".join(out) + "\n")
        ids = tokenizer.encode("Which camera?", add_special_tokens=True).ids
        framed.append(f"{name} " + " ".join(map(str, ids)))
    (HERE / "framed.txt").write_text("\n".join(framed) + "\n")


if __name__ == "__main__":
    main()
