// Money: exact amounts, minor units of the standard.

import assert from "node:assert/strict";
import test from "node:test";
import { decimalText, formatMoney, isMoney, minorDigits } from "../../../services/web/money.js";

const kShown = [
  [4999, "USD", "en-US", "$49.99"],
  [5, "USD", "en-US", "$0.05"],
  [0, "USD", "en-US", "$0.00"],
  [1234567, "USD", "en-US", "$12,345.67"],
  [-250, "USD", "en-US", "-$2.50"],
  [5980, "JPY", "en-US", "¥5,980"],
  [5980, "JPY", "ja-JP", "￥5,980"],
  [4999, "USD", "zh-CN", "US$49.99"],
  [4999, "EUR", "de-DE", "49,99\u00a0€"],
  [12345, "KWD", "en-US", "KWD\u00a012.345"],
  [100000, "HUF", "en-US", "HUF\u00a01,000.00"],
  [9007199254740991, "USD", "en-US", "$90,071,992,547,409.91"],
];

for (const [amount, currency, locale, want] of kShown) {
  test(`shows ${amount} ${currency} to ${locale} as ${want}`, () => {
    assert.equal(formatMoney({ amount, currency }, locale).replace("\u202f", "\u00a0"), want);
  });
}

test("an amount keeps every minor unit", () => {
  assert.equal(decimalText({ amount: 7, currency: "BHD" }), "0.007");
  assert.equal(decimalText({ amount: -1800, currency: "KRW" }), "-1800");
  assert.equal(minorDigits("EUR"), 2);
});

test("only whole amounts of a currency are money", () => {
  const kNotMoney = [
    null,
    undefined,
    5,
    "5",
    {},
    { amount: 4.5, currency: "USD" },
    { amount: "5", currency: "USD" },
    { amount: 5 },
    { amount: 5, currency: "usd" },
    { amount: 5, currency: "<b>" },
    { amount: NaN, currency: "USD" },
  ];
  for (const value of kNotMoney) assert.equal(isMoney(value), false, JSON.stringify(value));
  assert.equal(isMoney({ amount: 5, currency: "USD" }), true);
});
