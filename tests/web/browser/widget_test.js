// The widget in a page of another origin: opening and closing it, keys, the page's policy and
// styles.

import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import {
  ask,
  kDesk,
  kPhone,
  openBrowser,
  openPage,
  screenshot,
  whyNoBrowser,
} from "../support/browser.js";
import { findings } from "../support/axe.js";
import { startMerchantPage } from "../support/merchant_page.js";
import { encode, kettleAnswer } from "../support/sample.js";
import { startShopDouble } from "../support/shop_double.js";

const kKey = "emp_browser_0123456789";

describe("the widget", { skip: whyNoBrowser() }, () => {
  let browser;
  let double;
  let merchant;

  before(async () => {
    browser = await openBrowser();
    double = await startShopDouble();
    merchant = await startMerchantPage(double.origin);
  });

  beforeEach(() => {
    double.asked.length = 0;
    double.feedback.length = 0;
    double.answer = () => encode(kettleAnswer());
    Object.assign(double, { key: kKey, origins: [merchant.origin] });
    Object.assign(merchant, { attributes: { key: kKey }, policy: "", style: "" });
  });

  after(async () => {
    await browser?.close();
    await merchant?.close();
    await double?.close();
  });

  /// Runs `steps` on the merchant's page; the service is the one other host that it may ask.
  async function onMerchant(options, steps) {
    const { page, context, problems } = await openPage(browser, {
      origin: merchant.origin,
      others: [double.origin],
      expected: /\/images\/missing\.svg/,
      ...options,
    });
    await page.goto("/");
    await steps(page);
    assert.deepEqual(problems, []);
    await context.close();
  }

  const launcher = (page) => page.getByRole("button", { name: "Ask the shopping assistant" });
  const panel = (page) => page.getByRole("dialog", { name: "Shopping assistant" });
  const answered = (page) => page.locator('.turn:last-child[data-status="done"]').waitFor();
  const focused = (page) =>
    page.evaluate(() => {
      let { activeElement: at } = document;
      while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
      return at.id || at.className || at.tagName;
    });

  test("answers in a foreign page with the browser key, on a desk and on a phone, by day and night", async () => {
    for (const [size, scheme] of [
      [kDesk, "light"],
      [kDesk, "dark"],
      [kPhone, "light"],
      [kPhone, "dark"],
    ]) {
      await onMerchant({ size, scheme }, async (page) => {
        await launcher(page).click();
        await panel(page).locator(".suggestion").first().waitFor();
        const name = `widget-${size.width}-${scheme}`;
        await screenshot(page, `${name}-1-welcome`);
        await ask(page, "Which kettle?");
        await answered(page);
        await screenshot(page, `${name}-2-answer`);
        assert.equal(await panel(page).locator(".card").count(), 5);
        const box = await panel(page).boundingBox();
        if (size === kPhone) {
          const window = page.viewportSize();
          assert.deepEqual(
            [box.x, box.y, box.width, box.height],
            [0, 0, window.width, window.height],
          );
        } else {
          assert.ok(box.width <= 460 && box.x > 700, "the shop stays in sight");
        }
        const { headers } = double.asked.at(-1);
        assert.equal(headers.authorization, `Bearer ${kKey}`);
        assert.equal(headers.origin, merchant.origin);
        assert.match(headers["x-emptor-shopper"], /^[0-9a-f]{32}$/);
        assert.equal(headers.cookie, undefined);
        await panel(page).getByRole("button", { name: "Good answer" }).click();
        await panel(page).getByText("Thank you for the feedback.").waitFor();
      });
    }
    assert.equal(double.feedback.length, 4);
  });

  test("works under a strict policy that allows the service alone", async () => {
    merchant.policy =
      `default-src 'none'; script-src ${double.origin}; connect-src ${double.origin}; ` +
      `img-src 'self' ${double.origin}; require-trusted-types-for 'script'; trusted-types 'none'`;
    await onMerchant({ size: kDesk }, async (page) => {
      await launcher(page).click();
      await ask(page, "Which kettle?");
      await answered(page);
      const image = panel(page).locator(".card img").first();
      assert.ok(await image.evaluate((node) => node.decode().then(() => node.naturalWidth > 0)));
      assert.equal((await launcher(page).boundingBox()).width, 60, "styles are there");
    });
  });

  test("is used by keyboard alone: focus stays inside, Escape closes and gives it back", async () => {
    await onMerchant({ size: kDesk }, async (page) => {
      await launcher(page).waitFor();
      await page.locator("#buy").focus();
      await page.keyboard.press("Tab");
      assert.equal(await focused(page), "launcher");
      assert.equal(await launcher(page).getAttribute("aria-expanded"), "false");
      await page.keyboard.press("Enter");
      await panel(page).waitFor();
      assert.equal(await focused(page), "message");
      assert.equal(await launcher(page).getAttribute("aria-expanded"), "true");
      await panel(page).locator(".suggestion").first().waitFor();
      const seen = new Set();
      for (let n = 0; n < 12; ++n) {
        await page.keyboard.press("Tab");
        const isInside = await page.evaluate(
          () => document.activeElement.localName === "emptor-assistant",
        );
        assert.ok(isInside, "focus left the widget");
        seen.add(await focused(page));
      }
      assert.ok(seen.has("message") && seen.has("icon-button") && !seen.has("launcher"), [...seen]);
      await page.keyboard.press("Escape");
      await panel(page).waitFor({ state: "hidden" });
      assert.equal(await focused(page), "launcher");
    });
  });

  test("Escape stops an answer first; shortcuts of the page are not for what is typed here", async () => {
    double.answer = async function* endless() {
      yield* encode(kettleAnswer()).slice(0, 8);
      await new Promise(() => {});
    };
    await onMerchant({ size: kDesk }, async (page) => {
      await page.evaluate(() => {
        globalThis.shortcuts = [];
        addEventListener("keydown", (event) => globalThis.shortcuts.push(event.key));
      });
      await launcher(page).click();
      await ask(page, "Which kettle?");
      await panel(page).locator(".answer-text p").waitFor();
      await page.keyboard.press("Escape");
      await page.locator('.turn[data-status="stopped"]').waitFor();
      assert.ok(await panel(page).isVisible());
      await page.getByRole("textbox").press("s");
      assert.deepEqual(await page.evaluate(() => globalThis.shortcuts), []);
      await page.keyboard.press("Escape");
      await panel(page).waitFor({ state: "hidden" });
    });
  });

  test("axe finds nothing in the panel and around it", async () => {
    for (const scheme of ["light", "dark"]) {
      for (const size of [kDesk, kPhone]) {
        await onMerchant({ size, scheme }, async (page) => {
          await launcher(page).waitFor();
          assert.deepEqual(await findings(page), [], `closed, ${scheme}, ${size.width} px`);
          await launcher(page).click();
          await panel(page).locator(".suggestion").first().waitFor();
          assert.deepEqual(await findings(page), [], `welcome, ${scheme}, ${size.width} px`);
          await ask(page, "Which kettle?");
          await answered(page);
          assert.deepEqual(await findings(page), [], `answer, ${scheme}, ${size.width} px`);
        });
      }
    }
  });

  test("windows inside the panel close alone", async () => {
    await onMerchant({ size: kDesk }, async (page) => {
      await launcher(page).click();
      await panel(page).getByRole("button", { name: "Settings" }).click();
      await page.getByRole("dialog", { name: "Settings" }).waitFor();
      await page.keyboard.press("Escape");
      await page.getByRole("dialog", { name: "Settings" }).waitFor({ state: "detached" });
      assert.ok(await panel(page).isVisible());
    });
  });

  test("the page's styles do not reach it, but its variables do", async () => {
    merchant.style =
      "* { color: red !important; font-size: 40px; } html { font-size: 62.5%; } " +
      "button { display: none } emptor-assistant { --emptor-accent: rgb(10, 20, 200); }";
    await onMerchant({ size: kDesk }, async (page) => {
      await launcher(page).click();
      const style = (selector, name) =>
        panel(page)
          .locator(selector)
          .first()
          .evaluate((node, property) => getComputedStyle(node)[property], name);
      await panel(page).locator(".suggestion").first().waitFor();
      assert.equal(await style(".suggestion", "fontSize"), "16px");
      assert.equal(await style(".welcome > p", "fontSize"), "16px");
      assert.notEqual(await style(".suggestion", "color"), "rgb(255, 0, 0)");
      await page.mouse.move(10, 10);
      const ground = await launcher(page).evaluate(
        (node) => getComputedStyle(node).backgroundColor,
      );
      assert.equal(ground, "rgb(10, 20, 200)");
      await screenshot(page, "widget-1280-light-3-themed");
    });
  });

  test("a product leads to the merchant's own page, and one without to the service's", async () => {
    const items = kettleAnswer()[1][1].items;
    double.answer = () => {
      const products = [
        { ...items[0], link: `${merchant.origin}/kettle-k20` },
        { ...items[1], link: undefined },
      ];
      return encode([
        kettleAnswer()[0],
        ["products", { items: products }],
        ...kettleAnswer().slice(2),
      ]);
    };
    await onMerchant({ size: kDesk }, async (page) => {
      await launcher(page).click();
      await ask(page, "Which kettle?");
      await answered(page);
      const hrefs = await panel(page)
        .locator(".card-link")
        .evaluateAll((links) => links.map(({ href }) => href));
      assert.deepEqual(hrefs, [`${merchant.origin}/kettle-k20`, `${double.origin}/p/HB-4`]);
      const link = panel(page).getByRole("link", { name: "Hobbrook Brook Whisper", exact: true });
      assert.equal(await link.getAttribute("href"), `${double.origin}/p/HB-4`);
      await panel(page).locator(".card-link").first().click();
      await page.waitForURL("**/kettle-k20");
      await panel(page).locator(".turn .card").first().waitFor();
      assert.equal(
        await panel(page).locator(".question").count(),
        1,
        "open, with its conversation",
      );
    });
  });

  test("an Arabic browser gets it from right to left; data-language chooses another one", async () => {
    await onMerchant({ size: kDesk, locale: "ar-EG" }, async (page) => {
      const button = page.getByRole("button", { name: "اسأل مساعد التسوق" });
      assert.ok((await button.boundingBox()).x < 100, "at the other side");
      await button.click();
      const dialog = page.getByRole("dialog", { name: "مساعد التسوق" });
      await dialog.locator(".suggestion").first().waitFor();
      await screenshot(page, "widget-1280-light-4-arabic");
    });
    merchant.attributes = { key: kKey, language: "fr", theme: "dark", position: "start" };
    await onMerchant({ size: kDesk }, async (page) => {
      const button = page.getByRole("button", { name: "Demander à l’assistant d’achat" });
      assert.ok((await button.boundingBox()).x < 100);
      await button.click();
      const dialog = page.getByRole("dialog");
      const colour = await dialog.evaluate((node) => getComputedStyle(node).backgroundColor);
      assert.equal(colour, "rgb(21, 22, 20)");
    });
  });

  test("a key of other pages is refused, and the shopper is not left without a word", async () => {
    double.origins = ["https://elsewhere.example"];
    await onMerchant({ size: kDesk, expected: /CORS|Failed to load|net::ERR/ }, async (page) => {
      await launcher(page).click();
      await ask(page, "Which kettle?");
      await page.locator('.turn[data-status="failed"] .notice').waitFor();
      assert.equal(double.asked.length, 0);
    });
  });
});
