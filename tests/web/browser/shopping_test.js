// What a shopper does, in a real browser: the same tests against the test double and, when
// EMPTOR_URL names one, against a running `emptor serve` with the sample shop.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import {
  ask,
  fitsWidth,
  kDesk,
  kPhone,
  kSmallPhone,
  lastTurn,
  openBrowser,
  openPage,
  screenshot,
  whyNoBrowser,
} from "../support/browser.js";
import { startShopDouble } from "../support/shop_double.js";

const kLive = process.env.EMPTOR_URL?.replace(/\/+$/, "");
const kPrefix = kLive ? "live" : "double";
const kQuestion = "Which kettle under $60 is quiet?";

/// Runs before any script of the page: records what was visible after each change of the page, and
/// notifies the double (`speakInStep`) when there is more text.
function watchProgress() {
  globalThis.progress = [];
  let longest = 0;
  const note = () => {
    const turn = document.querySelector(".turn:last-child");
    if (!turn) return;
    globalThis.progress.push({
      status: turn.dataset.status,
      cards: turn.querySelectorAll(".card").length,
      text: turn.querySelector(".answer-text").textContent.length,
    });
    const { text } = globalThis.progress.at(-1);
    if (text > longest) globalThis.textGrew?.();
    longest = Math.max(longest, text);
  };
  document.addEventListener("DOMContentLoaded", () =>
    new MutationObserver(note).observe(document.getElementById("log") ?? document.body, {
      childList: true,
      subtree: true,
      characterData: true,
      attributes: true,
    }),
  );
}

