// Conversations: kept, found, renamed, removed, and what a full or broken storage does to them.

import assert from "node:assert/strict";
import test from "node:test";
import { Conversation, History } from "../../../services/web/conversation.js";
import { isConversationId, turnsOf } from "../../../services/web/conversation_client.js";
import { addressWith, conversationIdOf } from "../../../services/web/restore.js";

/// A storage like the browser's: its keys are properties. At most `capacity` characters.
function memoryStorage(capacity = Infinity) {
  const storage = {};
  const define = (name, value) =>
    Object.defineProperty(storage, name, { value, enumerable: false });
  define("getItem", (key) => storage[key] ?? null);
  define("removeItem", (key) => delete storage[key]);
  define("setItem", (key, value) => {
    const others = Object.entries(storage).filter(([name]) => name !== key);
    const size = others.reduce((sum, [, text]) => sum + text.length, value.length);
    if (size > capacity) throw new Error("full");
    storage[key] = value;
  });
  return storage;
}

function answer(turn, text) {
  Object.assign(turn, { text, status: "done" });
}

test("a conversation comes back after a reload, an open answer as interrupted", () => {
  const history = new History(memoryStorage());
  const tab = memoryStorage();
  const first = new Conversation(history, tab);
  first.id = "c-9";
  answer(first.ask("one", null), "words");
  Object.assign(first.ask("two", "K20"), { status: "streaming", lastEventId: "5" });
  first.save();
  const second = new Conversation(history, tab);
  assert.deepEqual([second.id, second.title], ["c-9", "one"]);
  assert.deepEqual(
    second.turns.map(({ status }) => status),
    ["done", "interrupted"],
  );
  assert.equal(second.turns[1].productId, "K20");
  assert.equal(second.turns[1].lastEventId, "5");
  assert.notEqual(second.ask("three", null).key, second.turns[0].key);
  assert.deepEqual(new Conversation(history, memoryStorage()).turns, [], "another tab is empty");
});

test("attributes of records are kept only where the answer compares them", () => {
  const history = new History(memoryStorage());
  const conversation = new Conversation(history, null);
  const products = [{ id: "a", title: "A", attributes: [{ name: "power", value: "2 kW" }] }];
  Object.assign(conversation.ask("one", null), { status: "done", products });
  Object.assign(conversation.ask("two", null), { status: "done", products, isComparison: true });
  conversation.save();
  const [short, long] = history.find(conversation.key).turns.map((turn) => turn.products[0]);
  assert.deepEqual([short.attributes, short.isShort], [[], true]);
  assert.deepEqual(long, products[0]);
  assert.equal(conversation.turns[0].products[0].attributes.length, 1, "the open one is whole");
});

test("a new conversation leaves the one before in the history", () => {
  const history = new History(memoryStorage());
  const tab = memoryStorage();
  const conversation = new Conversation(history, tab);
  answer(conversation.ask("kettles", null), "The K20 hums.");
  conversation.save();
  const { key } = conversation;
  conversation.clear();
  assert.deepEqual([conversation.turns, conversation.id, conversation.title], [[], null, ""]);
  assert.equal(new Conversation(history, tab).turns.length, 0);
  assert.equal(history.list().length, 1);
  assert.equal(conversation.open(key), true);
  assert.equal(conversation.turns[0].text, "The K20 hums.");
  assert.equal(conversation.open("unknown"), false);
});

test("conversations are found by words of titles, questions and answers", () => {
  const history = new History(memoryStorage());
  const keep = (key, title, question, text, updated) =>
    history.keep({ key, id: null, title, turns: [{ question, text }], nextKey: 2 }, updated);
  keep("a", "Kettles", "which is quiet?", "The K20", 1);
  keep("b", "Gift", "for a cook", "A quiet blender", 2);
  const found = (words) => history.list(words).map(({ key }) => key);
  assert.deepEqual(found(""), ["b", "a"], "newest first");
  assert.deepEqual(found("QUIET"), ["b", "a"]);
  assert.deepEqual(found("quiet k20"), ["a"]);
  assert.deepEqual(found("absent"), []);
  history.rename("a", "Tea");
  assert.deepEqual(found("tea"), ["a"]);
  assert.deepEqual(found(""), ["b", "a"], "a new title is no new date");
  history.remove("b");
  assert.deepEqual(found(""), ["a"]);
});

