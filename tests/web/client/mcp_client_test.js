// The official clients of the Model Context Protocol, pointed at a shop: @modelcontextprotocol/sdk
// (revisions with a handshake) and @modelcontextprotocol/client (2026-07-28, without). Both hold
// what tools return against the schemas that the server gives.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { McpError } from "@modelcontextprotocol/sdk/types.js";
import Ajv2020 from "ajv/dist/2020.js";
import { startShopServer } from "../support/shop_server.js";

const names = ["search_products", "get_product", "compare_products", "shop_policies", "ask"];

// The package of the newest revision does not run on Node.js 18.
const skip = Number(process.versions.node.split(".")[0]) < 20 && "needs Node.js 20";
const modern = skip ? null : await import("@modelcontextprotocol/client");

let shop;
before(async () => { shop = await startShopServer(); });
after(() => shop.stop());

const about = { name: "emptor-tests", version: "1" };
const address = () => new URL("/mcp", shop.url);

async function connectHandshake(options = {}) {
  const client = new Client(about);
  await client.connect(new StreamableHTTPClientTransport(address(), options));
  return client;
}

async function connectModern(mode) {
  const client = new modern.Client(about, { versionNegotiation: { mode } });
  await client.connect(new modern.StreamableHTTPClientTransport(address()));
  return client;
}

/** What `callTool` takes after its parameters; the older package has a schema in between. */
const progressOptions = (client, onprogress) =>
  client instanceof Client ? [undefined, { onprogress }] : [{ onprogress }];

const clients = [
  ["a client with a handshake", false, () => connectHandshake()],
  ["a client of 2026-07-28", skip, () => connectModern({ pin: "2026-07-28" })],
  ["a client that finds the revision out", skip, () => connectModern("auto")],
];

for (const [kind, skipped, connect] of clients) {
  test(`${kind} shops`, { skip: skipped }, async () => {
    const client = await connect();
    assert.equal(client.getServerVersion().name, "emptor");
    assert.match(client.getInstructions(), /search_products/);
    const { tools } = await client.listTools();
    assert.deepEqual(tools.map(({ name }) => name), names);
    const call = async (name, args) => {
      const result = await client.callTool({ name, arguments: args });
      assert.ok(!result.isError, `${name}: ${result.content[0].text}`);
      assert.deepEqual(JSON.parse(result.content[1].text), result.structuredContent);
      const { outputSchema, inputSchema } = tools.find((tool) => tool.name === name);
      const ajv = new Ajv2020({ strict: false });
      assert.ok(ajv.validate(inputSchema, args), `${name}: ${ajv.errorsText()}`);
      assert.ok(ajv.validate(outputSchema, result.structuredContent), `${name}: ${ajv.errorsText()}`);
      return result;
    };
    const found = await call("search_products",
      { query: "kettle", limit: 3, filters: { price: { max: 8000, currency: "USD" } } });
    const items = found.structuredContent.items;
    assert.equal(items.length, 3);
    assert.match(found.content[0].text, /^3 of \d+ products:\n1\. /);
    for (const { price } of items) assert.ok(price.amount <= 8000);
    const next = await call("search_products",
      { query: "kettle", limit: 3, filters: { price: { max: 8000, currency: "USD" } },
        cursor: found.structuredContent.next_cursor });
    assert.equal(next.structuredContent.items[0].n, 4);
    const product = await call("get_product", { id: items[0].id });
    assert.equal(product.structuredContent.title, items[0].title);
    const compared = await call("compare_products", { ids: items.map(({ id }) => id) });
    const price = compared.structuredContent.rows.find(({ name }) => name === "price");
    assert.equal(price.values.length, 3);
    assert.ok(price.values.every((value) => value.startsWith("$")));
    const policy = await call("shop_policies", { question: "How long does shipping take?" });
    assert.equal(policy.structuredContent.decision, "hit");
    assert.match(policy.content[0].text, /3 to 5 business days/);
    const answer = await call("ask", { message: "Which kettle is the cheapest?" });
    assert.equal(answer.content[0].text, answer.structuredContent.text);
    assert.ok(answer.structuredContent.products.length > 0);
    let reported = "";
    const progressing = await client.callTool({ name: "ask",
      arguments: { message: "Which kettle is the cheapest?" } }, ...progressOptions(client,
      ({ message }) => { reported += message; }));
    assert.equal(reported, progressing.structuredContent.text);
    const later = await call("ask", { message: "is it in stock?",
      conversation_id: answer.structuredContent.conversation_id });
    assert.equal(later.structuredContent.conversation_id,
      answer.structuredContent.conversation_id);
    await client.close();
  });

  test(`${kind} learns what is wrong`, { skip: skipped }, async () => {
    const client = await connect();
    const wrong = await client.callTool({ name: "get_product", arguments: { id: "nothing" } });
    assert.equal(wrong.isError, true);
    assert.match(wrong.content[0].text, /id: no such product: take ids from search_products/);
    await assert.rejects(client.callTool({ name: "buy", arguments: {} }),
      (error) => error.code === -32602 && /no tool buy/.test(error.message));
    await client.close();
  });
}

test("a client with a handshake pings, and gets an error for what there is not", async () => {
  const client = await connectHandshake();
  await client.ping();
  assert.deepEqual(Object.keys(client.getServerCapabilities()), ["tools"]);
  await assert.rejects(client.listResources(), (error) => !(error instanceof McpError) ||
    error.code === -32601);
  await client.close();
});

test("the newest revision is the one that is found", { skip }, async () => {
  const client = await connectModern("auto");
  assert.equal(client.getNegotiatedProtocolVersion(), "2026-07-28");
  await client.close();
});

test("keys decide as on the other routes", async () => {
  const { key } = JSON.parse(await shop.run("key", "issue", "server", "--shop", "default"));
  // The service looks at the keys of other processes once a second.
  const deadline = Date.now() + 30000;
  let refused = null;
  while (refused === null && Date.now() < deadline) {
    await connectHandshake().then((client) => client.close(), (error) => { refused = error; });
  }
  assert.match(String(refused), /a key is needed: send a key in the header/);
  const headers = { Authorization: `Bearer ${key}` };
  const client = await connectHandshake({ requestInit: { headers } });
  assert.equal((await client.listTools()).tools.length, names.length);
  await client.close();
  const foreign = connectHandshake({ requestInit: { headers: { ...headers,
    Origin: "https://evil.example" } } });
  await assert.rejects(foreign, /foreign_origin/);
});
