"""Adds the keys emptor.references and emptor.languages to a GGUF file; its tensor data stays bit-identical.

The file is rewritten in place and the SHA-256 of its tensor data is printed. Needs no package. export_gguf.py writes
these keys by itself; this is for files that were made without them.
"""

import argparse
import hashlib
import os
import struct
from pathlib import Path

_BOOL, _STRING, _ARRAY = 7, 8, 9
_SIZES = {0: 1, 1: 1, 2: 2, 3: 2, 4: 4, 5: 4, 6: 4, 7: 1, 10: 8, 11: 8, 12: 8}
_ALIGNMENT = 32


class Reader:
    """Walks over the head of a GGUF file, version 2 or 3."""

    def __init__(self, data: bytes):
        self.data, self.at = data, 0

    def number(self, code: str) -> int:
        (value,) = struct.unpack_from("<" + code, self.data, self.at)
        self.at += struct.calcsize(code)
        return value

    def text(self) -> str:
        size = self.number("Q")
        self.at += size
        return self.data[self.at - size : self.at].decode("utf-8")

    def skip_value(self, kind: int) -> None:
        if kind == _STRING:
            self.text()
        elif kind == _ARRAY:
            element, count = self.number("I"), self.number("Q")
            for _ in range(count):
                self.skip_value(element)
        else:
            self.at += _SIZES[kind]


def _string(text: str) -> bytes:
    return struct.pack("<Q", len(text.encode())) + text.encode()


def _pairs(references: bool, languages: list[str]) -> bytes:
    array = struct.pack("<IIQ", _ARRAY, _STRING, len(languages)) + b"".join(map(_string, languages))
    flag = struct.pack("<I?", _BOOL, references)
    return _string("emptor.references") + flag + _string("emptor.languages") + array


def declare(data: bytes, references: bool, languages: list[str]) -> tuple[bytes, bytes]:
    """The file with the two keys, and its tensor data; ValueError when it has one of the keys already."""
    reader = Reader(data)
    if data[:4] != b"GGUF":
        raise ValueError("not a GGUF file")
    reader.at = 4
    version, tensors, pairs = reader.number("I"), reader.number("Q"), reader.number("Q")
    first_pair = reader.at
    for _ in range(pairs):
        key = reader.text()
        if key in ("emptor.references", "emptor.languages", "general.alignment"):
            raise ValueError(f"{key}: the file has this key")
        reader.skip_value(reader.number("I"))
    first_tensor = reader.at
    for _ in range(tensors):
        reader.text()
        dimensions = reader.number("I")
        reader.at += 8 * dimensions + 4 + 8  # sizes, type, offset
    content = data[reader.at + -reader.at % _ALIGNMENT :]
    head = b"GGUF" + struct.pack("<IQQ", version, tensors, pairs + 2)
    head += data[first_pair:first_tensor] + _pairs(references, languages) + data[first_tensor : reader.at]
    return head + bytes(-len(head) % _ALIGNMENT) + content, content


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--references", action="store_true", help="the model answers by reference (docs/formats/prompt.md)")
    parser.add_argument("--languages", nargs="+", default=[], help="two-letter codes")
    options = parser.parse_args()
    written, content = declare(options.file.read_bytes(), options.references, options.languages)
    temporary = options.file.with_name(options.file.name + ".tmp")
    temporary.write_bytes(written)
    os.replace(temporary, options.file)
    print(f"{options.file}: {len(written)} bytes, tensor data {hashlib.sha256(content).hexdigest()}")


if __name__ == "__main__":
    main()
