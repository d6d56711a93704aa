// The turn: how events become what the page shows, also when their data is not as promised.

import assert from "node:assert/strict";
import test from "node:test";
import { failureKind } from "../../../services/web/assist_client.js";
import { applyEvent, isOpen, makeTurn, restartTurn } from "../../../services/web/turn.js";
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
  assert.equal(start({ cache: "hit", cache_source: "faq" }), true);
  assert.equal(start({ cache: "hit", cache_source: "answers" }), false);
  for (const cache of ["miss", "bypass", true, undefined]) assert.equal(start({ cache }), false);
  const { turn } = answered([
    ["start", { cache: "hit", cache_source: "faq" }],
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

test("where the staff are reached is read, and its link only where it is of the web", () => {
  const contact = { id: "c", title: "Service", text: "Mo-Fr", link: "https://shop.test/contact" };
  const handoff = (data) => answered([["handoff", data]]).turn.handoff;
  assert.deepEqual(handoff({ kind: "asked", contact }), {
    title: "Service",
    text: "Mo-Fr",
    link: "https://shop.test/contact",
  });
  assert.equal(handoff({ contact: { ...contact, link: "javascript:alert(1)" } }).link, "");
  assert.equal(handoff({ contact: { ...contact, link: "/contact" } }).link, "");
  for (const odd of [null, {}, [], "x", { title: 1, text: {}, link: "data:x" }]) {
    assert.equal(handoff({ contact: odd }), null, JSON.stringify(odd));
  }
});

test("the merchant's own page is a full address of the web, or nothing", () => {
  const linkOf = (link) =>
    answered([["products", { items: [{ id: "a", title: "t", link }] }]]).turn.products[0].link;
  assert.equal(linkOf("https://shop.test/a?x=1"), "https://shop.test/a?x=1");
  for (const bad of [
    "/a",
    "javascript:alert(1)",
    "https://u@evil.test/",
    "",
    undefined,
    5,
    "//x/a",
  ]) {
    assert.equal(linkOf(bad), null, String(bad));
  }
});

test("a question that is asked again keeps its conditions; another one begins without", () => {
  const turn = makeTurn("a");
  turn.edits = { brands: ["x"] };
  restartTurn(turn);
  assert.deepEqual([turn.question, turn.edits, turn.status], ["a", { brands: ["x"] }, "waiting"]);
  restartTurn(turn, "b");
  assert.deepEqual([turn.question, turn.edits], ["b", {}]);
});
