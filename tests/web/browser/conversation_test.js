// What a reader does with a conversation: copy, edit, ask again, rate, compare, and the history.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { describe, test } from "node:test";
import {
  ask,
  fitsWidth,
  kDesk,
  kPhone,
  kSmallPhone,
  lastTurn,
  screenshot,
  whyNoBrowser,
} from "../support/browser.js";
import { useChatPage } from "../support/chat_page.js";
import { encode, kettleAnswer, kKettles } from "../support/sample.js";

/// The answer to a question that compares: two products with attributes, and no table of the
/// service.
function comparisonAnswer() {
  const [start, , ...rest] = kettleAnswer();
  const attributes = { Capacity: "1.5 l", power: "2200 W", "water filter": "yes" };
  const items = [kKettles[0], { ...kKettles[1], attributes }, kKettles[2]];
  return encode([
    ["start", { ...start[1], intents: ["PRODUCT_COMPARISON"] }],
    ["products", { items }],
    ...rest.filter(([name]) => name !== "table"),
  ]);
}

describe("a conversation", { skip: whyNoBrowser() }, () => {
  const { onPage, shop } = useChatPage();

  test("an answer and a question are copied as plain text", async () => {
    await onPage({ size: kDesk }, async (page) => {
      await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
      await ask(page, "Which kettle?");
      const turn = await lastTurn(page);
      const clipboard = () => page.evaluate(() => navigator.clipboard.readText());
      await turn.getByRole("button", { name: "Copy answer" }).click();
      await page.getByRole("status").getByText("Copied").waitFor({ state: "attached" });
      assert.match(await clipboard(), /^The Torvane Glide Kettle K20 is .* costs \$49\.99\.\n/);
      assert.doesNotMatch(await clipboard(), /\*\*|\[\d\]|\]\(/);
      await turn.getByRole("button", { name: "Copy question" }).click();
      await page.waitForFunction(async () => (await navigator.clipboard.readText()).length < 20);
      assert.equal(await clipboard(), "Which kettle?");
    });
  });

  test("where the browser has no clipboard interface, copying still works", async () => {
    await onPage({ size: kDesk }, async (page) => {
      await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
      await page.evaluate(() => {
        navigator.clipboard.writeText = () => Promise.reject(new Error("not secure"));
      });
      await ask(page, "Which kettle?");
      const turn = await lastTurn(page);
      await turn.getByRole("button", { name: "Copy answer" }).click();
      await page.getByRole("status").getByText("Copied").waitFor({ state: "attached" });
      assert.match(await page.evaluate(() => navigator.clipboard.readText()), /^The Torvane/);
    });
  });

  test("an edited question replaces its answer and what came after", async () => {
    await onPage({ size: kDesk }, async (page) => {
      for (const question of ["one", "two", "three"]) {
        await ask(page, question);
        await page.locator(".turn").getByText(question, { exact: false }).first().waitFor();
        await lastTurn(page);
      }
      const second = page.locator(".turn").nth(1);
      await second.getByRole("button", { name: "Edit question" }).click();
      const field = second.getByRole("textbox", { name: "Edit your question" });
      assert.equal(await field.inputValue(), "two");
      await field.press("Escape");
      assert.equal(await second.locator(".question").count(), 1, "Escape leaves it as it was");
      await second.getByRole("button", { name: "Edit question" }).click();
      await field.fill("two and a half");
      await field.press("Enter");
      await page.locator(".turn").nth(2).waitFor({ state: "detached" });
      await lastTurn(page);
      assert.match(await second.locator(".question").textContent(), /two and a half/);
      const bodies = shop.double.asked.map(({ body }) => [body.message, body.conversation_id]);
      assert.deepEqual(bodies.at(-1), ["two and a half", "c-1"]);
      await page.locator(".turn").first().getByRole("button", { name: "Edit question" }).click();
      await page.locator(".turn").first().getByRole("textbox").fill("zero");
      await page.getByRole("button", { name: "Send" }).first().click();
      await page.locator(".turn").nth(1).waitFor({ state: "detached" });
      await lastTurn(page);
      const { message, conversation_id: id } = shop.double.asked.at(-1).body;
      assert.deepEqual([message, id], ["zero", undefined], "the first question begins again");
      await page.reload();
      assert.match(await (await lastTurn(page)).locator(".question").textContent(), /zero/);
      assert.equal(await page.locator(".turn").count(), 1);
    });
  });

  test("the last answer is given again; earlier ones do not offer it", async () => {
    let calls = 0;
    shop.double.answer = () => {
      calls += 1;
      return encode([
        ["start", { id: `a-${calls}` }],
        ["delta", { text: `Answer ${calls}.` }],
        ["done", {}],
      ]);
    };
    await onPage({ size: kDesk }, async (page) => {
      await ask(page, "one");
      await lastTurn(page);
      await ask(page, "two");
      const turn = await lastTurn(page);
      await page.getByRole("button", { name: "Answer again" }).click();
      await turn.getByText("Answer 3.").waitFor();
      assert.equal(await page.getByRole("button", { name: "Answer again" }).count(), 1);
      assert.equal(shop.double.asked.at(-1).body.message, "two");
      assert.equal(shop.double.asked.at(-1).headers["last-event-id"], undefined);
      assert.equal(await page.locator(".turn").count(), 2);
    });
  });

  test("an answer is rated, with a reason where it was bad", async () => {
    await onPage({ size: kPhone }, async (page) => {
      await ask(page, "Which kettle?");
      const turn = await lastTurn(page);
      await turn.getByRole("button", { name: "Good answer" }).click();
      await turn.getByText("Thank you for the feedback.").waitFor();
      await turn.getByRole("button", { name: "Bad answer" }).click();
      await turn.getByRole("radio", { name: "Incomplete" }).check();
      await turn.getByRole("textbox", { name: "Comment" }).fill("no voltage");
      await screenshot(page, "double-390-light-10-feedback");
      await turn.getByRole("button", { name: "Send feedback" }).click();
      await turn.getByText("Thank you for the feedback.").waitFor();
      assert.deepEqual(shop.double.feedback, [
        { answer_id: "a-1", conversation_id: "c-1", rating: "up" },
        { answer_id: "a-1", conversation_id: "c-1", rating: "down" },
        {
          answer_id: "a-1",
          conversation_id: "c-1",
          rating: "down",
          reason: "incomplete",
          comment: "no voltage",
        },
      ]);
      const pressed = (name) => turn.getByRole("button", { name }).getAttribute("aria-pressed");
      assert.deepEqual(
        [await pressed("Good answer"), await pressed("Bad answer")],
        ["false", "true"],
      );
      await page.reload();
      await lastTurn(page);
      assert.equal(await pressed("Bad answer"), "true", "it is kept");
    });
  });

  test("a service that takes no feedback is not offered any, after the first try", async () => {
    shop.double.feedbackStatus = 404;
    await onPage({ expected: /\/images\/missing\.svg|\/v1\/feedback/ }, async (page) => {
      await ask(page, "one");
      const turn = await lastTurn(page);
      await turn.getByRole("button", { name: "Good answer" }).click();
      await turn.getByText("The feedback could not be sent.").waitFor();
      assert.equal(await turn.getByRole("button", { name: "Good answer" }).count(), 0);
      await ask(page, "two");
      await page.locator(".turn").nth(1).waitFor();
      assert.equal(
        await (await lastTurn(page)).getByRole("button", { name: /answer$/ }).count(),
        1,
      );
    });
  });

  test("a comparison sets the records side by side, from 360 px up", async () => {
    shop.double.answer = comparisonAnswer;
    for (const size of [kSmallPhone, { width: 768, height: 1024, touch: true }, kDesk]) {
      await onPage({ size }, async (page) => {
        await ask(page, "Compare them");
        const turn = await lastTurn(page);
        const row = async (scope, name) => {
          const found = scope.getByRole("row", { name: new RegExp(`^${name}`) });
          return (await found.getByRole("cell").allTextContents()).map((text) => text.trim());
        };
        assert.deepEqual(await row(turn, "Capacity"), ["1.7 l", "1.5 l", "–Not stated"]);
        assert.equal(await turn.getByRole("row", { name: /^Noise level/ }).count(), 1);
        assert.ok(await fitsWidth(page), `${size.width} px`);
        await turn.getByRole("button", { name: "Compare", exact: true }).click();
        const window = page.getByRole("dialog", { name: "Comparison" });
        await window.waitFor();
        await screenshot(page, `double-${size.width}-light-11-compare`);
        assert.deepEqual(await row(window, "Price"), ["$49.99 Was $59.99", "$54.50", "$24.90"]);
        assert.equal((await window.getByRole("columnheader").count()) >= 3, true);
        await window.getByRole("button", { name: "Leave out Quellin Ember Q7" }).click();
        assert.deepEqual(await row(window, "Power"), ["2200 W", "2200 W"]);
        await window.getByLabel("Only differences").check();
        assert.equal(await window.getByRole("row", { name: /^Power/ }).count(), 0);
        assert.deepEqual(await row(window, "Capacity"), ["1.7 l", "1.5 l"]);
        assert.equal(
          await window.getByRole("button", { name: /^Leave out/ }).count(),
          0,
          "two remain",
        );
        const frame = await window.locator(".table-frame").boundingBox();
        assert.ok(frame.x >= 0 && frame.x + frame.width <= size.width, `${size.width} px`);
        await page.keyboard.press("Escape");
        await window.waitFor({ state: "detached" });
        const compare = turn.getByRole("button", { name: "Compare", exact: true });
        assert.ok(await compare.evaluate((node) => node === document.activeElement));
      });
    }
  });

  test("a comparison of an earlier visit reads the records again", async () => {
    await onPage({ size: kDesk }, async (page) => {
      await ask(page, "Which kettle?");
      await lastTurn(page);
      await page.reload();
      await (await lastTurn(page)).getByRole("button", { name: "Compare", exact: true }).click();
      const window = page.getByRole("dialog", { name: "Comparison" });
      await window.getByRole("row", { name: /^Noise level 65 dB/ }).waitFor();
    });
  });

  test("the history is searched, opened, renamed, exported and deleted", async () => {
    await onPage({ size: kDesk }, async (page) => {
      await ask(page, "quiet kettles");
      await lastTurn(page);
      await page.getByRole("button", { name: "New chat" }).click();
      await ask(page, "a gift");
      await lastTurn(page);
      const open = async () => {
        await page.getByRole("button", { name: "Conversations" }).click();
        const dialog = page.getByRole("dialog", { name: "Conversations" });
        await dialog.waitFor();
        return dialog;
      };
      let window = await open();
      const titles = () => window.locator(".history-title").allTextContents();
      assert.deepEqual(await titles(), ["a gift", "quiet kettles"]);
      await screenshot(page, "double-1280-light-12-history");
      await window.getByRole("searchbox").fill("QUIET KETTLES");
      assert.deepEqual(await titles(), ["quiet kettles"]);
      await window.getByRole("searchbox").fill("zebra");
      await window.getByText("No conversation contains these words.").waitFor();
      await window.getByRole("searchbox").fill("");
      await window.getByRole("button", { name: "Rename: quiet kettles" }).click();
      await window.getByRole("textbox", { name: "Title" }).fill("Tea time");
      await page.keyboard.press("Enter");
      assert.deepEqual(await titles(), ["a gift", "Tea time"]);
      const focused = await page.evaluate(() => document.activeElement.textContent);
      assert.match(focused, /^Tea time/, "the keyboard goes on where it was");
      const download = page.waitForEvent("download");
      await window.getByRole("button", { name: "Export: Tea time" }).click();
      const file = await download;
      assert.equal(file.suggestedFilename(), "Tea-time.md");
      const text = await readFile(await file.path(), "utf8");
      assert.match(text, /^# Tea time\n\n## quiet kettles\n\nThe Torvane Glide Kettle K20 is/);
      assert.match(text, /- \[Quellin Ember Q7\]\(http:.*\/p\/Q7\)/);
      await window
        .getByRole("button", { name: /Tea time/ })
        .first()
        .click();
      assert.match(
        await (await lastTurn(page)).locator(".question").textContent(),
        /quiet kettles/,
      );
      window = await open();
      await window.getByRole("button", { name: "Delete: a gift" }).click();
      await window.getByRole("button", { name: "Cancel" }).click();
      assert.equal((await titles()).length, 2);
      await window.getByRole("button", { name: "Delete: Tea time" }).click();
      await window.getByRole("button", { name: "Delete", exact: true }).click();
      assert.deepEqual(await titles(), ["a gift"]);
      await page.keyboard.press("Escape");
      assert.equal(await page.locator(".turn").count(), 0, "the open one was deleted");
      assert.deepEqual(
        shop.double.changes.map(([method, path]) => `${method} ${path}`),
        ["PATCH /v1/conversations/c-1", "DELETE /v1/conversations/c-1"],
      );
      assert.equal(JSON.parse(shop.double.changes[0][2]).title, "Tea time");
      await page.reload();
      window = await open();
      assert.deepEqual(await titles(), ["a gift"]);
    });
  });

  test("the first questions are made from the shop's own goods", async () => {
    await onPage({}, async (page) => {
      await page.locator(".suggestion").first().waitFor();
      assert.deepEqual(await page.locator(".suggestion").allInnerTexts(), [
        "Kettles under $50",
        "Show me products from Torvane",
        "Show me products from Hobbrook",
        "How long does shipping take?",
      ]);
    });
  });

  test("a card leads to the shop, and so does the product page; staff are named when asked for", async () => {
    const contact = {
      id: "c",
      title: "Call us",
      text: "Mo-Fr 9-17",
      link: "https://shop.example/contact",
    };
    shop.double.answer = () => {
      const [start, products, ...rest] = kettleAnswer();
      return encode([start, products, ["handoff", { kind: "requested", contact }], ...rest]);
    };
    await onPage({ size: kDesk }, async (page) => {
      await ask(page, "Which kettle?");
      const turn = await lastTurn(page);
      const way = turn.getByRole("link", { name: "View in shop: Torvane Glide Kettle K20" });
      for (const link of [way, turn.getByRole("link", { name: "Open contact page" })]) {
        assert.equal(await link.getAttribute("rel"), "noopener");
        assert.equal(await link.getAttribute("target"), "_blank");
      }
      assert.equal(await way.getAttribute("href"), "https://shop.example/K20");
      await turn
        .locator(".card-link")
        .nth(1)
        .click({ modifiers: ["ControlOrMeta"] });
      while (shop.double.events.length < 6) await page.waitForTimeout(20);
      const events = shop.double.events.map(({ type, product_id: id }) => `${type} ${id}`);
      assert.deepEqual(events, [...kKettles.map(({ id }) => `view ${id}`), "click HB-4"]);
      assert.ok(shop.double.events.every(({ answer_id: id }) => id === "a-1"));
      assert.match(await turn.locator(".contact").innerText(), /Call us\s+Mo-Fr 9-17/);
      await page.goto("/p/K20");
      const buy = page.getByRole("link", { name: "View in shop: Torvane Glide Kettle K20" });
      assert.equal(await buy.getAttribute("href"), "https://shop.example/K20");
      await screenshot(page, "double-1280-light-13-product");
    });
  });
});
