"""Writes want.json: what Python's Jinja renders, with the settings of transformers' apply_chat_template.

    pip install jinja2
    python tests/golden/chat_template/make.py

The templates (*.jinja) are written for this test in the manner of the known families; conversations.json holds the
variables of each rendering, constructs.json small templates over one fixed context. An error is null in want.json.
"""

import datetime
import json
from pathlib import Path

import jinja2
from jinja2.ext import Extension, loopcontrols
from jinja2.sandbox import ImmutableSandboxedEnvironment

HERE = Path(__file__).parent
NOW = datetime.datetime(2026, 2, 3, 12, 0, 0)
TOKENS = {"bos_token": "<s>", "eos_token": "</s>", "unk_token": "<unk>"}


class Generation(Extension):
    """{% generation %}, which marks the assistant's text for training and changes nothing."""

    tags = {"generation"}

    def parse(self, parser):
        line = next(parser.stream).lineno
        body = parser.parse_statements(["name:endgeneration"], drop_needle=True)
        return jinja2.nodes.CallBlock(self.call_method("_body"), [], [], body).set_lineno(line)

    def _body(self, caller):
        return caller()


def raise_exception(message):
    raise jinja2.exceptions.TemplateError(message)


def tojson(value, ensure_ascii=False, indent=None, separators=None, sort_keys=False):
    return json.dumps(value, ensure_ascii=ensure_ascii, indent=indent, separators=separators, sort_keys=sort_keys)


def make_environment():
    environment = ImmutableSandboxedEnvironment(
        trim_blocks=True, lstrip_blocks=True, extensions=[Generation, loopcontrols]
    )
    environment.filters["tojson"] = tojson
    environment.globals["raise_exception"] = raise_exception
    environment.globals["strftime_now"] = NOW.strftime
    return environment


def render(environment, source, variables):
    try:
        return environment.from_string(source).render(**variables)
    except Exception:  # every way to fail is a refusal
        return None


def main():
    environment = make_environment()
    conversations = json.loads((HERE / "conversations.json").read_text(encoding="utf-8"))
    constructs = json.loads((HERE / "constructs.json").read_text(encoding="utf-8"))
    rendered = {}
    for path in sorted(HERE.glob("*.jinja")):
        source = path.read_text(encoding="utf-8")
        rendered[path.stem] = [
            render(environment, source, {"tools": None, "documents": None} | TOKENS | conversation)
            for conversation in conversations
        ]
    small = [render(environment, source, TOKENS | constructs["context"]) for source in constructs["templates"]]
    want = {"rendered": rendered, "constructs": small}
    (HERE / "want.json").write_text(json.dumps(want, ensure_ascii=False, indent=0) + "\n", encoding="utf-8")
    for source, text in zip(constructs["templates"], small):
        if text is None:
            print("refused:", repr(source))


if __name__ == "__main__":
    main()
