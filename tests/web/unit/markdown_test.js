// The Markdown reader: the closed set that answers are shown in, hostile text, and open streams.

import assert from "node:assert/strict";
import test from "node:test";
import { parseMarkdown } from "../../../services/web/markdown.js";

const kOrigin = "https://shop.test";

/// The tree in short: p(...) ul(...) ol3(...) b(...) a:/p/x(...) [2] / text.
function brief(text, options = {}) {
  const inline = (nodes) =>
    nodes
      .map((node) => {
        if (node.type === "text") return node.text;
        if (node.type === "break") return "/";
        if (node.type === "citation") return `[${node.n}]`;
        if (node.type === "strong") return `b(${inline(node.children)})`;
        return `a:${node.path}(${inline(node.children)})`;
      })
      .join("");
  return parseMarkdown(text, { origin: kOrigin, ...options })
    .map((block) => {
      if (block.type === "paragraph") return `p(${inline(block.inlines)})`;
      const name = block.ordered ? `ol${block.start}` : "ul";
      return `${name}(${block.items.map(inline).join("|")})`;
    })
    .join(" ");
}

const kReads = [
  ["one two", "p(one two)"],
  ["one\ntwo\n\n\nthree", "p(one/two) p(three)"],
  ["a **bold** word", "p(a b(bold) word)"],
  ["**a [T](/p/K20)**", "p(b(a a:/p/K20(T)))"],
  ["- a\n- b\n* c\n\n\u2022 d", "ul(a|b|c|d)"],
  ["Look:\n1. a\n2) b\n   more\nend", "p(Look:) ol1(a|b more end)"],
  ["3. c", "ol3(c)"],
  ["## Title\ntext", "p(b(Title)) p(text)"],
  ["good [2], best [12]", "p(good [2], best [12])"],
  ["[Kettle](/p/K-20.b_1)", "p(a:/p/K-20.b_1(Kettle))"],
  [`[K](${kOrigin}/p/K20)`, "p(a:/p/K20(K))"],
  ["\\*\\* \\[x\\](/p/a)", "p(** [x](/p/a))"],
  ["5 * 3 ** 2", "p(5 * 3 ** 2)"],
  ["a ** b ** c", "p(a ** b ** c)"],
  ["[0] [123] [x]", "p([0] [123] [x])"],
  ["", ""],
  ["\n \n", ""],
];

for (const [text, want] of kReads) {
  test(`reads ${JSON.stringify(text)}`, () => assert.equal(brief(text), want));
}

const kHarmless = [
  ["[x](javascript:alert(1))", "p(x))"],
  ["[x](JaVaScRiPt:alert(1))", "p(x))"],
  ["[x](data:text/html,hi)", "p(x)"],
  ["[x](https://evil.test/p/K20)", "p(x)"],
  ["[x](//evil.test/p/K20)", "p(x)"],
  ["[x](https://shop.test.evil.test/p/K20)", "p(x)"],
  ["[x](https://shop.test@evil.test/p/K20)", "p(x)"],
  ["[x](/p/../../admin)", "p(x)"],
  ["[x](/p/K20?next=//evil.test)", "p(x)"],
  ["[x](/p/K20#x)", "p(x)"],
  ["[x](/p/%2e%2e)", "p(x)"],
  ["[x](/v1/products/K20)", "p(x)"],
  ["[x](\t/p/K20)", "p(x)"],
  ["[x](\\/p/K20)", "p(x)"],
  ['[x]( /p/K20 "t")', "p(x)"],
  ["![x](/p/K20)", "p(x)"],
  ["![x](https://evil.test/a.png)", "p(x)"],
  ["<https://evil.test>", "p(<https://evil.test>)"],
  ["<img src=x onerror=alert(1)>", "p(<img src=x onerror=alert(1)>)"],
  ["<script>alert(1)</script>", "p(<script>alert(1)</script>)"],
  ["https://evil.test", "p(https://evil.test)"],
  ["[a][b]\n\n[b]: https://evil.test", "p([a][b]) p([b]: https://evil.test)"],
  ["`code` ~~x~~ _i_ | a | b |", "p(`code` ~~x~~ _i_ | a | b |)"],
  ["&lt;b&gt; &#x3c;", "p(&lt;b&gt; &#x3c;)"],
];

for (const [text, want] of kHarmless) {
  test(`takes the harm out of ${JSON.stringify(text)}`, () => assert.equal(brief(text), want));
}

const kOpen = [
  ["a **bo", "p(a b(bo))"],
  ["a **bo*", "p(a b(bo))"],
  ["a *", "p(a )"],
  ["a **", "p(a )"],
  ["see [Kett", "p(see )"],
  ["see [Kettle](", "p(see )"],
  ["see [Kettle](/p/K", "p(see )"],
  ["good [", "p(good )"],
  ["one\n- a\n-", "p(one) ul(a)"],
  ["one\n1", "p(one)"],
  ["a [x\n\nb", "p(a [x) p(b)"],
];

for (const [text, want] of kOpen) {
  test(`holds back what is open at the end of ${JSON.stringify(text)}`, () =>
    assert.equal(brief(text, { streaming: true }), want));
}

test("text at rest is shown whole, also when its marks are never closed", () => {
  assert.equal(brief("see [Kettle](/p/K"), "p(see [Kettle](/p/K)");
  assert.equal(brief("a **bo"), "p(a **bo)");
  assert.equal(brief("a *"), "p(a *)");
});

test("a stream never shows a mark of a construct that turns out sound", () => {
  const text = "The **Glide** kettle [1] is [this one](/p/K20).\n\n- **quiet** [2]\n- cheap";
  for (let cut = 0; cut < text.length; ++cut) {
    const shown = brief(text.slice(0, cut), { streaming: true });
    assert.doesNotMatch(shown.replaceAll(/\[\d\]/g, ""), /[*[\]]|\(\/p/, JSON.stringify(shown));
  }
});

test("reads long hostile text in linear time and bounded depth", () => {
  const pieces = ["[", "**a", "![", "](", "**", "[a](", "- ", "\\", "[[1]", "1. "];
  for (const piece of pieces) {
    for (const streaming of [false, true]) {
      assert.ok(parseMarkdown(piece.repeat(20000), { origin: kOrigin, streaming }) !== undefined);
    }
  }
});
