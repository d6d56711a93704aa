"""Reads the hand-authored FAQ (lexicon/faq.txt) into document records."""
from pathlib import Path

HELP = "https://shop.emptor.example/help"


def load(path):
    """Entries are `## key [locale]`, a question line, and the answer on the lines after it."""
    entries = []
    for block in Path(path).read_text(encoding="utf-8").split("\n## ")[1:]:
        head, question, *answer = [line.strip() for line in block.strip().splitlines()]
        key, _, locale = head.partition(" ")
        entries.append({
            "kind": "faq", "id": f"faq-{key}", "title": question, "text": " ".join(answer),
            "link": f"{HELP}#{key}", "locale": locale or "en-US", "version": 1,
            "updated_at": "2026-11-01T00:00:00Z",
        })
    return entries
