// The pages that the service writes itself, of a real `emptor serve` with the sample shop: the list
// of a category and the product page, with and without scripts.

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import {
  fitsWidth,
  kDesk,
  kPhone,
  kSmallPhone,
  openBrowser,
  openPage,
  screenshot,
  smallControls,
  whyNoBrowser,
} from "../support/browser.js";
import { findings } from "../support/axe.js";
import { kBinary, startShopServer } from "../support/shop_server.js";

const kWhyNot = whyNoBrowser() || (existsSync(kBinary) ? false : `${kBinary} is not built`);

/// The structured data of a page, by type.
async function structuredData(page) {
  const texts = await page.locator('script[type="application/ld+json"]').allTextContents();
  return Object.fromEntries(texts.map(JSON.parse).map((data) => [data["@type"], data]));
}

describe("storefront", { skip: kWhyNot }, () => {
  let browser;
  let shop;

  before(async () => {
    browser = await openBrowser();
    shop = await startShopServer();
  });

  after(async () => {
    await browser?.close();
    await shop?.stop();
  });

  async function onPage(path, options, steps) {
    const { page, context, problems } = await openPage(browser, { origin: shop.url, ...options });
    await page.goto(path);
    await steps(page);
    assert.deepEqual(problems, []);
    await context.close();
  }

  test("a category lists its products; axe finds nothing, on any width, in both directions", async () => {
    for (const [size, scheme, locale] of [
      [kSmallPhone, "light", "en-US"],
      [kPhone, "dark", "ar"],
      [kDesk, "dark", "de-DE"],
    ]) {
      await onPage("/c/kitchen--kettles", { size, scheme, locale }, async (page) => {
        await page.locator("emptor-assistant .launcher").waitFor();
        assert.ok((await page.locator(".card").count()) >= 5);
        const card = page.locator(".card").first();
        assert.match(await card.locator(".price-now").innerText(), /[0-9]/);
        await card.locator("img").evaluate((image) => image.decode());
        assert.equal(await page.locator("html").getAttribute("lang"), locale.slice(0, 2));
        assert.ok(await fitsWidth(page));
        assert.deepEqual(await findings(page), []);
        if (size.touch) assert.deepEqual(await smallControls(page, { least: 44 }), []);
        await screenshot(page, `category-${size.width}-${locale}`);
        await card.click();
        await page.locator(".product-buy, .product-ask").first().waitFor();
        assert.deepEqual(await findings(page), []);
        await screenshot(page, `product-${size.width}-${locale}`);
        await page.locator(".crumbs a").nth(2).click();
        await page.locator(".category-title").waitFor();
      });
    }
  });

  test("the pages of a list follow each other, by keyboard alone", async () => {
    await onPage("/c/kitchen", { size: kDesk }, async (page) => {
      const seen = [];
      for (;;) {
        seen.push(
          ...(await page
            .locator(".card-link")
            .evaluateAll((links) => links.map((link) => link.getAttribute("href")))),
        );
        const next = page.locator('a[rel="next"]');
        if ((await next.count()) === 0) break;
        assert.equal(
          await page.locator('head link[rel="next"]').getAttribute("href"),
          new URL(await next.getAttribute("href"), shop.url).href,
        );
        await next.focus();
        await page.keyboard.press("Enter");
        await page.waitForURL(/page=\d+/);
        await page.locator('a[rel="prev"]').waitFor();
        await page.waitForLoadState();
        if (seen.length > 500) break;
      }
      const data = await structuredData(page);
      assert.equal(seen.length, data.ItemList.numberOfItems);
      assert.equal(new Set(seen).size, seen.length, "each product once");
      assert.ok(seen.length > 24);
    });
  });

  test("a product page says the same to a search engine and to a shopper", async () => {
    await onPage("/c/kitchen--kettles", { size: kDesk }, async (page) => {
      await page.locator(".card").first().click();
      await page.locator(".product-ask").waitFor();
      const { Product: product, BreadcrumbList: trail } = await structuredData(page);
      assert.equal(product.name, await page.locator(".product-title").innerText());
      const shown = (await page.locator(".product-price .price-now").innerText()).replace("$", "");
      assert.equal(product.offers.price, shown);
      assert.equal(product.offers.availability, "https://schema.org/InStock");
      assert.equal(trail.itemListElement.length, 4);
      const canonical = await page.locator('link[rel="canonical"]').getAttribute("href");
      assert.equal(canonical, page.url());
    });
  });

  test("without scripts both pages are whole", async () => {
    const context = await browser.newContext({ javaScriptEnabled: false, baseURL: shop.url });
    const page = await context.newPage();
    await page.goto("/c/kitchen--kettles");
    assert.ok((await page.locator(".card .price-now").count()) >= 5);
    await page.locator(".card-link").first().click();
    assert.match(await page.locator(".product-price").innerText(), /\$/);
    assert.ok((await page.locator(".product-description").innerText()).length > 40);
    await context.close();
  });

  test("an unknown category leads to those that there are", async () => {
    const expected = /\/c\/no-such-thing/;
    await onPage("/c/no-such-thing", { size: kPhone, expected }, async (page) => {
      assert.match(await page.locator("h1").innerText(), /no such category/);
      assert.deepEqual(await findings(page), []);
      await page.locator(".category-links a").first().click();
      await page.locator(".card").first().waitFor();
    });
  });

  test("the widget answers on the page of a category", async () => {
    await onPage("/c/kitchen--kettles", { size: kDesk }, async (page) => {
      await page.locator("emptor-assistant .launcher").click();
      await page.getByRole("textbox").fill("Which kettle is the cheapest?");
      await page.getByRole("textbox").press("Enter");
      await page.locator('emptor-assistant .turn[data-status="done"]').waitFor();
      assert.match(await page.locator("emptor-assistant .answer-text").innerText(), /\$/);
    });
  });

  test("a conversation that the service kept opens by its address, for its shopper alone", async () => {
    const body = JSON.stringify({ message: "quiet kettle under 60 dollars", stream: false });
    const headers = { "Content-Type": "application/json" };
    const reply = await fetch(`${shop.url}/v1/assist`, { method: "POST", headers, body });
    const { conversation_id: id } = await reply.json();
    await onPage(`/#c=${id}`, { size: kSmallPhone }, async (page) => {
      await page.locator(".turn .card").first().waitFor();
      assert.match(await page.locator(".answer-text").innerText(), /\$/);
    });
    let address;
    await onPage("/", { size: kDesk }, async (page) => {
      await page.getByRole("textbox").fill("Show me toasters");
      await page.getByRole("textbox").press("Enter");
      await page.locator('.turn[data-status="done"]').waitFor();
      address = `/${new URL(page.url()).hash}`;
      await page.evaluate(() => {
        Object.keys(localStorage)
          .filter((name) => name.startsWith("emptor.conversation"))
          .forEach((name) => localStorage.removeItem(name));
        sessionStorage.clear();
      });
      await page.goto("/");
      await page.locator(".bar .icon-button").first().click();
      await page.locator("dialog .history-open").click();
      await page.locator(".turn .card").first().waitFor();
      assert.match(await page.locator(".question").innerText(), /toasters/);
    });
    await onPage(address, { expected: /\/v1\/conversations\// }, async (page) => {
      await page.locator(".notice-conversation").waitFor();
      assert.equal(await page.locator(".turn").count(), 0, "another shopper's");
    });
  });
});
