// The questions to start with: made from what the shop sells.

import assert from "node:assert/strict";
import test from "node:test";
import { fetchStarters, startersOf } from "../../../services/web/starters.js";
import { loadStrings } from "../../../services/web/strings.js";

const kEnglish = await loadStrings(["en-US"]);

function item(category, amount, { currency = "USD", brand = "", count = 9 } = {}) {
  return {
    categories: [category],
    price: { amount, currency },
    brand,
    rating: { value: 4, count },
  };
}

test("they name this shop's categories, prices and brands", () => {
  const items = [item("Furniture > Sofas", 112999), item("Audio > Headphones", 10949)];
  const facets = { brands: [{ value: "Torvane", count: 30 }] };
  assert.deepEqual(startersOf({ items, facets }, kEnglish), [
    "Sofas under $1,500",
    "Which headphones are rated best?",
    "Show me products from Torvane",
  ]);
});

test("the price is one that a shopper would name, never below the product's own", () => {
  const bound = (amount, currency, locale = kEnglish) =>
    startersOf({ items: [item("Things", amount, { currency })] }, locale)[0];
  assert.equal(bound(10949, "USD"), "Things under $150");
  assert.equal(bound(2349, "USD"), "Things under $25");
  assert.equal(bound(2500, "USD"), "Things under $25");
  assert.equal(bound(99, "USD"), "Things under $1");
  assert.equal(bound(5980, "JPY"), "Things under ¥6,000");
  assert.equal(bound(59900, "INR"), "Things under ₹600");
  assert.equal(bound(12345, "KWD"), "Things under KWD\u00a015");
});

test("a shop without categories is asked for its brands", () => {
  const facets = { brands: [{ value: "HP" }, { value: "Canon" }, { value: "x".repeat(60) }] };
  assert.deepEqual(startersOf({ items: [{ title: "a" }], facets }, kEnglish), [
    "Show me products from HP",
    "Show me products from Canon",
  ]);
});

test("a category keeps its capitals where its language or its letters need them", async () => {
  const items = [item("Sofas", 100), item("TVs", 100)];
  assert.equal(startersOf({ items }, kEnglish)[1], "Which TVs are rated best?");
  const german = await loadStrings(["de"]);
  const chairs = [item("Sofas", 100), item("Stühle", 100)];
  assert.equal(startersOf({ items: chairs }, german)[1], "Was ist bei Stühle am besten bewertet?");
});

test("a name with a sign in it is not put into a sentence", () => {
  const items = [item("Toys & Games", 100), item("Health & Care", 100), item("Sofas", 100)];
  const questions = startersOf({ items }, kEnglish);
  assert.deepEqual(questions, ["Toys & Games under $1", "Which sofas are rated best?"]);
});

/// A service that answers each path with what `replies` has for it; a function is called with the
/// body.
function serviceOf(replies) {
  return {
    send: async (method, path, body) => {
      const reply = typeof replies[path] === "function" ? replies[path](body) : replies[path];
      return { ok: reply !== undefined, json: async () => reply };
    },
  };
}

test("the question about shipping is asked where the shop's help answers it", async () => {
  const goods = { items: [item("Sofas", 100)] };
  for (const decision of ["hit", "unsure"]) {
    const lookup = ({ question, locale }) => {
      assert.deepEqual([question, locale], ["How long does shipping take?", "en-US"]);
      return { decision };
    };
    const service = serviceOf({ "/v1/search": goods, "/v1/faq/lookup": lookup });
    assert.deepEqual(await fetchStarters(service, kEnglish), [
      "Sofas under $1",
      "How long does shipping take?",
    ]);
  }
  const none = serviceOf({ "/v1/search": goods, "/v1/faq/lookup": { decision: "none" } });
  assert.deepEqual(await fetchStarters(none, kEnglish), ["Sofas under $1"]);
});

test("goods in the reader's language come first, and others where there are none", async () => {
  const chinese = await loadStrings(["zh-CN"]);
  const search = ({ filters }) => ({ items: filters.locale === "zh" ? [item("沙发", 100)] : [] });
  assert.equal(
    (await fetchStarters(serviceOf({ "/v1/search": search }), chinese))[0],
    "US$1以下的沙发",
  );
  const english = ({ filters }) => ({ items: filters.locale ? [] : [item("Sofas", 100)] });
  assert.equal(
    (await fetchStarters(serviceOf({ "/v1/search": english }), chinese))[0],
    "US$1以下的Sofas",
  );
});

test("odd replies and failures leave no question", async () => {
  for (const reply of [{}, { items: 5, facets: 7 }, { items: [null, 3, { categories: "x" }] }]) {
    assert.deepEqual(startersOf(reply, kEnglish), []);
  }
  const failing = [
    { send: () => Promise.reject(new Error("offline")) },
    { send: async () => ({ ok: false }) },
    { send: async () => ({ ok: true, json: async () => JSON.parse("{") }) },
    { send: async () => ({ ok: true, json: async () => null }) },
  ];
  for (const service of failing) assert.deepEqual(await fetchStarters(service, kEnglish), []);
});
