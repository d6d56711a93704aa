"""Trains and loads the tokenizer: byte-level BPE with one token for each reference head (docs/formats/prompt.md)."""

import argparse
from pathlib import Path

from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers, trainers

from generator import Generator, answer_text, prefix_text, question_text

CONTROL_TOKENS = ["<|pad|>", "<|im_start|>", "<|im_end|>"]
MOST_SOURCES = 6
_FIELDS = ["title", "brand", "price", "was_price", "rating", "reviews", "availability"]
_FIELDS += ["link", "about", "question", "answer"]


def reference_tokens() -> list[str]:
    """The user-defined tokens, in the order of their ids."""
    tokens = []
    for n in range(1, MOST_SOURCES + 1):
        tokens.append(f"[{n}]")
        tokens += [f"[{n}:{name}]" for name in _FIELDS]
        tokens.append(f"[{n}:attr.")
    return tokens + ["[q:budget]", "[best:price]", "[best:rating]"]


def _new_tokenizer(model: models.BPE) -> Tokenizer:
    tokenizer = Tokenizer(model)
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=True)
    tokenizer.decoder = decoders.ByteLevel()
    return tokenizer


def train_tokenizer(vocab_size: int, examples: int, seed: int = 11) -> Tokenizer:
    """Learns merges from generated text; references and chat markers never take part in a merge."""
    generator = Generator(seed)
    tokenizer = _new_tokenizer(models.BPE())
    added = [AddedToken(t, normalized=False, special=True) for t in CONTROL_TOKENS + reference_tokens()]
    trainer = trainers.BpeTrainer(
        vocab_size=vocab_size,
        special_tokens=added,
        initial_alphabet=sorted(pre_tokenizers.ByteLevel.alphabet()),
        show_progress=False,
    )
    tokenizer.add_special_tokens(added)
    tokenizer.train_from_iterator(_texts(generator, examples), trainer)
    return tokenizer


def _texts(generator: Generator, examples: int):
    for _ in range(examples):
        example = generator.example()
        turns = [question_text(t.question) + answer_text(t.answer) for t in example.turns]
        for piece in _plain_pieces(prefix_text(example.lines) + "\n".join(turns)):
            yield piece


def _plain_pieces(text: str) -> list[str]:
    """The text between added tokens, so that only plain text is counted."""
    for token in CONTROL_TOKENS + reference_tokens():
        text = text.replace(token, "\0")
    return [piece for piece in text.split("\0") if piece]


def load_tokenizer(path: Path) -> Tokenizer:
    return Tokenizer.from_file(str(path))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--vocab-size", type=int, default=4096)
    parser.add_argument("--examples", type=int, default=20000)
    options = parser.parse_args()
    train_tokenizer(options.vocab_size, options.examples).save(str(options.output))
