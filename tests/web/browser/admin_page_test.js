// The admin page of a real `emptor serve` with the sample shop and the shipped language model.

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import {
  fitsWidth,
  kDesk,
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
const kRefused = /status of 40[0-9]|status of 412/;

describe("admin page", { skip: kWhyNot }, () => {
  let browser;
  let shop;

  before(async () => {
    browser = await openBrowser();
    shop = await startShopServer({ settings: "trace_megabytes: 16\n", model: "" });
    for (const question of [
      "Which quiet kettle do you have under 60 dollars?",
      "Does the Hobbrook Swift Electric Kettle K70 have a whistle?",
      "Does the Hobbrook Swift Electric Kettle K70 have a whistle",
    ]) {
      await ask(question);
    }
  });

  after(async () => {
    await browser?.close();
    await shop?.stop();
  });

  async function ask(message) {
    const response = await fetch(`${shop.url}/v1/assist`, {
      method: "POST",
      headers: { "Content-Type": "application/json", Authorization: `Bearer ${shop.key}` },
      body: JSON.stringify({ message, stream: false }),
    });
    assert.equal(response.status, 200);
    return response.json();
  }

  async function signIn(page, key = shop.key) {
    await page.goto("/admin");
    await page.getByLabel("Admin key").fill(key);
    await page.getByLabel("Admin key").press("Enter");
  }

  /** Signs in, does the steps, and checks that the page did nothing that it must not. */
  async function onPage(steps, options = {}) {
    const { page, context, problems } = await openPage(browser, {
      origin: shop.adminUrl,
      size: kDesk,
      ...options,
    });
    await signIn(page);
    await page.getByRole("navigation", { name: "Sections" }).waitFor();
    await steps(page);
    assert.deepEqual(problems, []);
    await context.close();
  }

  const open = async (page, name) => {
    await page.getByRole("link", { name, exact: true }).click();
    await page.getByRole("heading", { level: 1 }).waitFor();
  };

  test("only an admin key signs in, and it stays in the tab", async () => {
    const { page, context, problems } = await openPage(browser, {
      origin: shop.adminUrl,
      size: kDesk,
      expected: kRefused,
    });
    await signIn(page, "emptor_nonsense");
    await page.getByRole("alert").filter({ hasText: "does not know this key" }).waitFor();
    const server = JSON.parse(await shop.run("key", "issue", "server")).key;
    await signIn(page, server);
    await page.getByRole("alert").filter({ hasText: "not an admin key" }).waitFor();
    assert.deepEqual(await findings(page), []);
    await signIn(page);
    await page.getByRole("heading", { name: "emptor-lm" }).waitFor();
    await page.reload();
    await page.getByRole("heading", { name: "emptor-lm" }).waitFor();
    assert.ok(!page.url().includes(shop.key));
    const stored = await page.evaluate(() => [localStorage.length, document.cookie]);
    assert.deepEqual(stored, [0, ""]);
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByLabel("Admin key").waitFor();
    await page.reload();
    await page.getByLabel("Admin key").waitFor();
    assert.deepEqual(problems, []);
    await context.close();
  });

  test("every section: axe finds nothing, on a phone in the dark and on a desk", async () => {
    for (const [size, scheme] of [
      [kSmallPhone, "dark"],
      [kDesk, "light"],
    ]) {
      await onPage(
        async (page) => {
          for (const name of ["Models", "Imports", "Open questions", "Answers", "FAQ", "Load"]) {
            await open(page, name);
            await page.locator(".card-row, .table, .empty, .chart").first().waitFor();
            assert.deepEqual(await findings(page), [], name);
            assert.ok(await fitsWidth(page), name);
            if (size.touch) assert.deepEqual(await smallControls(page, { least: 44 }), [], name);
            await screenshot(page, `admin-${name.toLowerCase().replace(" ", "-")}-${size.width}`);
          }
        },
        { size, scheme },
      );
    }
  });

  test("a model is activated, and its progress is shown", async () => {
    await onPage(async (page) => {
      const states = ["unloaded", "loading", "available"];
      let at = 0;
      let activated = "";
      const models = () => [
        {
          name: "large",
          kind: "llm",
          path: "/m/large.gguf",
          state: states[at],
          percent: 40,
          active: at === 2,
        },
        {
          name: "broken",
          kind: "llm",
          path: "/m/b.gguf",
          state: "failed",
          reason: "not a GGUF file",
          active: false,
        },
      ];
      await page.route("**/admin/models", (route) => route.fulfill({ json: { models: models() } }));
      await page.route("**/admin/models/*/activate", (route) => {
        activated = route.request().url();
        at = 1;
        return route.fulfill({ status: 202, json: models()[0] });
      });
      const card = page.locator('[data-model="large"]');
      await card.getByRole("button", { name: "Activate large" }).click();
      await card.getByRole("progressbar", { name: "Loading large" }).waitFor();
      assert.match(await card.innerText(), /40 %/);
      assert.equal(await card.getByRole("button").count(), 0, "nothing can be done meanwhile");
      assert.match(activated, /\/admin\/models\/large\/activate$/);
      await screenshot(page, "admin-model-loading");
      at = 2;
      await card.getByText("In use").waitFor();
      assert.equal(await page.getByRole("status").first().innerText(), "large is in use.");
      assert.match(await page.locator('[data-model="broken"]').innerText(), /not a GGUF file/);
      assert.deepEqual(await findings(page), []);
    });
  });

  test("imports are listed with their refused rows", async () => {
    const folder = await mkdtemp(join(tmpdir(), "emptor-feed-"));
    const feed = join(folder, "broken.jsonl");
    await writeFile(feed, '{"id":"ok-1","title":"A plain cup"}\n{"id":"no-title"}\n');
    await shop.run("ingest", feed).catch(() => {}); // refused rows make it fail
    await onPage(async (page) => {
      await open(page, "Imports");
      const job = page.locator(".card-row").first();
      assert.match(await job.innerText(), /Sent over HTTP[^]*Done[^]*Rows read\s+2[^]*Refused\s+1/);
      await job.locator("summary").click();
      await job.getByRole("table").waitFor();
      assert.match(
        await job.getByRole("table").innerText(),
        /no-title[^]*title[^]*missing or empty/,
      );
      assert.deepEqual(await findings(page), []);
      await screenshot(page, "admin-import-refused");
    });
    await rm(folder, { recursive: true });
  });

  test("an error leaves when the service answers again, with nothing else changed", async () => {
    const sections = [
      ["Models", "**/admin/models"],
      ["Imports", "**/jobs"],
      ["Open questions", "**/unanswered?*"],
      ["Answers", "**/activity"],
    ];
    await onPage(
      async (page) => {
        const fail = (route) =>
          route.fulfill({
            status: 503,
            json: { error: { code: "unavailable", message: "It is busy." } },
          });
        for (const [name, path] of sections) {
          const content = page.locator(".card-row, .table, .empty").first();
          const problem = page.getByRole("alert").filter({ hasText: "It is busy." });
          await open(page, name);
          await content.waitFor();
          await page.route(path, fail);
          await problem.waitFor();
          await page.unroute(path, fail);
          await problem.waitFor({ state: "detached" });
          await content.waitFor();
        }
      },
      { expected: /status of 503/ },
    );
  });

  test("an error of an action stays while the section is drawn again", async () => {
    await onPage(
      async (page) => {
        let percent = 10;
        const models = () => [
          { name: "large", kind: "llm", path: "/m/large.gguf", state: "loading", percent },
          { name: "small", kind: "llm", path: "/m/small.gguf", state: "unloaded" },
        ];
        await page.route("**/admin/models", (route) =>
          route.fulfill({ json: { models: models() } }),
        );
        let isFull = true;
        await page.route("**/admin/models/small/load", (route) =>
          isFull
            ? route.fulfill({ status: 409, json: { error: { message: "There is no room." } } })
            : route.fulfill({ status: 202, json: {} }),
        );
        const load = page.getByRole("button", { name: "Load small" });
        const problem = page.getByRole("alert").filter({ hasText: "There is no room." });
        await load.click();
        await problem.waitFor();
        percent = 70;
        await page.getByText("70 %").waitFor();
        assert.equal(await problem.count(), 1);
        isFull = false;
        await load.click();
        await problem.waitFor({ state: "detached" });
      },
      { expected: kRefused },
    );
  });

  test("refused rows stay open, and are loaded once, while an import goes on", async () => {
    await onPage(async (page) => {
      let loaded = 0;
      let offset = 100;
      let errors = 1;
      const job = (id, more) => ({ id, source: `${id}.csv`, feed_bytes: 1000, ...more });
      await page.route("**/jobs", (route) =>
        route.fulfill({
          json: {
            jobs: [
              job("job-1", { state: "done", report: { lines: 9, errors } }),
              job("job-2", { state: "running", offset, report: { lines: 3 } }),
            ],
          },
        }),
      );
      await page.route("**/dead-letters?*", (route) => {
        ++loaded;
        return route.fulfill({ body: `{"line":${loaded},"id":"cup-${loaded}","reason":"none"}\n` });
      });
      await open(page, "Imports");
      const rows = page.locator('[data-job="job-1"]');
      await rows.locator("summary").press("Enter");
      await rows.getByText("cup-1").waitFor();
      for (const [at, share] of [
        [300, "30 %"],
        [500, "50 %"],
      ]) {
        offset = at;
        await page.getByText(share).waitFor();
      }
      assert.ok(await rows.getByText("cup-1").isVisible());
      assert.equal(loaded, 1);
      const focused = () => page.evaluate(() => document.activeElement.tagName);
      assert.equal(await focused(), "SUMMARY");
      errors = 2;
      await rows.getByText("cup-2").waitFor();
      assert.equal(await focused(), "SUMMARY");
    });
  });

  test("a question without an answer is found, and why", async () => {
    await onPage(async (page) => {
      await open(page, "Open questions");
      const row = page.getByRole("row").filter({ hasText: "whistle" });
      assert.match(await row.innerText(), /2×[^]*Not in the record/);
      await row.getByRole("link", { name: /^Why/ }).click();
      await page.getByRole("heading", { name: "Why this answer" }).waitFor();
      await page.getByRole("heading", { name: "How it was understood" }).waitFor();
      assert.match(await page.locator(".said").innerText(), /whistle/);
      assert.match(
        await page.locator(".plan").first().innerText(),
        /does not state it: kettle-hobbrook-k70/,
      );
    });
  });

  test("the trace of an answer is shown from the question to the checked sentences", async () => {
    await onPage(
      async (page) => {
        await open(page, "Answers");
        await page.getByRole("link", { name: /^Why: Which quiet kettle/ }).click();
        await page.getByRole("heading", { name: "Time" }).waitFor();
        const text = await page.locator(".trace").innerText();
        assert.match(text, /Budget\s+60\.00 USD/);
        assert.match(text, /Kind of product\s+kettle/);
        assert.match(text, /kettle-hobbrook-k70/);
        assert.match(text, /What it wrote/);
        assert.match(text, /Its hash|its hash is/);
        assert.deepEqual(await findings(page), []);
        await screenshot(page, "admin-trace");
        // Words of a shopper are words, whatever they hold.
        const hostile =
          'a kettle <img src="x" onerror="alert(1)"><a href="javascript:alert(2)">x</a>';
        const { id } = await ask(hostile);
        await page.goto(`/admin#answers/${id}`);
        await page.locator(".said").filter({ hasText: "onerror" }).waitFor();
        assert.equal(await page.locator(".said").innerText(), hostile);
        assert.equal(await page.locator("main img").count(), 0);
        await open(page, "Answers");
        await page.getByRole("row").filter({ hasText: "onerror" }).waitFor();
        assert.match(
          await page.getByRole("table", { name: "What shoppers did after answers" }).innerText(),
          /Put into the cart/,
        );
        await page.goto("/admin#answers/a_none");
        await page.getByText("No trace of this answer is kept.").waitFor();
      },
      { expected: kRefused },
    );
  });

  test("an entry of the FAQ is written, changed and deleted, by keyboard alone", async () => {
    await onPage(
      async (page) => {
        await open(page, "FAQ");
        await page.getByRole("link", { name: "New entry" }).focus();
        await page.keyboard.press("Enter");
        await page.getByLabel("Questions").fill("Do you ship to Iceland?\nShipping to Iceland?");
        await page.keyboard.press("Tab");
        await page.keyboard.type("Yes, within 10 days.");
        await page.getByLabel("Valid until").fill("2099-12-24");
        await page.keyboard.press("Enter");
        const entry = page.locator('[data-entry="do-you-ship-to-iceland"]');
        assert.match(
          await entry.innerText(),
          /Do you ship to Iceland\?[^]*In use[^]*Yes, within 10 days/,
        );
        assert.match((await ask("Do you ship to Iceland?")).text, /within 10 days/);
        // The same once more is refused with what to do.
        await page.goto("/admin#faq/new/Do%20you%20ship%20to%20Iceland%3F");
        await page.getByLabel("Answer").fill("No.");
        await page.getByRole("button", { name: "Save" }).click();
        await page.getByRole("alert").filter({ hasText: "already" }).waitFor();
        await open(page, "FAQ");
        await entry.getByRole("link").focus();
        await page.keyboard.press("Enter");
        await page.getByLabel("Valid until").waitFor();
        assert.equal(await page.getByLabel("Valid until").inputValue(), "2099-12-24");
        await page.getByLabel("Answer").fill("Yes, within a week.");
        await page.getByRole("button", { name: "Save" }).press("Enter");
        await entry.getByText("within a week").waitFor();
        await entry.getByRole("link").click();
        await page.getByRole("button", { name: "Delete" }).press("Enter");
        await page.getByRole("dialog").getByRole("button", { name: "Go back" }).press("Enter");
        await page.getByRole("button", { name: "Delete" }).press("Enter");
        assert.deepEqual(await findings(page), []);
        await page.getByRole("dialog").getByRole("button", { name: "Delete" }).press("Enter");
        await page.getByText("The FAQ has no entry yet.").waitFor();
      },
      { expected: kRefused },
    );
  });

  test("charts draw what the service does", async () => {
    await onPage(async (page) => {
      await open(page, "Load");
      const answers = page.getByRole("img", { name: /^Answers a minute: answers / });
      await answers.waitFor();
      const highest = async () =>
        Number((await answers.getAttribute("aria-label")).match(/([\d,.]+)$/)[1].replace(",", ""));
      for (let tries = 0; tries < 20 && (await highest()) === 0; ++tries) {
        await ask(`a kettle under ${30 + tries} dollars`);
        await page.waitForTimeout(300);
      }
      assert.ok((await highest()) > 0);
      assert.match(await answers.locator("path").getAttribute("d"), /^M[\d.]+ [\d.]+/);
      await screenshot(page, "admin-load-busy");
    });
  });

  test("another shop is chosen, and the keyboard reaches all", async () => {
    await shop.run("shop", "create", "tools");
    await onPage(async (page) => {
      await page.getByLabel("Shop", { exact: true }).selectOption("tools");
      await open(page, "Imports");
      await page.getByText("There are no imports yet.").waitFor();
      await page.reload();
      await page.getByText("There are no imports yet.").waitFor();
      assert.equal(await page.getByLabel("Shop", { exact: true }).inputValue(), "tools");
      await page.keyboard.press("Tab");
      assert.equal(await page.evaluate(() => document.activeElement.className), "skip");
      await page.keyboard.press("Enter");
      assert.equal(await page.evaluate(() => document.activeElement.id), "main");
      await page.getByRole("link", { name: "Answers" }).focus();
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: "Answers", level: 1 }).waitFor();
      assert.equal(await page.evaluate(() => document.activeElement.id), "main");
    });
  });
});
