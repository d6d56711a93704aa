"""Checks the labelled conversations of this folder: python3 data/turns/check_turns.py"""

import json
import pathlib
import sys

ACTS = {
    "find", "ask", "rank", "compare", "sum", "advise", "policy", "order", "cart", "human",
    "complain", "thanks", "greet", "other",
}


def faults(path):
    """What is wrong with the lines of a file, and the number of its turns."""
    turns = 0
    for number, line in enumerate(path.open(encoding="utf-8"), 1):
        conversation = json.loads(line)
        shown = {}
        for place, turn in enumerate(conversation["turns"], 1):
            turns += 1
            for act in turn["acts"]:
                if act["act"] not in ACTS:
                    yield f"{path.name}:{number}: act {act['act']!r}"
                about = act.get("about", [])
                for each in about if isinstance(about, list) else []:
                    if each not in shown:
                        yield f"{path.name}:{number}: turn {place} points at {each}, not shown before"
            for k, product in enumerate(turn.get("shown", []), 1):
                shown[f"{place}.{k}"] = product
    print(f"{path.name}: {turns} turns")


def main():
    found = [each for path in sorted(pathlib.Path(__file__).parent.glob("*.jsonl")) for each in faults(path)]
    print("\n".join(found))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
