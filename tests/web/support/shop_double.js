// A stand-in for `emptor serve` in tests of the pages: serves the real files of services/web with
// the real headers, and answers the API as a test scripts it.

import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { extname } from "node:path";
import { fileURLToPath } from "node:url";
import { drawing, encode, kettleAnswer, kKettles } from "./sample.js";

export const kWebFolder = fileURLToPath(new URL("../../../services/web/", import.meta.url));

const kTypes = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
};
const kPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; " +
  "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; " +
  "require-trusted-types-for 'script'; trusted-types 'none'";

/// The names that services/web/assets.cmake lists.
export async function listedAssets(list = "EMPTOR_WEB_ASSETS") {
  const text = await readFile(`${kWebFolder}assets.cmake`, "utf8");
  return new RegExp(`set\\(${list}\\s+([^)]*)\\)`).exec(text)[1].trim().split(/\s+/);
}

/// What the double keeps until a test says otherwise: the conversation of kettleAnswer(), of which
/// no answer was kept.
export function keptConversations() {
  return { "c-1": { id: "c-1", title: "Kettles", updated_at: "2026-01-01T00:00:00Z", messages: [] } };
}

/// Starts on a free port. Of what it returns, tests set:
///   answer(body, headers): an async or plain iterable of strings or bytes, each written as one
///     chunk; or {status, error} for a refusal;
///   products: the records of /v1/products/{id};
///   conversations: those of /v1/conversations by id, {id, title, updated_at, messages}, or {status};
///   search: the reply of /v1/search; feedbackStatus: that of /v1/feedback; key and origins: a browser
///     key and the origins of its pages, as the service binds them;
/// and read `asked`, the bodies and headers of all calls of /v1/assist, `feedback`, the bodies of
/// /v1/feedback, `events`, those of /v1/events, and `changes`, what was changed below
/// /v1/conversations.
export async function startShopDouble() {
  const assets = new Set(await listedAssets());
  const double = {
    asked: [],
    feedback: [],
    feedbackStatus: 204,
    changes: [],
    conversations: keptConversations(),
    events: [],
    key: "",
    origins: [],
    search: { items: kKettles, facets: { brands: [{ value: "Torvane", count: 1 }] } },
    products: Object.fromEntries(kKettles.map((product) => [product.id, product])),
    answer: () => encode(kettleAnswer()),
  };
  const server = createServer((request, response) => {
    route(double, assets, request, response).catch((error) => response.destroy(error));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  double.origin = `http://127.0.0.1:${server.address().port}`;
  double.close = () => {
    server.closeAllConnections?.();
    return new Promise((resolve) => server.close(resolve));
  };
  return double;
}

async function route(double, assets, request, response) {
  const { pathname } = new URL(request.url, "http://double");
  response.setHeader("X-Content-Type-Options", "nosniff");
  response.setHeader("Referrer-Policy", "no-referrer");
  if (!admit(double, request, response)) return undefined;
  if (pathname === "/") return sendFile(response, "index.html");
  if (pathname === "/widget.js") return sendFile(response, "widget.js");
  if (pathname.startsWith("/p/")) return sendProductPage(response);
  const asset = pathname.replace("/assets/", "");
  if (assets.has(asset)) return sendFile(response, asset);
  const drawn = /^\/images\/(?!missing)(.*)\.svg$/.exec(pathname);
  if (drawn !== null) return send(response, 200, kTypes[".svg"], drawing(drawn[1]));
  const asked = /^\/v1\/products\/(.*)$/.exec(pathname);
  if (asked !== null) return sendProduct(response, double.products[decodeURIComponent(asked[1])]);
  if (pathname === "/v1/assist" && request.method === "POST") {
    return assist(double, request, response);
  }
  if (pathname === "/v1/search" && request.method === "POST") {
    return send(response, 200, "application/json", JSON.stringify(double.search));
  }
  if (pathname === "/v1/faq/lookup" && request.method === "POST") {
    return send(response, 200, "application/json", JSON.stringify({ decision: "hit" }));
  }
  if (pathname === "/v1/feedback" && request.method === "POST") {
    double.feedback.push(JSON.parse(await readBody(request)));
    return sendNothing(response, double.feedbackStatus);
  }
  if (pathname === "/v1/events" && request.method === "POST") {
    double.events.push(...JSON.parse(await readBody(request)).events);
    return send(response, 202, "application/json", "{}");
  }
  if (pathname === "/v1/conversations") {
    const items = Object.values(double.conversations).map(({ messages, ...head }) => head);
    return send(response, 200, "application/json", JSON.stringify({ items }));
  }
  if (pathname.startsWith("/v1/conversations/") && request.method === "GET") {
    const found = double.conversations[pathname.slice("/v1/conversations/".length)];
    if (found === undefined) return sendError(response, 404, "not_found", "no such conversation");
    if (found.status) return sendError(response, found.status, "failed", "not now");
    return send(response, 200, "application/json", JSON.stringify(found));
  }
  if (pathname.startsWith("/v1/conversations/")) {
    const change = [request.method, pathname, await readBody(request)];
    double.changes.push(change.filter((part) => part !== ""));
    if (request.method === "DELETE") delete double.conversations[pathname.split("/").at(-1)];
    return sendNothing(response, 204);
  }
  return sendError(response, 404, "not_found", "no such route");
}

/// The service's rule for pages of other origins: files for everybody, the API with a browser key
/// that lists the origin. False when the request is answered.
function admit(double, request, response) {
  const { origin } = request.headers;
  if (request.url.startsWith("/assets/") || request.url === "/widget.js") {
    response.setHeader("Access-Control-Allow-Origin", "*");
    return true;
  }
  if (origin === undefined || origin === double.origin) return true;
  const isPreflight = request.method === "OPTIONS";
  const hasKey = isPreflight || request.headers.authorization === `Bearer ${double.key}`;
  if (double.key === "" || !hasKey || !double.origins.includes(origin)) {
    sendError(response, 403, "foreign_origin", "a page of another origin");
    return false;
  }
  response.setHeader("Access-Control-Allow-Origin", origin);
  response.setHeader("Vary", "Origin");
  if (!isPreflight) return true;
  response.setHeader("Access-Control-Allow-Methods", "GET, POST, PATCH, DELETE");
  response.setHeader(
    "Access-Control-Allow-Headers",
    "Authorization, Content-Type, Last-Event-ID, X-Emptor-Shop, X-Emptor-Shopper",
  );
  sendNothing(response, 204);
  return false;
}

function sendNothing(response, status) {
  response.writeHead(status);
  response.end();
}

async function readBody(request) {
  let text = "";
  for await (const chunk of request.setEncoding("utf8")) text += chunk;
  return text;
}

async function sendFile(response, name) {
  response.setHeader("Content-Security-Policy", kPolicy);
  send(response, 200, kTypes[extname(name)], await readFile(kWebFolder + name));
}

/// The product page as the service fills it in for a caller who may not read the record.
async function sendProductPage(response) {
  const values = {
    lang: "en",
    dir: "ltr",
    head: "<title>Emptor</title>\n",
  };
  const page = await readFile(`${kWebFolder}product.html`, "utf8");
  response.setHeader("Content-Security-Policy", kPolicy);
  const filled = page.replaceAll(/\{\{(\w+)\}\}/g, (_, name) => values[name] ?? "");
  send(response, 200, kTypes[".html"], filled);
}

function send(response, status, type, body) {
  response.writeHead(status, { "Content-Type": type });
  response.end(body);
}

function sendError(response, status, code, message) {
  const error = { code, message, param: null, request_id: "r-77" };
  send(response, status, "application/json", JSON.stringify({ error }));
}

function sendProduct(response, product) {
  if (product === undefined) return sendError(response, 404, "not_found", "no such product");
  return send(response, 200, "application/json", JSON.stringify(product));
}

async function assist(double, request, response) {
  const body = JSON.parse(await readBody(request));
  double.asked.push({ body, headers: request.headers });
  const answer = double.answer(body, request.headers);
  if (answer.status) return sendError(response, answer.status, answer.code, answer.message);
  response.writeHead(200, { "Content-Type": "text/event-stream", "Cache-Control": "no-store" });
  response.flushHeaders();
  for await (const chunk of answer) {
    if (response.destroyed) return undefined;
    response.write(chunk);
    // One turn of the event loop, so that chunks reach the page as chunks.
    await new Promise((resolve) => setImmediate(resolve));
  }
  response.end();
  return undefined;
}
