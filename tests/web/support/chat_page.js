// The chat page of a test double, for a group of tests.

import assert from "node:assert/strict";
import { after, before, beforeEach } from "node:test";
import { openBrowser, openPage } from "./browser.js";
import { encode, kettleAnswer } from "./sample.js";
import { keptConversations, startShopDouble } from "./shop_double.js";

const kMissing = /\/images\/missing\.svg/;

/// Starts a browser and a test double around the tests of a `describe`. `shop.double` is there
/// within a test, and answers with kettles until the test says otherwise.
export function useChatPage() {
  const shop = { double: undefined };
  let browser;

  before(async () => {
    browser = await openBrowser();
    shop.double = await startShopDouble();
  });

  beforeEach(() => {
    shop.double.asked.length = 0;
    shop.double.feedback.length = 0;
    shop.double.changes.length = 0;
    shop.double.conversations = keptConversations();
    shop.double.events.length = 0;
    shop.double.feedbackStatus = 204;
    shop.double.answer = () => encode(kettleAnswer());
  });

  after(async () => {
    await browser?.close();
    await shop.double?.close();
  });

  /// Runs `steps` on a fresh chat page and checks that it has no problems.
  async function onPage(options, steps) {
    const { page, context, problems } = await openPage(browser, {
      origin: shop.double.origin,
      expected: kMissing,
      ...options,
    });
    await page.goto(options.path ?? "/");
    await steps(page);
    assert.deepEqual(problems, []);
    await context.close();
  }

  return { onPage, shop };
}
