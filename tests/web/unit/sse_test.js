// The event stream parser: fields, line ends, and chunks cut anywhere.

import assert from "node:assert/strict";
import test from "node:test";
import { SseParser } from "../../../services/web/sse.js";
import { encode, kettleAnswer } from "../support/sample.js";

function parse(...chunks) {
  const parser = new SseParser();
  return chunks.flatMap((chunk) => parser.push(chunk));
}

const kCases = [
  ["one event", "event: delta\ndata: hi\nid: 7\n\n", [["delta", "hi", "7"]]],
  ["the default name", "data: hi\n\n", [["message", "hi", ""]]],
  ["data of several lines", "data: a\ndata:\ndata: b\n\n", [["message", "a\n\nb", ""]]],
  ["only the first blank is cut", "data:  two\n\n", [["message", " two", ""]]],
  ["comments are no events", ": ping\n\n: ping\n\ndata: x\n\n", [["message", "x", ""]]],
  [
    "no data, no event, but the id stays",
    "event: x\nid: 3\n\ndata: y\n\n",
    [["message", "y", "3"]],
  ],
  [
    "an id lasts until the next",
    "id: 1\ndata: a\n\ndata: b\n\n",
    [
      ["message", "a", "1"],
      ["message", "b", "1"],
    ],
  ],
  ["an id with NUL is ignored", "id: 1\n\nid: 2\0\ndata: a\n\n", [["message", "a", "1"]]],
  [
    "carriage returns",
    "event: a\rdata: 1\r\rdata: 2\r\n\r\n",
    [
      ["a", "1", ""],
      ["message", "2", ""],
    ],
  ],
  ["a byte order mark", "\uFEFFdata: x\n\n", [["message", "x", ""]]],
  ["a field without a colon", "data\n\n", [["message", "", ""]]],
  ["an unknown field", "colour: red\nretry: 10\ndata: x\n\n", [["message", "x", ""]]],
  ["an unfinished event is not dispatched", "data: x\n", []],
  ["colons in data", "data: a:b: c\n\n", [["message", "a:b: c", ""]]],
];

for (const [name, text, want] of kCases) {
  const events = want.map(([event, data, id]) => ({ event, data, id }));
  test(`parses ${name}, whole and cut at every place`, () => {
    assert.deepEqual(parse(text), events);
    assert.deepEqual(parse(...text), events);
    for (let cut = 0; cut <= text.length; ++cut) {
      assert.deepEqual(parse(text.slice(0, cut), "", text.slice(cut)), events, `cut at ${cut}`);
    }
  });
}

test("a whole answer is the same with every line end and in chunks of every size", () => {
  const text = encode(kettleAnswer()).join(": ping\n\n");
  const want = parse(text);
  assert.equal(want.length, kettleAnswer().length);
  for (const end of ["\n", "\r", "\r\n"]) {
    const wire = text.replaceAll("\n", end);
    for (const size of [1, 2, 3, 7, 64, 1000]) {
      const chunks = wire.match(new RegExp(`[^]{1,${size}}`, "g"));
      assert.deepEqual(parse(...chunks), want, `${JSON.stringify(end)} in chunks of ${size}`);
    }
  }
});

test("remembers the id to resume from", () => {
  const parser = new SseParser();
  parser.push("id: 41\ndata: a\n\nid: 42\ndata: b");
  assert.equal(parser.lastEventId, "41");
  parser.push("\n\n");
  assert.equal(parser.lastEventId, "42");
});

test("refuses an event without end, in one line or in many", () => {
  const parser = () => new SseParser({ maxEventLength: 100 });
  assert.throws(() => parser().push(`data: ${"x".repeat(200)}`), RangeError);
  assert.throws(() => parser().push("data: 0123456789\n".repeat(20)), RangeError);
  assert.equal(parser().push("data: 0123456789\n\n".repeat(20)).length, 20);
});
