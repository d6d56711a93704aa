"""Measures a GGUF file: held-out generated questions by kind, the frozen one-product file, and hand-written ones."""

import argparse
import json
import re
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

import torch

from constraint import ReferenceConstraint
from generator import Generator, prompt_text
from gguf_model import GgufModel

_REFERENCE = re.compile(r"\[(?:\d|q|best):[^\]]*\]")
_CITATION = re.compile(r"\[\d\]")
_FREE_FACT = re.compile(r"[$€£]\s*\d|\d\s*[$€£]|\d+\.\d|\b(?:in|out of) stock\b|\bsold out\b|\bpreorder\b", re.IGNORECASE)
_FIXED_KINDS = ("not_found", "greeting", "thanks", "goodbye", "about_bot", "off_topic")


def references(text: str) -> set[str]:
    return set(_REFERENCE.findall(text))


def citations(text: str) -> set[str]:
    return set(_CITATION.findall(text))


def polarity(text: str) -> str | None:
    word = text.split(",")[0].lower()
    return word if word in ("yes", "no") else None


def free_facts(text: str) -> list[str]:
    """Money, ratings or stock that were written out instead of referred to."""
    return _FREE_FACT.findall(_CITATION.sub("", _REFERENCE.sub("", text)))


@dataclass
class Verdict:
    """What is right about one answer."""

    facts: bool
    source: bool
    polarity: bool
    clean: bool
    wording: bool

    @property
    def right(self) -> bool:
        return self.facts and self.source and self.polarity and self.clean and self.wording


def judge(kind: str, gold: str, got: str) -> Verdict:
    """Strict: exactly the expected references and citations, the polarity, and nothing written out."""
    wording = True
    if kind in _FIXED_KINDS:
        wording = got == gold
    elif ("does not say" in gold) != ("does not say" in got):
        wording = False
    return Verdict(
        references(got) == references(gold),
        citations(got) == citations(gold),
        polarity(got) == polarity(gold),
        not free_facts(got),
        wording,
    )


def write_answer(model: GgufModel, lines: str, question: str, constrained: bool) -> str:
    constraint = ReferenceConstraint(model.tokenizer, lines) if constrained else None
    return model.answer(prompt_text(lines, question), constraint)


def measure_generated(model: GgufModel, generator: Generator, questions: int, show: int, constrained: bool) -> dict:
    """Single questions, one a prompt, by kind."""
    tally: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0, 0])
    dirty = 0
    while sum(t[0] for t in tally.values()) < questions:
        example = generator.example()
        for turn in generator.rng.sample(example.turns, min(3, len(example.turns))):
            got = write_answer(model, example.lines, turn.question, constrained)
            verdict = judge(turn.kind, turn.answer, got)
            dirty += not verdict.clean
            for i, flag in enumerate((True, verdict.right, verdict.source, got == turn.answer)):
                tally[turn.kind][i] += flag
            if not verdict.right and show > 0:
                show -= 1
                print(f"--- {turn.kind}\n{example.lines}Q: {turn.question}\nGOLD: {turn.answer}\nGOT:  {got}")
    total = [sum(column) for column in zip(*tally.values())]
    rows = {kind: _shares(counts) for kind, counts in sorted(tally.items())}
    return {"all": _shares(total), "facts_in_free_text": dirty, "kinds": rows}


def _shares(counts: list[int]) -> dict:
    n = counts[0]
    return dict(zip(("questions", "right", "source", "verbatim"), (n, *(round(c / n, 3) for c in counts[1:]))))


def expectation_met(expect: dict, got: str) -> bool:
    """The check of the frozen file; a C++ test does the same by string containment."""
    for alternatives in expect["references"]:
        if not any(reference in got for reference in alternatives):
            return False
    if expect["citation"] and f"[{expect['citation']}]" not in got:
        return False
    if any(f"[{n}]" in got or f"[{n}:" in got for n in range(1, 7) if n not in _allowed_sources(expect)):
        return False
    if expect["polarity"] and not got.lower().startswith(expect["polarity"]):
        return False
    missing = [text for text in expect["must_contain"] if text not in got]
    return not missing and not any(text in got for text in expect["must_not_contain"]) and not free_facts(got)


def _allowed_sources(expect: dict) -> set[int]:
    allowed = {expect["citation"]} | set(expect.get("also", []))
    return allowed | {int(r[1]) for group in expect["references"] for r in group if r[1].isdigit()}


def measure_file(model: GgufModel, path: Path, show: int, constrained: bool) -> dict:
    tally: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    for line in path.read_text(encoding="utf-8").splitlines():
        case = json.loads(line)
        lines = "".join(text + "\n" for text in case["prompt_lines"])
        got = write_answer(model, lines, case["question"], constrained)
        right = expectation_met(case["expect"], got)
        tally[case["kind"]][0] += 1
        tally[case["kind"]][1] += right
        if not right and show > 0:
            show -= 1
            print(f"--- {case['id']} {case['kind']}\n{lines}Q: {case['question']}\n{case['expect']}\nGOT:  {got}")
    total = [sum(column) for column in zip(*tally.values())]
    kinds = {kind: f"{right}/{n}" for kind, (n, right) in sorted(tally.items())}
    return {"right": total[1], "of": total[0], "kinds": kinds}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", type=Path, required=True)
    parser.add_argument("--questions", type=int, default=0, help="generated questions for each distribution")
    parser.add_argument("--file", type=Path, action="append", default=[], help="a .jsonl file of cases")
    parser.add_argument("--show", type=int, default=0, help="failures to print")
    parser.add_argument("--seed", type=int, default=4242)
    parser.add_argument("--constrained", action="store_true", help="only references that the prompt can fill")
    options = parser.parse_args()
    torch.set_num_threads(1)
    model = GgufModel(options.model)
    if options.questions:
        settings = {"seen categories, new names": (False, False), "held-out categories and wordings": (True, True)}
        for name, (held_out, wordings) in settings.items():
            generator = Generator(options.seed, held_out, wordings)
            result = measure_generated(model, generator, options.questions, options.show, options.constrained)
            print(name, json.dumps(result, indent=1))
    for path in options.file:
        print(path.name, json.dumps(measure_file(model, path, options.show, options.constrained)))


if __name__ == "__main__":
    main()
