// React's chat of the AI SDK (@ai-sdk/react, package `ai`), pointed at a shop: its DefaultChatTransport
// needs an address and nothing else.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Chat } from "@ai-sdk/react";
import { DefaultChatTransport, readUIMessageStream, uiMessageChunkSchema } from "ai";
import { startShopServer } from "../support/shop_server.js";

let shop;
before(async () => { shop = await startShopServer(); });
after(() => shop.stop());

const transport = (options = {}) =>
  new DefaultChatTransport({ api: `${shop.url}/v1/assist/ui-messages`, ...options });

const partsOf = (message, type) => message.parts.filter((part) => part.type === type);
const textOf = (message) => partsOf(message, "text").map(({ text }) => text).join("");

test("a chat answers with cards, sources and text", async () => {
  const chat = new Chat({ transport: transport() });
  await chat.sendMessage({ text: "Which kettle is the cheapest?" });
  assert.equal(chat.status, "ready", String(chat.error));
  const answer = chat.lastMessage;
  assert.equal(answer.role, "assistant");
  assert.match(answer.id, /^a_/);
  assert.match(answer.metadata.answer_step, /code|model|mixed/);
  const [{ data }] = partsOf(answer, "data-products");
  assert.ok(data.items.length > 0 && data.items[0].price.amount > 0);
  assert.match(textOf(answer), /\$\d/);
  assert.ok(partsOf(answer, "text").every(({ state }) => state === "done"));
  const [source] = partsOf(answer, "source-url");
  assert.ok(source.url.startsWith(`${shop.url}/p/`), source.url);
  assert.equal((await fetch(source.url)).status, 200);
  assert.ok(data.items.some(({ title }) => title === source.title));
  const [citation] = partsOf(answer, "data-citation");
  assert.equal(String(citation.data.n), source.sourceId);
  assert.ok(citation.data.quote.length > 0);
});

test("later questions are about what was shown; an answer is made again", async () => {
  const chat = new Chat({ transport: transport() });
  await chat.sendMessage({ text: "Which kettle is the cheapest?" });
  const [shown] = partsOf(chat.lastMessage, "data-products")[0].data.items;
  await chat.sendMessage({ text: "is it in stock?" });
  assert.equal(chat.status, "ready", String(chat.error));
  const first = textOf(chat.lastMessage);
  assert.deepEqual(partsOf(chat.lastMessage, "data-products")[0].data.items.map(({ id }) => id),
    [shown.id]);
  await chat.regenerate();
  assert.equal(chat.messages.length, 4);
  assert.equal(textOf(chat.lastMessage), first);
});

test("a policy is a document", async () => {
  const chat = new Chat({ transport: transport() });
  await chat.sendMessage({ text: "How long does shipping take?" });
  assert.match(textOf(chat.lastMessage), /3 to 5 business days/);
  const [source] = partsOf(chat.lastMessage, "source-document");
  assert.ok(source.title.length > 0);
});

test("a stored conversation goes on under its id", async () => {
  const body = { conversation_id: "", locale: "en-US" };
  const chat = new Chat({ transport: transport({ body: () => body }) });
  await chat.sendMessage({ text: "Which kettle is the cheapest?" });
  body.conversation_id = chat.lastMessage.metadata.conversation_id;
  assert.match(body.conversation_id, /^c_/);
  await chat.sendMessage({ text: "is it in stock?" });
  assert.equal(chat.lastMessage.metadata.conversation_id, body.conversation_id);
  const stored = await fetch(`${shop.url}/v1/conversations/${body.conversation_id}`);
  assert.equal((await stored.json()).messages.length, 4);
});

test("an error is the chat's", async () => {
  let failed = null;
  const chat = new Chat({ transport: transport({ body: { colour: "red" } }),
    onError: (error) => { failed = error; } });
  await chat.sendMessage({ text: "a kettle" });
  assert.equal(chat.status, "error");
  assert.match(failed.message, /colour: unknown field/);
});

test("a chat is stopped", async () => {
  const chat = new Chat({ transport: transport() });
  const sent = chat.sendMessage({ text: "Compare the two cheapest kettles" });
  await chat.stop();
  await sent;
  assert.equal(chat.status, "ready");
});

test("POST /v1/assist answers in that form where it is asked to", async () => {
  const response = await fetch(`${shop.url}/v1/assist`, { method: "POST",
    headers: { "Content-Type": "application/json", "X-Vercel-AI-UI-Message-Stream": "v1" },
    body: JSON.stringify({ message: "Which kettle is the cheapest?" }) });
  assert.equal(response.headers.get("x-vercel-ai-ui-message-stream"), "v1");
  const text = await response.text();
  assert.ok(text.endsWith("data: [DONE]\n\n"));
  const chunks = text.trim().split("\n\n").slice(0, -1)
    .map((line) => JSON.parse(line.replace(/^data: /, "")));
  const schema = uiMessageChunkSchema();
  for (const chunk of chunks) {
    assert.ok((await schema.validate(chunk)).success, JSON.stringify(chunk));
  }
  assert.equal(chunks[0].type, "start");
  assert.equal(chunks.at(-1).finishReason, "stop");
  let message = null;
  const stream = new ReadableStream({ start(controller) {
    for (const chunk of chunks) controller.enqueue(chunk);
    controller.close();
  } });
  for await (const state of readUIMessageStream({ stream })) message = state;
  assert.match(textOf(message), /\$\d/);
  assert.ok(message.metadata.conversation_id);
});
