// Chips: what each condition says, and the filter without it.

import assert from "node:assert/strict";
import test from "node:test";
import { filterChips } from "../../../services/web/filters.js";
import { loadStrings } from "../../../services/web/strings.js";

const kEnglish = await loadStrings(["en-US"]);
const kGerman = await loadStrings(["de-DE"]);
const kChinese = await loadStrings(["zh-CN"]);

const kFilters = {
  price: { min: 2000, max: 4550, currency: "USD" },
  brands: ["Sony"],
  not_brands: ["Bose"],
  categories: ["Audio"],
  not_categories: ["Cases"],
  colors: ["red", "ultraviolet"],
  not_colors: ["gray"],
  availability: ["in_stock"],
  location: "Berlin Mitte",
  condition: ["new", "refurbished"],
  min_rating: 4.5,
  attributes: [
    { name: "size", values: ["10", "11"] },
    { name: "material", values: ["leather"] },
  ],
  ranges: [
    { attribute: "capacity", unit: "l", min: 1.5 },
    { unit: "inch", above: 24, below: 32.5 },
    { unit: "kg", min: 2, max: 2 },
  ],
  not: ["wifi"],
  locale: "en",
};

test("says every condition in the words of the page", () => {
  const words = filterChips(kFilters, kEnglish).map(({ text }) => text);
  assert.deepEqual(words, [
    "$20 – $45.50",
    "Sony",
    "Not Bose",
    "Audio",
    "Not Cases",
    "Red",
    "ultraviolet",
    "Not Grey",
    "In stock",
    "New",
    "Refurbished",
    "Not wifi",
    "In stock at Berlin Mitte",
    "4.5 stars and up",
    "size: 10, 11",
    "material: leather",
    "capacity ≥ 1.5 l",
    "> 24 < 32.5 inch",
    "2 kg",
  ]);
  const chinese = filterChips(kFilters, kChinese).map(({ text }) => text);
  assert.ok(chinese.includes("红色") && chinese.includes("不要灰色") && chinese.includes("全新"));
  assert.equal(chinese.length, words.length);
});

test("without one condition all the others stay", () => {
  const rest = (text) => {
    const chip = filterChips(kFilters, kEnglish).find((each) => each.text === text);
    return [chip.part, chip.rest];
  };
  assert.deepEqual(rest("$20 – $45.50"), ["price", null]);
  assert.deepEqual(rest("Sony"), ["brands", []]);
  assert.deepEqual(rest("Red"), ["colors", ["ultraviolet"]]);
  assert.deepEqual(rest("4.5 stars and up"), ["min_rating", null]);
  assert.deepEqual(rest("size: 10, 11"), ["attributes", [kFilters.attributes[1]]]);
  assert.deepEqual(rest("2 kg"), ["ranges", kFilters.ranges.slice(0, 2)]);
});

test("an amount without cents loses them, in every currency and language", () => {
  const text = (max, currency, strings = kEnglish) =>
    filterChips({ price: { max, currency } }, strings)[0].text;
  assert.equal(text(6000, "USD"), "Up to $60");
  assert.equal(text(6050, "USD"), "Up to $60.50");
  assert.equal(text(1200000, "USD"), "Up to $12,000");
  assert.equal(text(10000, "JPY"), "Up to ¥10,000");
  assert.equal(text(15000, "KWD"), "Up to KWD\u00a015");
  assert.equal(text(1200000, "EUR", kGerman), "Bis 12.000\u00a0€");
});

test("data of a wrong shape is left out", () => {
  const wrong = [
    null,
    7,
    "brands",
    [],
    { brands: "Sony", colors: { red: true }, price: 7, ranges: [null, 7, {}, { min: "2" }] },
    { price: { max: "60", currency: "USD" }, min_rating: "4", location: 7, not: [null, 3, ""] },
    { price: { max: 60, currency: "dollars" }, attributes: [{}, { name: "size", values: [7] }] },
    { price: { max: 1e300, currency: "USD" } },
  ];
  for (const filters of wrong) assert.deepEqual(filterChips(filters, kEnglish), []);
});
