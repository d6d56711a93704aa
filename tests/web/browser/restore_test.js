// Conversations that the service kept: opened by their address, brought up to date after a reload,
// listed in the history window of another tab.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { ask, fitsWidth, kDesk, kSmallPhone, lastTurn, whyNoBrowser } from "../support/browser.js";
import { findings } from "../support/axe.js";
import { useChatPage } from "../support/chat_page.js";
import { kKettles } from "../support/sample.js";

function keptAnswer(id, question, { text = `About ${question}.`, products = kKettles } = {}) {
  return [
    { role: "user", text: question, created_at: "2026-01-02T10:00:00Z" },
    {
      role: "assistant",
      id,
      text,
      answer_step: "model",
      model: "emptor",
      products,
      citations: [{ n: 1, product_id: "K20", passage_id: "K20#2", quote: "Quiet." }],
      created_at: "2026-01-02T10:00:03Z",
      feedback: { rating: "up" },
    },
  ];
}

function conversation(id, title, ...answers) {
  return { id, title, updated_at: "2026-01-02T10:00:03Z", messages: answers.flat() };
}

describe("conversations of the service", { skip: whyNoBrowser() }, () => {
  const { onPage, shop } = useChatPage();

  const kPans = conversation(
    "c-pans",
    "Pans",
    keptAnswer("a-7", "Which pan?", { text: "The **first** one [1]." }),
    keptAnswer("a-8", "And cheaper?"),
  );

  test("an address opens a conversation of which this browser has nothing, with its cards", async () => {
    for (const [size, locale] of [
      [kSmallPhone, "en-US"],
      [kDesk, "ar"],
    ]) {
      shop.double.conversations = { "c-pans": kPans };
      await onPage({ path: "/#c=c-pans", size, locale }, async (page) => {
        await page.locator(".turn").nth(1).waitFor();
        const turn = page.locator(".turn").first();
        assert.match(await turn.locator(".question").innerText(), /Which pan\?/);
        assert.match(await turn.locator(".answer-text").innerText(), /^The first one/);
        assert.equal(await turn.locator(".answer-text .cite").count(), 1);
        assert.equal(await turn.locator(".card").count(), kKettles.length);
        assert.match(await turn.locator(".card .price-now").first().innerText(), /49/);
        assert.equal(await turn.locator(".actions [aria-pressed='true']").count(), 1, "its verdict");
        assert.ok(await fitsWidth(page));
        assert.deepEqual(await findings(page), []);
        await ask(page, "In red?");
        await page.locator(".turn").nth(2).waitFor();
        await lastTurn(page);
        assert.equal(shop.double.asked.at(-1).body.conversation_id, "c-pans", "it goes on");
      });
    }
  });

  test("it is kept: a reload without the service shows it again", async () => {
    shop.double.conversations = { "c-pans": kPans };
    const expected = /\/v1\/conversations\/c-pans/;
    await onPage({ path: "/#c=c-pans", expected }, async (page) => {
      await page.locator(".turn").nth(1).waitFor();
      shop.double.conversations = { "c-pans": { status: 503 } };
      await page.reload();
      await page.locator(".turn").nth(1).waitFor();
      assert.equal(await page.locator(".notice").count(), 0);
    });
  });

  test("one that is erased or another shopper's is said so, and a new question begins another", async () => {
    const expected = /\/v1\/conversations\/c-gone/;
    await onPage({ path: "/#c=c-gone", size: kSmallPhone, expected }, async (page) => {
      await page.locator(".notice-conversation").waitFor();
      assert.match(await page.locator(".notice-conversation").innerText(), /is not here/);
      await page.locator("#welcome").waitFor();
      const { y, height } = await page.locator(".notice-conversation").boundingBox();
      const field = await page.locator(".composer").boundingBox();
      assert.ok(y + height < field.y, "it is in view");
      assert.equal(new URL(page.url()).hash, "");
      assert.deepEqual(await findings(page), []);
      await ask(page, "Which kettle?");
      await lastTurn(page);
      assert.equal(shop.double.asked.at(-1).body.conversation_id, undefined);
      assert.equal(new URL(page.url()).hash, "#c=c-1", "the address names the open conversation");
    });
  });

  test("a service that does not answer is asked again", async () => {
    shop.double.conversations = { "c-pans": { status: 503 } };
    const expected = /\/v1\/conversations\/c-pans/;
    await onPage({ path: "/#c=c-pans", expected }, async (page) => {
      await page.locator(".notice-conversation button").waitFor();
      shop.double.conversations = { "c-pans": kPans };
      await page.locator(".notice-conversation button").click();
      await page.locator(".turn").nth(1).waitFor();
      assert.equal(await page.locator(".notice-conversation").count(), 0);
    });
  });

  test("a reload shows today's prices, and the answers that another tab got", async () => {
    await onPage({}, async (page) => {
      await ask(page, "Which kettle?");
      await lastTurn(page);
      const dear = { ...kKettles[0], price: { amount: 7777, currency: "USD" }, was_price: null };
      shop.double.conversations = {
        "c-1": conversation(
          "c-1",
          "Kettles",
          keptAnswer("a-1", "Which kettle?", { products: [dear, ...kKettles.slice(1)] }),
          keptAnswer("a-2", "And a red one?"),
        ),
      };
      await page.reload();
      await page.locator(".turn").nth(1).waitFor();
      const first = page.locator(".turn").first();
      assert.match(await first.locator(".price-now").first().innerText(), /77\.77/);
      assert.match(await first.locator(".answer-text").innerText(), /quietest one/, "as it was");
      assert.match(await page.locator(".question").nth(1).innerText(), /And a red one\?/);
      await page.reload();
      await page.locator(".turn").nth(1).waitFor();
      assert.equal(await page.locator(".turn").count(), 2, "once");
    });
  });

  test("answers of another tab come in without moving the reader or closing a form", async () => {
    await onPage({ size: kSmallPhone }, async (page) => {
      await ask(page, "Which kettle?");
      await lastTurn(page);
      await page.waitForFunction(() => location.hash === "#c=c-1");
      shop.double.conversations = {
        "c-1": conversation(
          "c-1",
          "Kettles",
          keptAnswer("a-1", "Which kettle?"),
          keptAnswer("a-2", "And a red one?"),
        ),
      };
      let answer;
      const gate = new Promise((resolve) => {
        answer = resolve;
      });
      await page.route("**/v1/conversations/c-1", async (route) => {
        await gate;
        await route.continue();
      });
      await page.reload();
      await page.locator(".asked-actions .icon-button").nth(1).click();
      await page.locator(".edit-form textarea").fill("Which quiet kettle?");
      const before = await page.evaluate(() => scrollY);
      answer();
      await page.locator(".turn").nth(1).waitFor();
      await page.waitForTimeout(200);
      assert.equal(await page.evaluate(() => scrollY), before);
      assert.equal(await page.locator(".edit-form textarea").inputValue(), "Which quiet kettle?");
      assert.match(await page.locator(".question").last().innerText(), /And a red one\?/);
      assert.deepEqual(await findings(page), []);
    });
  });

  test("a conversation that the service does not give for an export is said so", async () => {
    const beds = { id: "c-beds", title: "Beds", updated_at: "2026-01-02T10:00:03Z", status: 503 };
    shop.double.conversations = { "c-beds": beds };
    await onPage({ size: kDesk, expected: /\/v1\/conversations\/c-beds/ }, async (page) => {
      await page.locator(".bar .icon-button").first().click();
      await page.locator('dialog [data-key="s-c-beds"] .icon-button').nth(1).click();
      const note = page.locator("dialog [role=status]");
      await note.filter({ hasText: "could not be loaded" }).waitFor();
    });
  });

  test("answers that the shopper replaced do not come back", async () => {
    await onPage({}, async (page) => {
      await ask(page, "Which kettle?");
      await lastTurn(page);
      await page.locator(".asked-actions .icon-button").nth(1).click();
      await page.locator(".edit-form textarea").fill("Which quiet kettle?");
      shop.double.answer = () => [];
      await page.locator(".edit-form textarea").press("Enter");
      await lastTurn(page, "failed");
      shop.double.conversations["c-1"] = conversation(
        "c-1",
        "Kettles",
        keptAnswer("a-1", "Which kettle?"),
      );
      await page.reload();
      await page.locator(".turn").first().waitFor();
      await page.waitForLoadState("networkidle");
      assert.equal(await page.locator(".turn").count(), 1);
      assert.match(await page.locator(".question").innerText(), /Which quiet kettle\?/);
      assert.equal(new URL(page.url()).hash, "", "the address no longer names it");
    });
  });

  test("an open conversation that the service lost is said to be in this browser alone", async () => {
    await onPage({ expected: /\/v1\/conversations\/c-1/ }, async (page) => {
      await ask(page, "Which kettle?");
      await lastTurn(page);
      shop.double.conversations = {};
      await page.reload();
      await page.locator(".notice-conversation").waitFor();
      assert.match(await page.locator(".notice-conversation").innerText(), /kept in this browser/);
      assert.equal(await page.locator(".turn").count(), 1);
    });
  });

  test("the history window lists what only the service has: open, rename, delete", async () => {
    shop.double.conversations = {
      "c-pans": kPans,
      "c-beds": conversation("c-beds", "Beds", keptAnswer("a-9", "Which bed?")),
    };
    await onPage({ size: kDesk }, async (page) => {
      const open = async () => {
        await page.locator(".bar .icon-button").first().click();
        await page.locator("dialog .history-item").first().waitFor();
      };
      await open();
      const titles = () => page.locator("dialog .history-title").allInnerTexts();
      assert.deepEqual((await titles()).sort(), ["Beds", "Pans"]);
      await page.locator("dialog input[type=search]").fill("pan");
      assert.deepEqual(await titles(), ["Pans"]);
      await page.locator("dialog input[type=search]").fill("");
      const beds = page.locator('dialog [data-key="s-c-beds"]');
      await beds.locator(".icon-button").nth(0).click();
      await page.locator(".history-form input").fill("Large beds");
      await page.locator(".history-form .button").first().click();
      assert.ok((await titles()).includes("Large beds"));
      await beds.locator(".icon-button").nth(2).click();
      await page.locator(".history-form .button-danger").click();
      assert.deepEqual(await titles(), ["Pans"]);
      await page.locator("dialog .history-open").click();
      await page.locator(".turn").nth(1).waitFor();
      assert.equal(new URL(page.url()).hash, "#c=c-pans");
      assert.deepEqual(shop.double.changes, [
        ["PATCH", "/v1/conversations/c-beds", '{"title":"Large beds"}'],
        ["DELETE", "/v1/conversations/c-beds"],
      ]);
    });
  });
});
