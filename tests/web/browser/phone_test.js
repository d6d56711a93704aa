// The chat page on small windows: the words of an answer are in view when they come, the page does
// not scroll against its reader, and every control can be touched.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  ask,
  fitsWidth,
  kPhone,
  kSmallPhone,
  lastTurn,
  screenshot,
  smallControls,
  whyNoBrowser,
} from "../support/browser.js";
import { useChatPage } from "../support/chat_page.js";
import { encode, kettleAnswer, kKettles } from "../support/sample.js";

const kLines = 48; // two lines of an answer, in pixels

/// An answer with conditions above its cards.
function narrowedAnswer() {
  const events = kettleAnswer();
  Object.assign(events[0][1], {
    filters: { categories: ["Kettles"], availability: ["in_stock"], brands: ["Torvane"] },
    explanation: "No kettle met all of this, so the price limit of $60 was left out.",
  });
  return events;
}

/// Where the words of the last answer begin, and the part of the window that shows them.
function wordsInView(page) {
  return page.evaluate(() => {
    const turn = document.querySelector(".turn:last-child");
    return {
      top: turn.querySelector(".answer-text").getBoundingClientRect().top,
      question: turn.querySelector(".question").getBoundingClientRect().top,
      begin: document.querySelector(".bar").getBoundingClientRect().bottom,
      end: document.querySelector(".composer").getBoundingClientRect().top,
    };
  });
}

async function checkWords(page, name) {
  const { top, begin, end } = await wordsInView(page);
  assert.ok(top >= begin, `${name}: the first words are above the window`);
  assert.ok(top + kLines <= end, `${name}: the first words are at ${top}, the field at ${end}`);
}

describe("the chat page on a phone", { skip: whyNoBrowser() }, () => {
  const { onPage, shop } = useChatPage();

  test("the first words of each answer are in view, below cards, conditions and long questions", async () => {
    for (const [size, locale] of [
      [kSmallPhone, "en-US"],
      [kPhone, "de-DE"],
      [kSmallPhone, "ar"],
    ]) {
      await onPage({ size, locale }, async (page) => {
        for (const [index, [question, events]] of [
          ["Which kettle is quiet?", kettleAnswer()],
          ["Show me kettles under 60 dollars that are in stock and quiet", narrowedAnswer()],
          [`I need one ${"that is really quiet in the morning ".repeat(8)}`, narrowedAnswer()],
        ].entries()) {
          shop.double.answer = () => encode(events);
          await ask(page, question);
          await page.locator(".turn").nth(index).waitFor();
          await lastTurn(page);
          const name = `${size.width} px, ${locale}, question ${index + 1}`;
          await checkWords(page, name);
          assert.ok(await fitsWidth(page), name);
          await screenshot(page, `phone-${size.width}-${locale}-${index + 1}`);
        }
      });
    }
  });

  test("a question of several lines stays at the top while its answer grows", async () => {
    await onPage({ size: kSmallPhone }, async (page) => {
      await ask(page, "Which kettle?");
      await lastTurn(page);
      await ask(page, "Which of these kettles would you take for a small and quiet kitchen?");
      await page.locator(".turn").nth(1).waitFor();
      await lastTurn(page);
      const { question, begin } = await wordsInView(page);
      assert.ok(question >= begin && question <= begin + 40, `question at ${question}`);
    });
  });

  test("a reader who moves through the conversation is not moved by the answer", async () => {
    let open;
    const gate = new Promise((resolve) => {
      open = resolve;
    });
    shop.double.answer = async function* held() {
      const events = encode(narrowedAnswer());
      yield* events.slice(0, 2);
      await gate;
      yield* events.slice(2);
    };
    await onPage({ size: kSmallPhone }, async (page) => {
      await ask(page, "I need one ".repeat(24));
      await page.locator(".turn .card").first().waitFor();
      await page.locator(".turn .card-link").first().focus();
      await page.keyboard.press("Tab");
      const before = await page.evaluate(() => scrollY);
      open();
      await lastTurn(page);
      assert.equal(await page.evaluate(() => scrollY), before);
    });
  });

  test("every control of an answer is 44 px or more, and long titles and prices stay inside", async () => {
    const price = { amount: 123456789, currency: "EUR" };
    const title = `${kKettles[1].title} ${"Donaudampfschifffahrtsgesellschaft".repeat(4)}`;
    for (const locale of ["en-US", "de-DE", "ar"]) {
      const events = narrowedAnswer();
      const dear = { ...kKettles[1], title, price, was_price: { ...price, amount: 223456789 } };
      events[1][1].items = [dear, ...kKettles.slice(1)];
      shop.double.answer = () => encode(events);
      await onPage({ size: kSmallPhone, locale }, async (page) => {
        await ask(page, "Which kettle?");
        await lastTurn(page);
        assert.deepEqual(await smallControls(page, { least: 44 }), []);
        const outside = await page.locator(".card").evaluateAll((cards) =>
          cards.flatMap((card) => {
            const frame = card.getBoundingClientRect();
            return [...card.querySelectorAll(".price, .stock, .rating, .card-shop, .card-title")]
              .filter((node) => {
                const box = node.getBoundingClientRect();
                return box.left < frame.left || box.right > frame.right || box.bottom > frame.bottom;
              })
              .map((node) => `${card.textContent.slice(0, 20)}: ${node.className}`);
          }),
        );
        assert.deepEqual(outside, []);
        const covered = await page.locator(".card").evaluateAll((cards) =>
          cards
            .map((card) => {
              const button = card.querySelector(".card-shop").getBoundingClientRect();
              return [...card.querySelectorAll(".price > *")].some((node) => {
                const { left, right, top, bottom } = node.getBoundingClientRect();
                const isAside = right <= button.left || left >= button.right;
                return !isAside && bottom > button.top && top < button.bottom;
              });
            })
            .filter(Boolean),
        );
        assert.deepEqual(covered, [], "a price is under the button");
        await screenshot(page, `phone-360-${locale}-long`);
      });
    }
  });
});