describe(`shopping (${kPrefix})`, { skip: whyNoBrowser() }, () => {
  let browser;
  let double;
  let origin;

  before(async () => {
    browser = await openBrowser();
    if (!kLive) double = await startShopDouble();
    origin = kLive ?? double.origin;
  });

  after(async () => {
    await browser?.close();
    await double?.close();
  });

  /// The double answers word by word, the next once the page shows the last: however slow the
  /// machine, the page cannot join them. A word that shows nothing (half a link) waits its bound.
  /// As long as the test runs. Returns what a page calls when its text grew.
  function speakInStep(t) {
    if (!double) return () => {};
    const whole = double.answer;
    t.after(() => (double.answer = whole));
    let grew = () => {};
    double.answer = async function* inStep(...args) {
      for (const event of whole(...args)) {
        const shown = new Promise((resolve) => {
          grew = resolve;
          if (event.includes("event: delta")) setTimeout(resolve, 300);
          else resolve();
        });
        yield event;
        await shown;
      }
    };
    return () => grew();
  }

  test("an answer streams in below its cards, at phone and desk width, by day and by night", async (t) => {
    const textGrew = speakInStep(t);
    for (const [size, scheme] of [
      [kPhone, "light"],
      [kPhone, "dark"],
      [kDesk, "light"],
      [kDesk, "dark"],
    ]) {
      // Double: one of its products has a broken picture on purpose.
      const { page, context, problems } = await openPage(browser, {
        origin,
        size,
        scheme,
        expected: /\/images\/missing\.svg/,
      });
      const name = `${kPrefix}-${size.width}-${scheme}`;
      await page.exposeFunction("textGrew", textGrew);
      await page.addInitScript(watchProgress);
      await page.goto("/");
      await page.locator(".suggestion").first().waitFor();
      await screenshot(page, `${name}-1-welcome`);
      await ask(page, kQuestion);
      await page.locator(".turn .answer-text > *").first().waitFor();
      await screenshot(page, `${name}-2-streaming`);
      const turn = await lastTurn(page);
      await checkProgress(page);
      await checkCards(turn, origin);
      assert.ok((await turn.locator(".answer-text").innerText()).length > 20, "a sentence or more");
      assert.ok(await fitsWidth(page), `${size.width} px: the page is wider than the window`);
      await screenshot(page, `${name}-3-answer`);
      await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
      await screenshot(page, `${name}-4-end`);
      assert.deepEqual(problems, []);
      await context.close();
    }
  });

  async function checkProgress(page) {
    const progress = await page.evaluate(() => globalThis.progress);
    const lengths = new Set(
      progress.filter(({ status }) => status === "streaming").map(({ text }) => text),
    );
    // The double speaks in step; the real engine's answer may be there whole within one frame.
    if (double) assert.ok(lengths.size >= 4, `the text grew in ${lengths.size} steps`);
    const firstText = progress.find(({ text }) => text > 0);
    assert.ok(firstText.cards > 0, "cards are there when the first words come");
  }

  async function checkCards(turn, base) {
    const cards = turn.locator(".card");
    assert.ok((await cards.count()) >= 1, "at least one card");
    const card = cards.first();
    await card.locator("img").evaluate((image) => image.decode());
    assert.ok(
      await card.locator("img").evaluate((image) => image.naturalWidth > 0),
      "picture drawn",
    );
    assert.match(await card.locator(".price-now").innerText(), /\d/);
    const link = new URL(await card.locator(".card-link").getAttribute("href"), base);
    assert.equal(link.origin, new URL(base).origin);
    assert.match(link.pathname, /^\/p\/[A-Za-z0-9._-]+$/);
  }

  test("a card leads to the product's page, which says the same and leads back", async () => {
    const { page, context, problems } = await openPage(browser, {
      origin,
      size: kPhone,
      expected: /\/images\/missing\.svg/,
    });
    await page.goto("/");
    await ask(page, kQuestion);
    const card = (await lastTurn(page)).locator(".card").first();
    const title = await card.locator(".card-title").innerText();
    const price = await card.locator(".price-now").innerText();
    await card.click();
    await page.locator(".product-title").waitFor();
    assert.equal(await page.locator(".product-title").innerText(), title);
    assert.equal(await page.locator(".product-price .price-now").innerText(), price);
    assert.ok(await fitsWidth(page));
    await page.locator(".gallery-stage img").evaluate((image) => image.decode());
    await screenshot(page, `${kPrefix}-390-light-5-product`);
    await page.goBack();
    await page.locator(".turn .card").first().waitFor();
    assert.equal(await page.locator(".question").count(), 1, "the conversation is still there");
    assert.deepEqual(problems, []);
    await context.close();
  });

  test("a shopper asks about the product whose page is open", async () => {
    const { page, context, problems } = await openPage(browser, {
      origin,
      size: kDesk,
      scheme: "dark",
      expected: /\/images\/missing\.svg/,
    });
    await page.goto("/");
    await ask(page, kQuestion);
    const href = await (await lastTurn(page)).locator(".card-link").first().getAttribute("href");
    await page.goto(href);
    await page.locator(".product-ask").waitFor();
    await screenshot(page, `${kPrefix}-1280-dark-5-product`);
    await page.locator(".product-ask").click();
    await page.locator(".about-title").waitFor();
    const asked = page.waitForRequest((request) => request.url().endsWith("/v1/assist"));
    await ask(page, "Is it in stock?");
    assert.equal(
      (await asked).postDataJSON().page.product_id,
      new URL(href).pathname.slice("/p/".length),
    );
    assert.ok((await asked).postDataJSON().conversation_id, "the conversation goes on");
    await lastTurn(page);
    await screenshot(page, `${kPrefix}-1280-dark-6-about`);
    assert.deepEqual(problems, []);
    await context.close();
  });

  test("a conversation outlives a reload, and a new one begins empty", async () => {
    const { page, context, problems } = await openPage(browser, {
      origin,
      size: kSmallPhone,
      expected: /\/images\/missing\.svg/,
    });
    await page.goto("/");
    await page.locator(".suggestion").first().click();
    const text = await (await lastTurn(page)).locator(".answer-text").innerText();
    await page.reload();
    assert.equal(await (await lastTurn(page)).locator(".answer-text").innerText(), text);
    assert.ok(await fitsWidth(page), "360 px: the page is wider than the window");
    await page.locator("#new-conversation").click();
    assert.equal(await page.locator(".turn").count(), 0);
    await page.locator("#welcome").waitFor();
    await page.reload();
    assert.equal(await page.locator(".turn").count(), 0);
    assert.deepEqual(problems, []);
    await context.close();
  });

  test("a product that does not exist is said so", async () => {
    const { page, context, problems } = await openPage(browser, {
      origin,
      expected: /\/(v1\/products|p)\/no-such-product/, // both answer 404
    });
    await page.goto("/p/no-such-product");
    await page.locator(".empty h1").waitFor();
    assert.match(await page.locator(".empty h1").innerText(), /not in the catalog/);
    assert.deepEqual(problems, []);
    await context.close();
  });
});