test("the text of an edited question's later turns is gone; a first one begins again", () => {
  const conversation = new Conversation(new History(memoryStorage()), null);
  conversation.id = "c-1";
  const [one, two] = ["one", "two", "three"].map((question) => conversation.ask(question, null));
  conversation.cutAfter(two);
  assert.deepEqual([conversation.turns, conversation.id], [[one, two], "c-1"]);
  conversation.cutAfter(one);
  assert.deepEqual([conversation.turns, conversation.id], [[one], null]);
});

test("at most 50 are kept, and the oldest make room in a full storage", () => {
  const many = new History(memoryStorage());
  const turns = [{ question: "q", text: "t" }];
  for (let n = 0; n < 60; ++n) many.keep({ key: `k${n}`, id: null, title: "t", turns }, n + 1);
  assert.equal(many.list().length, 50);
  assert.equal(many.find("k9"), null);
  const small = new History(memoryStorage(400));
  for (let n = 0; n < 9; ++n) small.keep({ key: `k${n}`, id: null, title: "t", turns }, n + 1);
  assert.ok(small.list().length >= 2);
  assert.equal(small.list()[0].key, "k8", "the newest is kept");
});

test("storage that is damaged, full or forbidden costs nothing else", () => {
  const damaged = memoryStorage();
  damaged["emptor.conversation.2.x"] = "{damaged";
  damaged["emptor.conversation.2.y"] = '{"turns":5}';
  damaged["emptor.open.2"] = "x";
  assert.deepEqual(new History(damaged).list(), []);
  assert.deepEqual(new Conversation(new History(damaged), damaged).turns, []);
  const forbidden = new Proxy(
    {},
    {
      get: () => {
        throw new Error("forbidden");
      },
    },
  );
  for (const storage of [forbidden, memoryStorage(10), null]) {
    const conversation = new Conversation(new History(storage), storage);
    conversation.ask("q", null);
    conversation.save();
    assert.equal(conversation.turns.length, 1);
  }
});

/// Messages of the service: a question and its answer for each id.
function messagesOf(...ids) {
  return ids.flatMap((id) => [
    { role: "user", text: `question ${id}` },
    {
      role: "assistant",
      id,
      text: `answer ${id}`,
      answer_step: "code",
      products: [{ id: "K20", n: 3, title: "Kettle", price: { amount: 1, currency: "USD" } }],
      citations: [{ n: 3, quote: "q" }, { n: 3, quote: "r" }, null, { n: "x" }],
      feedback: { rating: "down" },
    },
  ]);
}

test("messages of the service become turns", () => {
  const [turn, ...others] = turnsOf(messagesOf("a1"), "http://shop.example/");
  assert.equal(others.length, 0);
  assert.deepEqual(
    [turn.question, turn.text, turn.status, turn.answerId, turn.answerStep, turn.rating, turn.key],
    ["question a1", "answer a1", "done", "a1", "code", "down", "t1"],
  );
  assert.deepEqual(turn.citations, [{ n: 3, quotes: ["q", "r"] }]);
  assert.equal(turn.products[0].n, 3);
});

test("messages of a wrong shape are left out", () => {
  for (const messages of [null, 5, {}, [null, 7, { role: "assistant", text: "x" }]]) {
    assert.deepEqual(turnsOf(messages, "http://shop.example/"), []);
  }
  const odd = [
    { role: "user", text: "q" },
    { role: "assistant", id: 5, text: {}, products: "p", citations: 1 },
  ];
  const [turn] = turnsOf(odd, "http://shop.example/");
  assert.deepEqual([turn.answerId, turn.text, turn.products, turn.citations], ["", "", [], []]);
});

