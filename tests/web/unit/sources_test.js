// What holds for the page's files as text: the list is complete, the languages agree, no markup is
// ever made from strings, and nothing is asked of another host.

import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import test from "node:test";
import { chooseLanguage, kLanguages, loadStrings } from "../../../services/web/strings.js";
import { kWebFolder, listedAssets } from "../support/shop_double.js";

const kAssets = await listedAssets();
const kText = Object.fromEntries(
  await Promise.all(kAssets.map(async (name) => [name, await readFile(kWebFolder + name, "utf8")])),
);
const kScripts = kAssets.filter((name) => name.endsWith(".js"));
const kPages = kAssets.filter((name) => name.endsWith(".html"));

test("assets.cmake lists every file of the page", async () => {
  const files = (await readdir(kWebFolder)).filter((name) => /\.(js|css|html|svg)$/.test(name));
  assert.deepEqual([...kAssets].sort(), files.sort());
});

test("no script makes markup or code from text", () => {
  const kForbidden = new RegExp(
    "innerHTML|outerHTML|insertAdjacentHTML|document\\.write|DOMParser|\\beval\\b|new Function|" +
      "srcdoc|createContextualFragment|setHTMLUnsafe",
  );
  for (const name of kScripts) {
    const code = kText[name].replaceAll(/\/\/.*|\/\^\(on.*/g, "");
    assert.doesNotMatch(code, kForbidden, name);
  }
});

test("pages have no inline script, style or handler, and name no other host", () => {
  for (const name of kPages) {
    assert.doesNotMatch(kText[name], /<style|\sstyle=|\son\w+=|<script(?![^>]*\ssrc=)/i, name);
    assert.doesNotMatch(kText[name], /(?:href|src)="(?!\/)/, name);
  }
  for (const name of kAssets.filter((asset) => asset.endsWith(".css"))) {
    assert.doesNotMatch(kText[name], /url\(|@import/, name);
  }
});

test("styles name no left and right side, so that they hold in both directions", () => {
  const kSide =
    /(?:^|[\s;{-])(?:left|right)\s*:|text-align:\s*(?:left|right)|-(?:left|right)-radius/m;
  for (const name of kAssets.filter((asset) => asset.endsWith(".css"))) {
    assert.doesNotMatch(kText[name], kSide, name);
    // Four values, of which the second and the fourth differ, are sides as well.
    for (const [rule, , end, , start] of kText[name].matchAll(
      /(?:padding|margin): (\S+) (\S+) (\S+) ([^\s;]+);/g,
    )) {
      assert.equal(end, start, `${name}: ${rule}`);
    }
  }
});

function importsOf(name) {
  return [...kText[name].matchAll(/from "\.\/([\w.]+)"/g)].map((match) => match[1]);
}

test("each page announces exactly the modules that its script needs", () => {
  for (const page of kPages) {
    const [, entry] = /<script type="module" src="\/assets\/([\w.]+)"/.exec(kText[page]);
    const needed = new Set();
    const visit = (name) =>
      importsOf(name)
        .filter((other) => !needed.has(other))
        .forEach((other) => {
          needed.add(other);
          visit(other);
        });
    visit(entry);
    const announced = [...kText[page].matchAll(/modulepreload" href="\/assets\/([\w.]+)"/g)].map(
      (m) => m[1],
    );
    assert.deepEqual(announced.sort(), [...needed].sort(), page);
  }
});

const kTables = Object.fromEntries(
  await Promise.all(
    Object.entries(kLanguages).map(async ([code, { load }]) => [code, (await load()).default]),
  ),
);

/// "{title}" and the like, of a text or of all forms of a plural.
function placesOf(entry) {
  const texts = typeof entry === "string" ? [entry] : Object.values(entry);
  return new Set(texts.flatMap((text) => text.match(/\{\w+\}/g) ?? []));
}

test("six languages have the same keys, in the same order, with the same places for values", () => {
  assert.deepEqual(Object.keys(kTables), ["en", "de", "es", "fr", "zh", "ar"]);
  for (const [language, table] of Object.entries(kTables)) {
    assert.deepEqual(Object.keys(table), Object.keys(kTables.en), language);
    for (const [key, entry] of Object.entries(table)) {
      assert.equal(typeof entry, typeof kTables.en[key], `${language} ${key}`);
      assert.deepEqual(placesOf(entry), placesOf(kTables.en[key]), `${language} ${key}`);
    }
  }
});

test("a plural has every form that its language uses", () => {
  for (const [language, table] of Object.entries(kTables)) {
    const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions();
    for (const [key, forms] of Object.entries(table).filter(
      ([, entry]) => typeof entry !== "string",
    )) {
      // "many" of Spanish and French is for millions, and is written as "other".
      const wanted =
        language === "ar" ? pluralCategories : pluralCategories.filter((c) => c !== "many");
      assert.deepEqual(Object.keys(forms).sort(), [...wanted].sort(), `${language} ${key}`);
    }
  }
});

test("every string that a page or script names exists, and none is left over", () => {
  const all = Object.entries(kText)
    .filter(([name]) => !name.startsWith("strings_"))
    .map(([, text]) => text)
    .join("\n");
  const keys = Object.keys(kTables.en);
  for (const [, key] of all.matchAll(/(?:\bt\(|data-text=)"(\w+)"/g)) {
    assert.ok(keys.includes(key), key);
  }
  const kBuilt = /^(error|condition_|color_|reason_|theme_)/;
  for (const key of keys.filter((name) => !kBuilt.test(name))) {
    assert.match(all, new RegExp(`\\b${key}\\b`), `${key} is never used`);
  }
});

test("no text for a reader is outside the tables", () => {
  for (const name of kScripts.filter((script) => !/^strings/.test(script))) {
    const code = kText[name].replaceAll(/\/\/.*/g, "");
    // Texts of errors are for developers; all else in capitals and spaces would be words of the
    // page.
    const words = [...code.matchAll(/"([A-Z][a-z]+ [a-z]+[^"]*)"/g)].map((match) => match[1]);
    assert.deepEqual(words, [], name);
  }
  for (const name of kPages) {
    const body = kText[name]
      .replace(/<head>[^]*<\/head>/, "")
      .replace(/<noscript>.*<\/noscript>/g, "")
      .replaceAll(/\{\{\w+\}\}/g, ""); // filled in by the service
    const words = body.replaceAll(/<[^>]*>/g, " ").trim();
    assert.match(words, /^(Emptor)?$/, name);
  }
});

test("the reader's language is chosen, and counts are said rightly", async () => {
  assert.deepEqual(chooseLanguage(["pt-BR", "zh-TW", "en"]), { language: "zh", locale: "zh-TW" });
  assert.deepEqual(chooseLanguage(["pt"]), { language: "en", locale: "en-US" });
  assert.deepEqual(chooseLanguage(["en-GB", "fr-CA"], "fr"), { language: "fr", locale: "fr-CA" });
  assert.deepEqual(chooseLanguage(["en-GB"], "ar"), { language: "ar", locale: "ar" });
  assert.deepEqual(chooseLanguage(["en-GB"], "toString"), { language: "en", locale: "en-US" });
  const english = await loadStrings(["en-GB"]);
  assert.equal(english.locale, "en-GB");
  assert.equal(english.direction, "ltr");
  assert.equal(english.t("reviews", { count: 1 }), "1 review");
  assert.equal(english.t("reviews", { count: 12345 }), "12,345 reviews");
  assert.equal((await loadStrings(["zh-CN"])).t("reviews", { count: 3 }), "3 条评价");
  const arabic = await loadStrings(["ar"]);
  assert.equal(arabic.direction, "rtl");
  assert.equal(arabic.t("reviews", { count: 2 }), "مراجعتان");
  assert.equal(arabic.t("reviews", { count: 5 }), "5 مراجعات");
  assert.throws(() => english.t("nonsense"), RangeError);
});
