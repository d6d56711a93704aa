// The official openai client, pointed at `emptor engine serve` with the shipped models: an
// application that was written for OpenAI needs a base URL and nothing else.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import OpenAI from "openai";
import { startEngineServer } from "../support/engine_server.js";

let server;
let client;

before(async () => {
  server = await startEngineServer();
  client = new OpenAI({ baseURL: `${server.url}/v1`, apiKey: "none", maxRetries: 0 });
});

after(() => server.stop());

const chat = {
  model: "emptor-lm",
  messages: [{ role: "user", content: "hello" }],
  max_tokens: 16,
  temperature: 0,
};

test("lists models and shows one", async () => {
  const names = [];
  for await (const model of client.models.list()) names.push(model.id);
  assert.deepEqual(names, ["emptor-embed", "emptor-lm"]);
  const model = await client.models.retrieve("emptor-lm");
  assert.equal(model.object, "model");
});

test("completes a chat", async () => {
  const reply = await client.chat.completions.create(chat);
  assert.equal(reply.object, "chat.completion");
  assert.equal(reply.choices[0].message.role, "assistant");
  assert.ok(reply.choices[0].message.content.length > 0);
  assert.ok(["stop", "length"].includes(reply.choices[0].finish_reason));
  assert.equal(reply.usage.total_tokens, reply.usage.prompt_tokens + reply.usage.completion_tokens);
});

test("streams a chat with usage, the same words", async () => {
  const whole = await client.chat.completions.create(chat);
  const stream = await client.chat.completions.create(
    { ...chat, stream: true, stream_options: { include_usage: true } });
  let text = "";
  let usage = null;
  let finish = null;
  const ids = new Set();
  for await (const chunk of stream) {
    assert.equal(chunk.object, "chat.completion.chunk");
    ids.add(chunk.id);
    text += chunk.choices[0]?.delta?.content ?? "";
    finish = chunk.choices[0]?.finish_reason ?? finish;
    usage = chunk.usage ?? usage;
  }
  assert.equal(text, whole.choices[0].message.content);
  assert.equal(finish, whole.choices[0].finish_reason);
  assert.equal(ids.size, 1);
  assert.equal(usage.completion_tokens, whole.usage.completion_tokens);
});

test("the stream helper gathers the final message", async () => {
  const runner = client.chat.completions.stream(chat);
  const deltas = [];
  runner.on("content", (delta) => deltas.push(delta));
  const final = await runner.finalChatCompletion();
  assert.equal(final.choices[0].message.content, deltas.join(""));
});

test("completes and streams plain prompts", async () => {
  const request = { model: "emptor-lm", prompt: "The kettle", max_tokens: 8, temperature: 0 };
  const whole = await client.completions.create(request);
  let text = "";
  for await (const chunk of await client.completions.create({ ...request, stream: true })) {
    text += chunk.choices[0]?.text ?? "";
  }
  assert.equal(text, whole.choices[0].text);
  const two = await client.completions.create({ ...request, prompt: ["one", "two"] });
  assert.deepEqual(two.choices.map((choice) => choice.index), [0, 1]);
});

test("embeds, in the base64 that the client asks for and in numbers", async () => {
  const input = ["a red kettle", "a toaster"];
  const encoded = await client.embeddings.create({ model: "emptor-embed", input });
  const plain = await client.embeddings.create(
    { model: "emptor-embed", input, encoding_format: "float" });
  assert.equal(encoded.data.length, 2);
  assert.equal(encoded.data[0].embedding.length, 256);
  plain.data[1].embedding.forEach((value, i) =>
    assert.ok(Math.abs(value - encoded.data[1].embedding[i]) < 1e-6));
  const short = await client.embeddings.create({ model: "emptor-embed", input, dimensions: 64 });
  assert.equal(short.data[0].embedding.length, 64);
});

test("errors become the client's own error classes", async () => {
  const failing = (request) => client.chat.completions.create({ ...chat, ...request }).then(
    () => assert.fail("was answered"), (error) => error);
  const unknown = await failing({ model: "gpt-5" });
  assert.ok(unknown instanceof OpenAI.NotFoundError);
  assert.equal(unknown.code, "model_not_found");
  const wrong = await failing({ max_tokens: -1 });
  assert.ok(wrong instanceof OpenAI.BadRequestError);
  assert.equal(wrong.param, "max_tokens");
  const long = await failing({ messages: [{ role: "user", content: "word ".repeat(5000) }] });
  assert.equal(long.code, "context_length_exceeded");
  const tools = await failing({ tools: [{ type: "function", function: { name: "f" } }] });
  assert.equal(tools.param, "tools");
});

test("an aborted stream is given up", async () => {
  const stream = await client.chat.completions.create({ ...chat, max_tokens: 900, stream: true });
  for await (const chunk of stream) {
    assert.ok(chunk.id);
    break;  // aborts the request
  }
  const next = await client.chat.completions.create(chat);
  assert.ok(next.choices[0].message.content.length > 0);
});
