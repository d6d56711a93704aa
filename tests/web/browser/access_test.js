// Accessibility: axe finds nothing, targets are large enough, answers are read out by sentence; and
// what the page weighs.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { describe, test } from "node:test";
import { gzipSync } from "node:zlib";
import { ask, kDesk, kPhone, lastTurn, smallControls, whyNoBrowser } from "../support/browser.js";
import { findings } from "../support/axe.js";
import { useChatPage } from "../support/chat_page.js";
import { encode, kettleAnswer } from "../support/sample.js";
import { kWebFolder } from "../support/shop_double.js";

describe("access", { skip: whyNoBrowser() }, () => {
  const { onPage, shop } = useChatPage();

  test("axe finds nothing of any level, on every view, by day and by night", async () => {
    for (const [size, scheme, locale] of [
      [kPhone, "light", "en-US"],
      [kPhone, "dark", "ar"],
      [kDesk, "dark", "en-US"],
      [kDesk, "light", "ar"],
    ]) {
      await onPage({ size, scheme, locale }, async (page) => {
        const check = async (view) => {
          const found = await findings(page);
          assert.deepEqual(found, [], `${view}, ${scheme}, ${size.width} px, ${locale}`);
        };
        await page.locator(".suggestion").first().waitFor();
        await check("welcome");
        await ask(page, "Which kettle?");
        const turn = await lastTurn(page);
        await turn.locator(".sources summary").click();
        await check("answer");
        await turn.locator(".actions .icon-button").nth(3).click();
        await turn.locator(".feedback-form").waitFor();
        await check("feedback");
        for (const button of [
          ".actions .button-quiet",
          ".bar .icon-button >> nth=0",
          ".bar .icon-button >> nth=2",
        ]) {
          await page.locator(button).click();
          await page.locator("dialog[open]").waitFor();
          await check(button);
          await page.keyboard.press("Escape");
          await page.locator("dialog").waitFor({ state: "detached" });
        }
        await page.locator("#message").fill("And a red one?");
        await page.locator("#message").press("Enter");
        await page.locator(".turn").nth(1).waitFor();
        await lastTurn(page);
        await check("two answers");
        await page.goto("/p/K20");
        await page.locator(".product-title").waitFor();
        await check("product");
      });
    }
  });

  test("every control is 24 px or more, and 40 px where it is no citation", async () => {
    await onPage({ size: kDesk }, async (page) => {
      await ask(page, "Which kettle?");
      await lastTurn(page);
      const small = await smallControls(page, { least: 40, leastCite: 24 });
      assert.deepEqual(small, []);
    });
  });

  test("an answer is read out by sentence while it grows, politely and once", async () => {
    let open;
    const gate = new Promise((resolve) => {
      open = resolve;
    });
    shop.double.answer = async function* held() {
      const events = encode(kettleAnswer());
      yield* events.slice(0, 24);
      await gate;
      yield* events.slice(24);
    };
    await onPage({ size: kDesk }, async (page) => {
      await ask(page, "Which kettle?");
      const reading = page.locator("#reading");
      await reading.locator("p").first().waitFor({ state: "attached" });
      assert.equal(await reading.getAttribute("aria-live"), "polite");
      const first =
        "The Torvane Glide Kettle K20 is the quietest one under $60: it hums at 65 dB and costs $49.99.";
      assert.deepEqual(await reading.locator("p").allTextContents(), [first]);
      assert.equal(await page.locator(".turn").getAttribute("aria-busy"), "true");
      open();
      await lastTurn(page);
      const sentences = await reading.locator("p").allTextContents();
      assert.equal(sentences[0], first);
      assert.equal(sentences.at(-1), "Shipping takes 3 to 5 business days.");
      assert.equal(new Set(sentences).size, sentences.length);
      assert.equal(await page.locator(".turn").getAttribute("aria-busy"), "false");
      assert.equal(await page.getByRole("log").getAttribute("aria-live"), "off");
    });
  });

  test("the page asks for 60 KB of script at most, and shows itself within a second", async () => {
    await onPage({ size: kPhone }, async (page) => {
      const scripts = new Set();
      page.on("request", (request) => {
        if (request.resourceType() === "script") scripts.add(new URL(request.url()).pathname);
      });
      await page.reload();
      await page.locator(".suggestion").first().waitFor();
      const paint = await page.evaluate(
        () => performance.getEntriesByName("first-contentful-paint")[0].startTime,
      );
      let bytes = 0;
      for (const path of scripts) {
        bytes += gzipSync(await readFile(kWebFolder + path.split("/").at(-1)), { level: 9 }).length;
      }
      assert.ok(scripts.size > 10, "modules are loaded");
      assert.ok(
        bytes <= 60 * 1024,
        `${bytes} bytes of script, compressed as the service sends them`,
      );
      assert.ok(paint <= 1000, `first contentful paint after ${paint} ms`);
      console.log(
        `# page script: ${scripts.size} files, ${bytes} bytes compressed; first paint ${paint} ms`,
      );
    });
  });
});
