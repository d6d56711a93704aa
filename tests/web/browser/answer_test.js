// One answer in the chat page: its cards, its sources, and the details of who wrote it.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { ask, kDesk, kSmallPhone, lastTurn, screenshot, whyNoBrowser } from "../support/browser.js";
import { useChatPage } from "../support/chat_page.js";
import { encode, kettleAnswer } from "../support/sample.js";

describe("an answer", { skip: whyNoBrowser() }, () => {
  const { onPage, shop } = useChatPage();

  test("a number in the text leads to its card; a document's number to its words", async () => {
    await onPage({ size: kDesk }, async (page) => {
      await ask(page, "Which kettle?");
      const turn = await lastTurn(page);
      await turn.getByRole("button", { name: "Source 2: Hobbrook" }).click();
      assert.equal(await page.evaluate(() => document.activeElement.dataset.productId), "HB-4");
      await turn.getByRole("button", { name: "Source 6", exact: true }).click();
      assert.equal(await page.evaluate(() => document.activeElement.dataset.source), "6");
      assert.ok(await turn.getByText("Standard shipping takes").isVisible());
    });
  });

  test("shoppers see who phrased an answer, and no times; developers switch the details on", async () => {
    await onPage({}, async (page) => {
      await ask(page, "quiet kettles");
      const turn = await lastTurn(page);
      const words = await turn.locator(".origin").innerText();
      assert.equal(words, "Written by AI and completed from the catalog");
      assert.doesNotMatch(await turn.innerText(), /First words|\d s\b|\d ms\b/);
      await page.getByRole("button", { name: "Settings" }).click();
      await page.getByLabel("Details for developers").check();
      await page.keyboard.press("Escape");
      const details = turn.locator("details.timings");
      assert.match(await details.locator("summary").innerText(), /First words in .* complete in/);
      assert.equal(await details.getAttribute("open"), null, "it is closed at first");
      assert.equal(await details.locator("li").first().isVisible(), false);
      await details.locator("summary").click();
      assert.deepEqual(await details.locator("li").allTextContents(), [
        "9 facts from the catalog",
        "Sentences of the model: 3 kept, 1 replaced, 0 left out",
        "understand 1 ms · retrieve 6 ms · queue 0 ms · ttft 85 ms · generate 640 ms · total 740 ms",
        "a-1",
      ]);
    });
  });

  test("an answer of the records alone says so, and names no sentences of a model", async () => {
    await onPage({ path: "/?developer=1" }, async (page) => {
      shop.double.answer = () =>
        encode([
          ["start", {}],
          ["delta", { text: "The K20 costs $49.99." }],
          ["done", { answer_step: "code", grounded: { references: 1, kept: 0 } }],
        ]);
      await ask(page, "how much is it?");
      const turn = await lastTurn(page);
      assert.equal(
        await turn.locator(".origin").innerText(),
        "Put together from catalog data, not written by AI",
      );
      const details = turn.locator("details.timings");
      await details.locator("summary").click();
      assert.deepEqual(await details.locator("li").allTextContents(), ["1 fact from the catalog"]);
    });
  });

  test("a card says all that a shopper asks first, by eye and by ear", async () => {
    await onPage({}, async (page) => {
      await ask(page, "Which kettle?");
      const cards = (await lastTurn(page)).locator(".card");
      const text = async (index) => (await cards.nth(index).textContent()).replace(/\s+/g, " ");
      assert.match(await text(0), /Torvane Glide Kettle K20.*\$49\.99.*Was \$59\.99/);
      assert.match(await text(0), /Rated 4\.5 out of 5.*312 reviews.*In stock/);
      assert.match(await text(2), /\$24\.90.*1 review.*Out of stock/);
      assert.doesNotMatch(await text(3), /Rated/);
      assert.match(await text(4), /¥5,980/);
      await cards.nth(4).scrollIntoViewIfNeeded();
      await cards.nth(4).locator(".picture-missing").waitFor();
      const [box, other] = [
        await cards.nth(4).locator(".picture").boundingBox(),
        await cards.nth(0).locator(".picture").boundingBox(),
      ];
      assert.equal(Math.round(box.height), Math.round(other.height), "the frame keeps its shape");
    });
  });

  test("cards whose names are equal show what sets them apart, and so does the comparison", async () => {
    const [, data] = kettleAnswer()[1];
    const same = (index, variant) => ({ ...data.items[index], title: "Shirt", variant });
    const items = [same(0, "red, M"), same(1, "blue, L"), data.items[2]];
    shop.double.answer = () =>
      encode(kettleAnswer().map((event) => (event[0] === "products" ? ["products", { items }] : event)));
    for (const size of [kSmallPhone, kDesk]) {
      await onPage({ size }, async (page) => {
        await ask(page, "Which shirt?");
        const turn = await lastTurn(page);
        assert.deepEqual(await turn.locator(".card-variant").allInnerTexts(), ["red, M", "blue, L"]);
        await screenshot(page, `variants-${size.width}`);
        await turn.locator(".actions .button-quiet").click();
        const heads = page.locator("dialog .compare-product .card-variant");
        assert.deepEqual(await heads.allInnerTexts(), ["red, M", "blue, L"]);
      });
    }
  });
});
