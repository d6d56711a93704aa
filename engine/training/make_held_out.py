"""Wrote tests/golden/lm_eval/held_out_conversations.jsonl once: text on which perplexity is measured.

Products, names and wordings are those held out of training.
"""

import argparse
import json
from pathlib import Path

from generator import Generator

_SEED = 20261122


def conversations(count: int) -> list[dict]:
    generator = Generator(_SEED, held_out=True)
    made = []
    while len(made) < count:
        example = generator.example()
        if not example.turns:
            continue
        messages = [{"role": "system", "content": example.lines}]
        for turn in example.turns:
            messages.append({"role": "user", "content": turn.question})
            messages.append({"role": "assistant", "content": turn.answer})
        made.append({"messages": messages})
    return made


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--output", type=Path, required=True)
    options = parser.parse_args()
    lines = [json.dumps(c, ensure_ascii=False) + "\n" for c in conversations(options.count)]
    options.output.write_text("".join(lines), encoding="utf-8")
