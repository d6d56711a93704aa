// The turn: how events become what the page shows, also when their data is not as promised.

import assert from "node:assert/strict";
import test from "node:test";
import { failureKind } from "../../../services/web/assist_client.js";
import { Conversation } from "../../../services/web/conversation.js";
import { applyEvent, isOpen, makeTurn } from "../../../services/web/turn.js";
import { kettleAnswer, kWords } from "../support/sample.js";

const kBase = "https://shop.test/";

function answered(events, turn = makeTurn("q")) {
  let conversation = null;
  events.forEach(([event, data], index) => {
    const context = { elapsedMs: 10 * (index + 1), base: kBase };
    conversation =
      applyEvent(turn, { event, data, id: String(index + 1) }, context) ?? conversation;
  });
  return { turn, conversation };
}

test("a whole answer fills the turn", () => {
  const { turn, conversation } = answered(kettleAnswer());
  assert.equal(conversation, "c-1");
  assert.equal(turn.status, "done");
  assert.equal(turn.text, kWords.join(""));
  assert.deepEqual(
    turn.products.map(({ n, id }) => [n, id]),
    [
      [1, "K20"],
      [2, "HB-4"],
      [3, "Q7"],
      [4, "M-12"],
      [5, "JP1"],
    ],
  );
  assert.equal(turn.products[0].images[0], "https://shop.test/images/K20.svg");
  assert.equal(turn.products[0].wasPrice.amount, 5999);
  assert.deepEqual(
    turn.citations.map(({ n }) => n),
    [1, 6],
  );
  assert.equal(turn.suggestions.length, 2);
  assert.equal(turn.timings.productsMs, 20);
  assert.equal(turn.timings.firstTextMs, 30);
  assert.equal(turn.timings.server.ttft, 85);
  assert.equal(turn.answerStep, "mixed");
  assert.deepEqual(turn.grounded, { references: 9, kept: 3, replaced: 1, dropped: 0 });
  assert.equal(turn.lastEventId, String(kettleAnswer().length));
});

test("who wrote an answer is one of three words, and its counts are numbers", () => {
  const done = { answer_step: "wizard", grounded: { kept: "3", dropped: 2 } };
  const { turn } = answered([["done", done]]);
  assert.equal(turn.answerStep, "");
  assert.deepEqual(turn.grounded, { dropped: 2 });
  const { turn: none } = answered([["done", { grounded: [1], answer_step: { a: 1 } }]]);
  assert.equal(none.answerStep, "");
  assert.deepEqual(none.grounded, {});
});

test("an answer from the FAQ is known by its start", () => {
  const start = (data) => answered([["start", data]]).turn.fromFaq;
  assert.equal(start({ cache: "hit" }), true);
  for (const cache of ["miss", "bypass", true, undefined]) assert.equal(start({ cache }), false);
  const { turn } = answered([
    ["start", { cache: "hit" }],
    ["start", {}],
  ]);
  assert.equal(turn.fromFaq, false);
});

test("an answer that starts again replaces what was there; one that resumes goes on", () => {
  const { turn } = answered(kettleAnswer().slice(0, 6));
  const before = turn.text;
  answered([["delta", { text: "more" }]], turn);
  assert.equal(turn.text, `${before}more`);
  answered(
    [
      ["start", {}],
      ["delta", { text: "anew" }],
    ],
    turn,
  );
  assert.equal(turn.text, "anew");
  assert.deepEqual(turn.products, []);
});

test("data of a wrong shape is left out and breaks nothing", () => {
  const kOdd = [
    null,
    5,
    "x",
    [],
    {},
    { items: 3 },
    { items: [null, {}, { id: "../x", title: "t" }] },
    { text: 5 },
    { n: "1" },
    { n: -1 },
    { columns: 1 },
    { columns: ["a", "b"], rows: [["x"], [1, 2]] },
  ];
  for (const event of [
    "start",
    "products",
    "delta",
    "citation",
    "table",
    "suggestions",
    "unknown",
    "constructor",
    "__proto__",
  ]) {
    for (const data of kOdd) {
      const { turn } = answered([[event, data]]);
      assert.ok(isOpen(turn), `${event} ${JSON.stringify(data)}`);
      assert.deepEqual([turn.products, turn.text, turn.citations, turn.table], [[], "", [], null]);
    }
  }
});

test("an address that is not of the web is no picture", () => {
  const item = (image_url) => ["products", { items: [{ id: "a", title: "t", image_url }] }];
  for (const bad of [
    "javascript:alert(1)",
    "data:image/svg+xml,x",
    "file:///x",
    "",
    5,
    "https://u:p@x/",
  ]) {
    assert.deepEqual(answered([item(bad)]).turn.products[0].images, [], String(bad));
  }
});

test("an error says what kind it is", () => {
  const { turn } = answered([
    ["error", { code: "resource_exhausted", message: "m", retryable: true }],
  ]);
  assert.equal(turn.status, "failed");
  assert.equal(turn.error.kind, "busy");
  const kKinds = [
    ["", 429, "busy"],
    ["", 503, "busy"],
    ["", 504, "late"],
    ["", 400, "rejected"],
    ["", 500, "failed"],
    ["deadline_exceeded", 0, "late"],
    ["invalid_argument", 0, "rejected"],
    ["unavailable", 0, "busy"],
    [undefined, 0, "failed"],
  ];
  for (const [code, status, kind] of kKinds) assert.equal(failureKind(code, status), kind);
});

function memoryStorage() {
  const kept = new Map();
  return {
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => kept.set(key, value),
    removeItem: (key) => kept.delete(key),
    kept,
  };
}

test("a conversation comes back after a reload, an open answer as interrupted", () => {
  const storage = memoryStorage();
  const first = new Conversation(storage);
  first.id = "c-9";
  answered(kettleAnswer(), first.ask("one", null));
  answered(kettleAnswer().slice(0, 5), first.ask("two", "K20"));
  first.save();
  const second = new Conversation(storage);
  assert.equal(second.id, "c-9");
  assert.deepEqual(
    second.turns.map(({ status }) => status),
    ["done", "interrupted"],
  );
  assert.equal(second.turns[1].productId, "K20");
  assert.equal(second.turns[1].lastEventId, "5");
  assert.notEqual(second.ask("three", null).key, second.turns[0].key);
  second.clear();
  assert.equal(storage.kept.size, 0);
});

test("storage that is damaged, full or forbidden costs nothing else", () => {
  const storage = memoryStorage();
  storage.getItem = () => "{damaged";
  storage.setItem = () => {
    throw new Error("full");
  };
  const conversation = new Conversation(storage);
  conversation.ask("q", null);
  conversation.save();
  assert.equal(conversation.turns.length, 1);
  new Conversation(null).save();
});
