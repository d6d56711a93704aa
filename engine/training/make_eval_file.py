"""Wrote tests/golden/lm_eval/one_product_questions.jsonl once: 100 one-product questions over unseen products.

Categories, names and wordings are those held out of training. The file is frozen; do not regenerate it to get
better figures (the generator has changed since, so this would give other questions).
"""

import argparse
import json
import re
from pathlib import Path

from evaluate import citations, polarity, references
from generator import Generator

_SEED = 20261120
_QUOTA = {"attribute": 30, "yes_no": 18, "unknown": 15, "price": 12, "stock": 10, "rating": 8, "brand": 7}


def expectation(answer: str) -> dict:
    """What the answer must hold, in a form that string containment can check."""
    unknown = "does not say" in answer
    facts = [r for r in sorted(references(answer)) if not re.fullmatch(r"\[\d:title\]", r)]
    return {
        "references": [[fact] for fact in facts],
        "citation": int(sorted(citations(answer))[0][1]),
        "polarity": polarity(answer),
        "must_contain": ["does not say"] if unknown else [],
        "must_not_contain": [] if unknown else ["does not say"],
    }


def cases() -> list[dict]:
    generator = Generator(_SEED, held_out=True)
    left, result = dict(_QUOTA), []
    while any(left.values()):
        example = generator.example()
        if not 1 <= len(example.scene.products) <= 3 or example.scene.documents or example.scene.budget:
            continue
        for turn in example.turns:
            if not left.get(turn.kind) or turn.source is None:
                continue
            left[turn.kind] -= 1
            result.append(
                {
                    "id": f"one-{len(result) + 1:03d}",
                    "kind": turn.kind,
                    "prompt_lines": example.lines.splitlines(),
                    "question": turn.question,
                    "expect": expectation(turn.answer),
                }
            )
            break
    return result


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--output", type=Path, required=True)
    output = parser.parse_args().output
    output.write_text("".join(json.dumps(c, ensure_ascii=False) + "\n" for c in cases()), encoding="utf-8")
