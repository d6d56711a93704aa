// The AI SDK's client for OpenAI-compatible servers, pointed at `emptor engine serve`: texts, streams,
// and objects of a schema.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { embed, generateObject, generateText, streamObject, streamText } from "ai";
import { z } from "zod";
import { startEngineServer } from "../support/engine_server.js";

const colour = z.object({
  name: z.string().max(20),
  hue: z.number().int().min(0).max(9),
  tags: z.array(z.enum(["warm", "cold"])).max(2),
});

let server;
let provider;
before(async () => {
  server = await startEngineServer();
  provider = createOpenAICompatible({ name: "emptor", baseURL: `${server.url}/v1`,
    supportsStructuredOutputs: true });
});
after(() => server.stop());

const call = () => ({ model: provider("emptor-lm"), prompt: "hello", maxOutputTokens: 200,
  temperature: 0, maxRetries: 0 });

test("generates a text, whole and streamed, the same words", async () => {
  const whole = await generateText({ ...call(), maxOutputTokens: 16 });
  assert.ok(whole.text.length > 0);
  let streamed = "";
  for await (const piece of streamText({ ...call(), maxOutputTokens: 16 }).textStream) {
    streamed += piece;
  }
  assert.equal(streamed, whole.text);
});

test("generates an object of a schema", async () => {
  const { object } = await generateObject({ ...call(), schema: colour });
  assert.ok(colour.safeParse(object).success);
});

test("streams an object of a schema", async () => {
  const result = streamObject({ ...call(), schema: colour });
  let parts = 0;
  for await (const part of result.partialObjectStream) parts += part ? 1 : 0;
  assert.ok(parts > 0);
  assert.ok(colour.safeParse(await result.object).success);
});

test("embeds a text", async () => {
  const { embedding } = await embed({ model: provider.embeddingModel("emptor-embed"),
    value: "kettle", maxRetries: 0 });
  assert.equal(embedding.length, 256);
});