test("a conversation takes over what the service knows, and keeps what it does not", () => {
  const history = new History(memoryStorage());
  const conversation = new Conversation(history, memoryStorage());
  const turns = () => turnsOf(messagesOf("a1", "a2"), "http://shop.example/");
  conversation.adopt({ id: "c-1", title: "T", updated: 7, turns: turns() });
  assert.equal(history.findById("c-1").title, "T");
  assert.equal(history.findById("c-2"), null);
  answer(conversation.ask("only here", null), "words");
  assert.deepEqual(conversation.merge(turns()), { changed: [], added: [] });
  const newer = turnsOf(messagesOf("a1", "a2", "a3"), "http://shop.example/");
  newer[0].products[0].price.amount = 2;
  const { changed, added } = conversation.merge(newer);
  const idsOf = (list) => list.map(({ answerId }) => answerId);
  assert.deepEqual([idsOf(changed), idsOf(added)], [["a1"], ["a3"]]);
  assert.equal(conversation.turns[0].products[0].price.amount, 2);
  assert.deepEqual(
    conversation.turns.map(({ question }) => question),
    ["question a1", "question a2", "question a3", "only here"],
  );
  assert.equal(new Set(conversation.turns.map(({ key }) => key)).size, 4, "keys are their own");
});

test("answers that were replaced or cut off do not come back, also after a reload", () => {
  const history = new History(memoryStorage());
  const tab = memoryStorage();
  const first = new Conversation(history, tab);
  const turns = turnsOf(messagesOf("a1", "a2", "a3"), "http://shop.example/");
  first.adopt({ id: "c-1", title: "T", updated: 7, turns });
  first.cutAfter(first.turns[1]);
  first.turns[1].answerId = "";
  first.save();
  const second = new Conversation(history, tab);
  assert.deepEqual(second.merge(turns), { changed: [], added: [] });
  assert.equal(second.turns.length, 2);
});

test("one of the service is kept as any other: short, without what was dropped in another", () => {
  const history = new History(memoryStorage());
  const conversation = new Conversation(history, memoryStorage());
  const turns = () => turnsOf(messagesOf("a1", "a2"), "http://shop.example/");
  const drop = () => {
    conversation.adopt({ id: "c-1", title: "T", updated: 7, turns: turns() });
    conversation.cutAfter(conversation.turns[1]);
  };
  drop();
  const adopted = turns();
  adopted[0].products[0].attributes = [{ name: "power", value: "2 kW" }];
  conversation.adopt({ id: "c-2", title: "T", updated: 7, turns: adopted.slice(0, 1) });
  const kept = history.findById("c-2");
  assert.deepEqual([kept.turns[0].products[0].attributes, kept.updated], [[], 7]);
  assert.deepEqual(kept.dropped, []);
  conversation.merge(turns());
  assert.equal(conversation.turns.length, 2, "an answer that was dropped in another conversation");
  drop();
  conversation.clear();
  conversation.merge(turns());
  assert.equal(conversation.turns.length, 2);
});

test("an address names a conversation, or none", () => {
  assert.equal(conversationIdOf("#c=c_0af-9.x:y"), "c_0af-9.x:y");
  for (const hash of ["", "#", "#c=", "#x=1", "#c=a/b", "#c=..", `#c=${"a".repeat(65)}`, "#c=%3Cb%3E"]) {
    assert.equal(conversationIdOf(hash), null, hash);
  }
  assert.ok(!isConversationId(5));
  const location = { pathname: "/", search: "?product=K20" };
  assert.equal(addressWith("c_1", location), "/?product=K20#c=c_1");
  assert.equal(addressWith(null, location), "/?product=K20");
});
