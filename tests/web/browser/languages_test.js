// The page in each of its six languages, and from right to left.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  ask,
  fitsWidth,
  kDesk,
  kSmallPhone,
  lastTurn,
  screenshot,
  whyNoBrowser,
} from "../support/browser.js";
import { useChatPage } from "../support/chat_page.js";
import { kLanguages } from "../../../services/web/strings.js";

const kLocales = { en: "en-GB", de: "de-AT", es: "es-MX", fr: "fr-CA", zh: "zh-CN", ar: "ar-EG" };

describe("languages", { skip: whyNoBrowser() }, () => {
  const { onPage, shop } = useChatPage();

  test("each browser gets its own language, which fits a small phone", async () => {
    for (const [language, locale] of Object.entries(kLocales)) {
      const strings = (await kLanguages[language].load()).default;
      await onPage({ size: kSmallPhone, locale }, async (page) => {
        await page.getByRole("heading", { name: strings.welcomeTitle }).waitFor();
        await page.locator(".suggestion").first().waitFor();
        const html = page.locator("html");
        assert.equal(await html.getAttribute("lang"), kLanguages[language].tag);
        assert.equal(await html.getAttribute("dir"), language === "ar" ? "rtl" : "ltr");
        await ask(page, "kettle");
        const turn = await lastTurn(page);
        const direction = await turn
          .locator(".question")
          .evaluate((node) => getComputedStyle(node).direction);
        assert.equal(direction, "ltr", "a question in Latin letters, in any language of the page");
        assert.equal(shop.double.asked.at(-1).body.locale, locale);
        assert.match(await turn.innerText(), new RegExp(strings.markMixed));
        assert.match(
          await turn.locator(".card").first().innerText(),
          new RegExp(strings.viewInShop),
        );
        assert.ok(await fitsWidth(page), language);
        await screenshot(page, `double-360-light-14-${language}`);
        if (language !== "en") {
          const words = (await page.locator("body").innerText()).replaceAll(
            /Kettle|Torvane|Emptor/g,
            "",
          );
          assert.doesNotMatch(words, /\b(In stock|View in shop|New chat)\b/, language);
        }
      });
    }
  });

  test("a reader chooses a language and a look, and the page keeps them", async () => {
    await onPage({ size: kDesk }, async (page) => {
      await page.getByRole("button", { name: "Settings" }).click();
      const options = page.getByLabel("Language").locator("option");
      // Reading texts waits for nothing, and the form is filled once it is open.
      await options.first().waitFor({ state: "attached" });
      const names = await options.allTextContents();
      assert.deepEqual(names, ["English", "Deutsch", "Español", "Français", "中文", "العربية"]);
      await page.getByLabel("Appearance").selectOption("dark");
      const ground = () =>
        page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
      assert.equal(await ground(), "rgb(21, 22, 20)");
      await page.getByLabel("Language").selectOption("de");
      await page.getByRole("heading", { name: "Was suchen Sie?" }).waitFor();
      assert.equal(await ground(), "rgb(21, 22, 20)");
      await page.goto("/p/K20");
      await page.getByText("Zu diesem Produkt fragen").waitFor();
      assert.equal(await ground(), "rgb(21, 22, 20)");
    });
  });

  test("Arabic runs from right to left", async () => {
    await onPage({ size: kDesk, locale: "ar" }, async (page) => {
      await page.locator(".suggestion").first().waitFor();
      const at = async (locator) => (await locator.first().boundingBox()).x;
      assert.ok((await at(page.locator(".mark"))) > (await at(page.locator(".bar-actions"))));
      assert.ok((await at(page.locator("#message"))) > (await at(page.locator("#send"))));
      await ask(page, "ما هي الغلاية الهادئة؟");
      const turn = await lastTurn(page);
      assert.ok((await at(turn.locator(".question"))) < 640, "the question is at the left");
      const [first, second] = [turn.locator(".card").nth(0), turn.locator(".card").nth(1)];
      assert.ok((await at(first)) > (await at(second)), "cards from right to left");
      const ends = await first.locator(".card-title, .price-now").evaluateAll((nodes) =>
        nodes.map((node) => {
          const range = document.createRange();
          range.selectNodeContents(node);
          return Math.round(range.getBoundingClientRect().right);
        }),
      );
      assert.ok(Math.abs(ends[0] - ends[1]) <= 12, `title and price begin at the right: ${ends}`);
      const next = turn.getByRole("button", { name: "المزيد من المنتجات" });
      const before = await at(first);
      await next.click();
      await page.waitForFunction(
        (x) => document.querySelector(".card").getBoundingClientRect().x > x + 50,
        before,
      );
      assert.ok(await fitsWidth(page));
      await screenshot(page, "double-1280-light-15-arabic");
    });
  });
});
