// The admin page without a browser: values in words, metrics, charts, entries, traces, its files.

import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { readdir, readFile } from "node:fs/promises";
import test from "node:test";
import {
  AdminClient,
  partsOfHash,
  reasonOf,
  shopPath,
} from "../../../services/web/admin/admin_client.js";
import { niceLimit, pathOf } from "../../../services/web/admin/chart.js";
import { countText, dayOf, entryOf, idOfQuestion } from "../../../services/web/admin/faq_view.js";
import {
  formatAgo,
  formatBytes,
  formatPlural,
  formatSeconds,
  formatShare,
  plainAnswer,
} from "../../../services/web/admin/format.js";
import { shareOf } from "../../../services/web/admin/jobs_view.js";
import { LoadHistory } from "../../../services/web/admin/load_view.js";
import { parseMetrics, quantileBetween, sumOf } from "../../../services/web/admin/metrics_text.js";
import { repeat } from "../../../services/web/admin/parts.js";
import { filterText, planText } from "../../../services/web/admin/trace_view.js";
import { kWebFolder, listedAssets } from "../support/shop_double.js";

const kFolder = `${kWebFolder}admin/`;

test("assets.cmake lists every file of the admin page, and none of them is unsafe", async () => {
  const listed = (await listedAssets("EMPTOR_ADMIN_ASSETS")).map((name) =>
    name.replace("admin/", ""),
  );
  assert.deepEqual([...listed].sort(), (await readdir(kFolder)).sort());
  const shared = await listedAssets();
  for (const name of listed) {
    const text = await readFile(kFolder + name, "utf8");
    assert.doesNotMatch(
      text.replaceAll(/\/\/.*/g, ""),
      /innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|\beval\b|new Function|srcdoc|localStorage|document\.cookie/,
      name,
    );
    assert.doesNotMatch(
      text,
      /<style|\sstyle=|\son\w+=|<script(?![^>]*\ssrc=)|url\(|@import/i,
      name,
    );
    assert.doesNotMatch(text, /(?:href|src)="(?!\/)/, name);
    // What it takes from the other pages is served under /admin/assets, too.
    for (const [, other] of text.matchAll(/from "\.\.\/([\w.]+)"/g)) {
      assert.ok(shared.includes(other), `${name}: ${other}`);
    }
    for (const [, other] of text.matchAll(/from "\.\/([\w.]+)"/g)) {
      assert.ok(listed.includes(other), `${name}: ${other}`);
    }
  }
});

test("values are written for people", () => {
  assert.equal(formatBytes(999), "999 B");
  assert.equal(formatBytes(5016192), "5.0 MB");
  assert.equal(formatBytes(631000), "631 KB");
  assert.equal(formatSeconds(0.0004), "0.4 ms");
  assert.equal(formatSeconds(0.747), "747 ms");
  assert.equal(formatSeconds(12.34), "12.3 s");
  assert.equal(formatSeconds(185), "3 min 5 s");
  assert.equal(formatSeconds(7300), "2 h 1 min");
  assert.equal(formatSeconds(NaN), "–");
  assert.equal(formatShare(0.005), "0.5 %");
  assert.equal(formatShare(0.984), "98 %");
  assert.equal(formatPlural(1, "entry", "entries"), "1 entry");
  assert.equal(formatPlural(1234, "row"), "1,234 rows");
  const now = Date.parse("2026-11-30T10:00:00Z");
  assert.equal(formatAgo("2026-11-30T09:59:57Z", now), "just now");
  assert.equal(formatAgo("2026-11-30T09:59:00Z", now), "1 minute ago");
  assert.equal(formatAgo("2026-11-30T07:00:00Z", now), "3 hours ago");
  assert.match(formatAgo("2026-11-20T07:00:00Z", now), /2026/);
  assert.equal(formatAgo("", now), "–");
  assert.equal(plainAnswer("The [K 20](/p/k20) is **light** [1]."), "The K 20 is light [1].");
});

test("paths and addresses are escaped, both ways", () => {
  assert.equal(
    shopPath("tools", "faq", { id: "a b/c", cursor: null }),
    "/admin/shops/tools/faq?id=a+b%2Fc",
  );
  assert.equal(shopPath("t", "jobs"), "/admin/shops/t/jobs");
  assert.deepEqual(partsOfHash("#faq/edit/a%2Fb"), ["faq", "edit", "a/b"]);
  assert.deepEqual(partsOfHash("#faq/%"), ["faq", ""]);
  assert.deepEqual(partsOfHash(""), [""]);
});

const kBefore = parseMetrics(`# HELP x y
gen_ai_server_time_to_first_token_seconds_count 10
gen_ai_server_time_to_first_token_seconds_sum 5
gen_ai_server_time_to_first_token_seconds_bucket{le="0.1"} 8
gen_ai_server_time_to_first_token_seconds_bucket{le="1"} 9
gen_ai_server_time_to_first_token_seconds_bucket{le="+Inf"} 10
emptor_answers_total{step="model"} 4
emptor_answers_total{step="code"} 6
`);

test("metrics are read, with labels, escapes and what is no sample left out", () => {
  const families = parseMetrics('a{b="x\\"y",c="d"} 1.5\nnonsense\nb +Inf\nc{} 2 1700000000\n');
  assert.deepEqual(families.get("a"), [{ labels: { b: 'x"y', c: "d" }, value: 1.5 }]);
  assert.equal(families.get("b")[0].value, Infinity);
  assert.equal(sumOf(families, "c"), 2);
  assert.ok(Number.isNaN(sumOf(families, "none")));
  assert.equal(sumOf(kBefore, "emptor_answers_total"), 10);
  assert.equal(sumOf(kBefore, "emptor_answers_total", { step: "code" }), 6);
});

test("charts show what happened between two readings, and nothing where nothing did", () => {
  const text = (count, sum, low, middle, answers) => `
gen_ai_server_time_to_first_token_seconds_count ${count}
gen_ai_server_time_to_first_token_seconds_sum ${sum}
gen_ai_server_time_to_first_token_seconds_bucket{le="0.1"} ${low}
gen_ai_server_time_to_first_token_seconds_bucket{le="1"} ${middle}
gen_ai_server_time_to_first_token_seconds_bucket{le="+Inf"} ${count}
emptor_answers_total ${answers}
emptor_answer_cache_lookups_total{result="hit"} ${answers / 2}
emptor_answer_cache_lookups_total{result="miss"} ${answers / 2}
emptor_engine_requests_running 3
`;
  const history = new LoadHistory();
  history.add(text(10, 5, 8, 10, 10), 1000);
  history.add(text(20, 6, 17, 20, 20), 3000);
  history.add(text(20, 6, 17, 20, 20), 5000);
  history.add(text(1, 0.5, 0, 1, 2), 7000); // the service was started again
  const [first, second, third] = history.points;
  assert.equal(first.firstTokenMean, 0.1);
  assert.equal(first.firstTokenSlow, 1);
  assert.equal(first.answersPerMinute, 300);
  assert.equal(first.answerCache, 0.5);
  assert.equal(first.running, 3);
  assert.ok(Number.isNaN(first.prefixCache));
  assert.ok(Number.isNaN(second.firstTokenMean) && Number.isNaN(second.answerCache));
  assert.equal(second.answersPerMinute, 0);
  assert.equal(third.firstTokenMean, 0.5);
  assert.equal(third.answersPerMinute, 60);
  assert.ok(
    Number.isNaN(
      quantileBetween(kBefore, kBefore, "gen_ai_server_time_to_first_token_seconds", 0.95),
    ),
  );
});

test("a chart's line has gaps, and its scale a round top", () => {
  assert.deepEqual([0, 0.03, 1, 1.1, 2.2, 4, 70].map(niceLimit), [1, 0.05, 1, 2, 2.5, 5, 100]);
  const path = pathOf([1, NaN, 2, 2], 4, 2);
  assert.equal(path.match(/M/g).length, 2);
  assert.equal(path.match(/L/g).length, 1);
  assert.match(path, /^M0\.0 64\.0 h0\.01/);
  assert.equal(pathOf([NaN], 4, 1), "");
});

test("an entry of the FAQ is what the fields say", () => {
  const fields = {
    questions: " How long? \n\nuntil when? ",
    answer: " 45 days. ",
    locale: "",
    category: "returns",
    valid_from: "2026-12-01",
    valid_until: " ",
  };
  assert.deepEqual(entryOf(fields, { owner: "ann", category: "old", locale: "de", version: 3 }), {
    questions: ["How long?", "until when?"],
    answer: "45 days.",
    owner: "ann",
    category: "returns",
    valid_from: "2026-12-01",
  });
  assert.equal(idOfQuestion("Do you ship to Ísland?"), "do-you-ship-to-i-sland");
  assert.match(idOfQuestion("你好吗"), /^entry-/);
  assert.ok(idOfQuestion("word ".repeat(50)).length <= 60);
  assert.equal(dayOf("2026-12-24T00:00:00Z", false), "2026-12-24");
  assert.equal(dayOf("2026-12-25T00:00:00Z", true), "2026-12-24");
  assert.equal(dayOf("2026-12-25T08:30:00Z", true), "2026-12-25T08:30:00Z");
  assert.equal(dayOf(undefined, true), "");
});

test("filters and plans of a trace are said in words", () => {
  const filter = {
    max_price: "6000",
    currency: "USD",
    categories: ["Kitchen > Kettles"],
    locale: "en",
    in_stock: true,
  };
  assert.equal(filterText(filter), "at most 60.00 USD, Kitchen > Kettles, in stock: yes");
  assert.equal(filterText(undefined), "");
  assert.equal(filterText({ min_price: "1800", currency: "JPY" }), "at least 1800 JPY");
  assert.equal(filterText({ max_price: "1250", currency: "KWD" }), "at most 1.250 KWD");
  assert.equal(filterText({ max_price: "5" }), "at most 0.05");
  const hits = [
    { n: 1, id: "k20" },
    { n: 2, id: "k80" },
  ];
  assert.equal(
    planText({ kind: "recommend", source: 1, keys: ["noise level"] }, hits),
    "Recommend: k20, noise level",
  );
  assert.equal(
    planText({ kind: "not_stated", source: 2 }, hits),
    "Say that the record does not state it: k80",
  );
  assert.equal(
    planText({ kind: "best", source: 1, key: "price", is_least: true }, hits),
    "Name the best: k20, price (the least)",
  );
  assert.equal(
    planText({ kind: "compare", sources: [1, 2], key: "price" }, hits),
    "Compare: k20, k80, price",
  );
});

test("what is asked again and again leaves nothing on its signal", async () => {
  const leave = new AbortController();
  const waiting = [];
  await repeat(leave.signal, 1, async () => {
    waiting.push(getEventListeners(leave.signal, "abort").length);
    if (waiting.length === 20) leave.abort();
  });
  assert.deepEqual(waiting, Array(20).fill(0));
});

test("a wait ends with its signal", async () => {
  const leave = new AbortController();
  const done = repeat(leave.signal, 1e6, async () => setTimeout(() => leave.abort(), 5));
  await done;
  assert.equal(getEventListeners(leave.signal, "abort").length, 0);
});

test("a search of the FAQ says what it looked through", () => {
  assert.equal(countText(3, 12, 12), "3 entries of 12");
  assert.equal(countText(1, 200, 450), "1 entry of the 200 loaded, 450 in all");
});

test("the progress of an import is a share where the size of the feed is known", () => {
  assert.equal(shareOf({ feed_bytes: 200, offset: 50 }), 0.25);
  assert.equal(shareOf({ feed_bytes: 0, offset: 50 }), null);
  assert.equal(shareOf({ feed_bytes: 100, offset: 500 }), null);
});

test("requests carry the key in a header, and refusals say what to do", async () => {
  const asked = [];
  const answers = [];
  globalThis.fetch = async (path, options) => {
    asked.push({ path, ...options });
    return answers.shift();
  };
  const refusals = [];
  const client = new AdminClient("emptor_secret", (refusal) => refusals.push(refusal));
  answers.push(Response.json({ shops: [] }));
  assert.deepEqual(await client.get("/admin/shops"), { shops: [] });
  assert.equal(asked[0].headers.Authorization, "Bearer emptor_secret");
  assert.equal(asked[0].credentials, "omit");
  assert.doesNotMatch(asked[0].path, /secret/);
  const refuse = (status, code, message) =>
    answers.push(Response.json({ error: { code, message } }, { status }));
  refuse(403, "wrong_scope", "the route needs an admin key");
  await assert.rejects(client.get("/admin/shops"), { status: 403, code: "wrong_scope" });
  refuse(401, "unknown_key", "no such key");
  await assert.rejects(client.get("/admin/shops"), { status: 401 });
  refuse(409, "conflict", "it is loading");
  await assert.rejects(client.send("POST", "/x"), { message: "it is loading" });
  answers.push(new Response("nonsense", { status: 502 }));
  await assert.rejects(client.get("/x"), { message: "The service answered with status 502." });
  assert.deepEqual(refusals.map(reasonOf), [
    "This key is not an admin key.",
    "The service does not know this key, or it has ended.",
  ]);
});
