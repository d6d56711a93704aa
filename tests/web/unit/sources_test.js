// What holds for the page's files as text: the list is complete, the languages agree, no markup is
// ever made from strings, and nothing is asked of another host.

import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import test from "node:test";
import { kLanguages, stringKeys, Strings } from "../../../services/web/strings.js";
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

test("every language says the same things", () => {
  for (const language of kLanguages) {
    assert.deepEqual(stringKeys(language), stringKeys("en"), language);
  }
});

test("every string that a page or script names exists, and none is left over", () => {
  const all = Object.values(kText)
    .filter((text) => !text.includes("const kStrings"))
    .join("\n");
  for (const [, key] of all.matchAll(/(?:\bt\(|data-(?:text|label)=)"(\w+)"/g)) {
    assert.ok(stringKeys("en").includes(key), key);
  }
  const kBuilt = /^(error|condition_|color_)/;
  for (const key of stringKeys("en").filter((name) => !kBuilt.test(name))) {
    assert.match(all, new RegExp(`\\b${key}\\b`), `${key} is never used`);
  }
});

test("the reader's language is chosen, and counts are said rightly", () => {
  assert.equal(new Strings(["fr-FR", "zh-TW", "en"]).language, "zh");
  assert.equal(new Strings(["de"]).language, "en");
  const english = new Strings(["en-GB"]);
  assert.equal(english.locale, "en-GB");
  assert.equal(english.t("reviews", { count: 1 }), "1 review");
  assert.equal(english.t("reviews", { count: 12345 }), "12,345 reviews");
  assert.equal(new Strings(["zh-CN"]).t("reviews", { count: 3 }), "3 条评价");
  assert.throws(() => english.t("nonsense"), RangeError);
});
