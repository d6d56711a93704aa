// An answer as plain text, and its sentences for a live region.

import assert from "node:assert/strict";
import test from "node:test";
import { plainText, SentenceReader } from "../../../services/web/plain_text.js";
import { kWords } from "../support/sample.js";

test("marks and citations are gone, words and lines stay", () => {
  const text =
    "The **K20** hums [1].\nIt costs $49.99 [2], so [buy it](/p/K20) [1]\n\n- one\n- **two** [3]";
  assert.equal(plainText(text), "The K20 hums.\nIt costs $49.99, so buy it\none\ntwo");
  assert.equal(plainText(""), "");
});

test("a growing answer is given out by sentence, each once, in order, and whole", () => {
  for (const size of [1, 3, 7, 1000]) {
    const reader = new SentenceReader("en");
    const given = [];
    const whole = kWords.join("");
    for (let end = size; end < whole.length + size; end += size) {
      const text = plainText(whole.slice(0, end), { streaming: true });
      given.push(...reader.push(text));
    }
    given.push(...reader.push(plainText(whole), { isComplete: true }));
    assert.deepEqual(
      given,
      [
        "The Torvane Glide Kettle K20 is the quietest one under $60: it hums at 65 dB and costs $49.99.",
        "If you want to choose the temperature, look at Hobbrook Brook Whisper for $54.50.",
        "Both hold enough for six cups",
        "Both switch themselves off",
        "Shipping takes 3 to 5 business days.",
      ],
      `in pieces of ${size}`,
    );
  }
});

test("a number with a point is no end of a sentence; Chinese sentences end with their own point", () => {
  const english = new SentenceReader("en");
  assert.deepEqual(english.push("It holds 1.7 l. It"), ["It holds 1.7 l."]);
  const chinese = new SentenceReader("zh-CN");
  assert.deepEqual(chinese.push("这款很安静。价格"), ["这款很安静。"]);
  assert.deepEqual(chinese.push("这款很安静。价格实惠", { isComplete: true }), ["价格实惠"]);
});
