// The chat page against scripted streams: awkward chunks, failures, keys and roles.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  ask,
  fitsWidth,
  kDesk,
  kPhone,
  lastTurn,
  screenshot,
  whyNoBrowser,
} from "../support/browser.js";
import { useChatPage } from "../support/chat_page.js";
import { encode, kettleAnswer, kKettles, kWords } from "../support/sample.js";

/// A promise and the function that resolves it.
function makeGate() {
  let open;
  const opened = new Promise((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

describe("chat page", { skip: whyNoBrowser() }, () => {
  const { onPage, shop } = useChatPage();

  test("a stream cut into single bytes, with comments and CRLF, reads the same", async () => {
    shop.double.answer = function* bytes() {
      const wire = Buffer.from(encode(kettleAnswer()).join(": ping\n\n").replaceAll("\n", "\r\n"));
      for (const byte of wire) yield Buffer.of(byte);
    };
    await onPage({}, async (page) => {
      await ask(page, "Which kettle?");
      const turn = await lastTurn(page);
      assert.equal(await turn.locator(".card").count(), kKettles.length);
      assert.match(await turn.innerText(), /山本 電気ケトル/);
      assert.match(await turn.locator(".answer-text").innerText(), /Both hold enough for six cups/);
    });
  });

  test("cards are shown before the first word, and the page says that it is at work", async () => {
    const gate = makeGate();
    shop.double.answer = async function* held() {
      const events = encode(kettleAnswer());
      yield* events.slice(0, 2);
      await gate.opened;
      yield* events.slice(2);
    };
    await onPage({}, async (page) => {
      await ask(page, "Which kettle?");
      await page.locator(".card").first().waitFor();
      assert.equal(await page.locator(".answer-text").innerText(), "");
      const log = page.getByRole("log");
      assert.equal(await log.getAttribute("aria-live"), "off", "its sentences are read out");
      assert.equal(await log.getAttribute("aria-busy"), "true");
      assert.equal(await page.getByRole("status").innerText(), "5 products found");
      gate.open();
      await lastTurn(page);
      assert.equal(await log.getAttribute("aria-busy"), "false");
      assert.equal(await page.getByRole("status").innerText(), "Answer complete");
    });
  });

  test("Stop ends the stream and keeps what was read; Escape does too", async () => {
    for (const stop of [
      (page) => page.getByRole("button", { name: "Stop" }).click(),
      (page) => page.keyboard.press("Escape"),
    ]) {
      const left = makeGate();
      shop.double.answer = async function* endless() {
        try {
          yield* encode(kettleAnswer()).slice(0, 12);
          await new Promise(() => {});
        } finally {
          left.open();
        }
      };
      await onPage({ size: kDesk }, async (page) => {
        await ask(page, "Which kettle?");
        await page.locator(".answer-text strong").waitFor();
        await stop(page);
        const turn = await lastTurn(page, "stopped");
        assert.match(await turn.locator(".answer-text").innerText(), /Torvane Glide/);
        assert.equal(await turn.locator(".notice p").innerText(), "Stopped");
        assert.ok(await page.getByRole("button", { name: "Send" }).isVisible());
      });
    }
  });

  test("a broken stream resumes from its last event when asked to", async () => {
    shop.double.answer = (body, headers) => {
      const events = encode(kettleAnswer());
      const from = Number(headers["last-event-id"] ?? 0);
      return from === 0 ? events.slice(0, 9) : events.slice(from);
    };
    await onPage({}, async (page) => {
      await ask(page, "Which kettle?");
      const turn = await lastTurn(page, "failed");
      assert.match(await turn.locator(".notice").innerText(), /broke off/);
      await screenshot(page, "double-390-light-7-broken");
      await turn.getByRole("button", { name: "Try again" }).click();
      await lastTurn(page);
      assert.equal(shop.double.asked[1].headers["last-event-id"], "9");
      assert.equal(shop.double.asked[1].body.message, "Which kettle?");
      const text = await turn.locator(".answer-text").textContent();
      assert.equal(text.match(/quietest one under/g).length, 1, "nothing twice");
      assert.equal(await page.locator(".turn").count(), 1);
    });
  });

  test("a service that cannot resume answers from the start, and nothing is shown twice", async () => {
    let calls = 0;
    shop.double.answer = () => encode(kettleAnswer()).slice(0, ++calls === 1 ? 9 : undefined);
    await onPage({}, async (page) => {
      await ask(page, "Which kettle?");
      const turn = await lastTurn(page, "failed");
      await turn.getByRole("button", { name: "Try again" }).click();
      await lastTurn(page);
      const text = await turn.locator(".answer-text").textContent();
      assert.equal(text.match(/quietest one under/g).length, 1);
    });
  });

  const kFailures = [
    [
      "an error event",
      () =>
        encode([
          ["start", {}],
          ["error", { code: "deadline_exceeded", message: "internal words", retryable: true }],
        ]),
      /took too long/,
      true,
    ],
    [
      "an error for good",
      () =>
        encode([
          ["start", {}],
          ["error", { code: "invalid_argument", message: "m", retryable: false }],
        ]),
      /could not take/,
      false,
    ],
    [
      "a busy service",
      () => ({ status: 429, code: "rate", message: "m" }),
      /busy.*\s*.*r-77/,
      true,
    ],
    [
      "a refusal",
      () => ({ status: 400, code: "invalid_argument", message: "m" }),
      /could not take/,
      false,
    ],
    ["a fault", () => ({ status: 500, code: "internal", message: "m" }), /on our side/, true],
    ["data that is not JSON", () => ["event: delta\ndata: {oops\n\n"], /broke off/, true],
    ["an empty stream", () => [], /broke off/, true],
    [
      "no words at all",
      () =>
        encode([
          ["start", {}],
          ["done", {}],
        ]),
      /no answer/,
      true,
    ],
  ];

  test("every failure is said plainly, with a way on where there is one", async () => {
    await onPage({ size: kDesk, expected: /status of (429|400|500)/ }, async (page) => {
      for (const [name, answer, words, canRetry] of kFailures) {
        shop.double.answer = answer;
        await ask(page, name);
        const notice = page.locator(".turn").last().locator(".notice");
        await notice.waitFor();
        assert.match(await notice.innerText(), words, name);
        assert.doesNotMatch(await notice.innerText(), /internal words/);
        assert.equal(await notice.getByRole("button").count(), canRetry ? 1 : 0, name);
      }
      assert.equal(
        await page.getByRole("button", { name: "Try again" }).count(),
        1,
        "on the last only",
      );
      await screenshot(page, "double-1280-light-7-failures");
    });
  });

  test("without a connection the page says so, and asks again once it is back", async () => {
    await onPage({ expected: /ERR_INTERNET_DISCONNECTED/ }, async (page) => {
      await page.context().setOffline(true);
      await ask(page, "Which kettle?");
      const turn = await lastTurn(page, "failed");
      assert.match(await turn.locator(".notice").innerText(), /no connection/);
      await page.context().setOffline(false);
      await turn.getByRole("button", { name: "Try again" }).click();
      await lastTurn(page);
    });
  });

  test("a page left in the middle of an answer offers to take it up again", async () => {
    shop.double.answer = async function* endless() {
      yield* encode(kettleAnswer()).slice(0, 12);
      await new Promise(() => {});
    };
    await onPage({}, async (page) => {
      await ask(page, "Which kettle?");
      await page.locator(".answer-text strong").waitFor();
      await page.reload();
      const turn = await lastTurn(page, "interrupted");
      assert.equal(await turn.locator(".card").count(), kKettles.length);
      shop.double.answer = () => encode(kettleAnswer());
      await turn.getByRole("button", { name: "Try again" }).click();
      await lastTurn(page);
      assert.equal(shop.double.asked.at(-1).headers["last-event-id"], "12");
    });
  });

  test("Enter asks, Shift+Enter breaks the line, a second question replaces the first", async () => {
    const gate = makeGate();
    shop.double.answer = async function* held(body) {
      yield* encode(kettleAnswer()).slice(0, 6);
      if (body.message === "one\ntwo") await gate.opened;
      yield* encode(kettleAnswer()).slice(6);
    };
    await onPage({ size: kDesk }, async (page) => {
      const field = page.getByRole("textbox");
      assert.ok(await field.evaluate((node) => node === document.activeElement), "ready to type");
      await page.keyboard.press("Enter");
      assert.equal(await page.locator(".turn").count(), 0, "nothing to ask");
      await page.keyboard.type("one");
      await page.keyboard.press("Shift+Enter");
      await page.keyboard.type("two");
      await page.keyboard.press("Enter");
      await page.locator(".answer-text p").waitFor();
      await page.keyboard.type("three");
      await page.keyboard.press("Enter");
      await lastTurn(page);
      gate.open();
      const statuses = await page
        .locator(".turn")
        .evaluateAll((turns) => turns.map((turn) => turn.dataset.status));
      assert.deepEqual(statuses, ["stopped", "done"]);
      assert.deepEqual(
        shop.double.asked.map(({ body }) => [body.message, body.conversation_id]),
        [
          ["one\ntwo", undefined],
          ["three", "c-1"],
        ],
      );
      assert.equal(
        await page.locator(".turn .suggestion").count(),
        2,
        "under the last answer only",
      );
    });
  });

  test("every control has a name and takes the focus ring by keyboard", async () => {
    await onPage({ size: kDesk }, async (page) => {
      await ask(page, "Which kettle?");
      await lastTurn(page);
      const nameless = await page
        .locator("button:visible, a:visible, textarea")
        .evaluateAll((nodes) =>
          nodes
            .filter((node) => !node.textContent.trim() && !node.ariaLabel && !node.labels?.length)
            .map((node) => node.outerHTML),
        );
      assert.deepEqual(nameless, []);
      const small = await page
        .locator("button:visible:not(.cite)")
        .evaluateAll((nodes) =>
          nodes
            .filter((node) => Math.min(node.offsetWidth, node.offsetHeight) < 40)
            .map((n) => n.className),
        );
      assert.deepEqual(small, [], "large enough for a finger");
    });
  });

  test("speaks Chinese to a Chinese browser", async () => {
    await onPage({ size: kPhone, locale: "zh-CN" }, async (page) => {
      await page.getByText("想找点什么？").waitFor();
      assert.equal(await page.locator("html").getAttribute("lang"), "zh-CN");
      await ask(page, "静音电热水壶");
      const turn = await lastTurn(page);
      assert.match(await turn.locator(".card").first().textContent(), /US\$49\.99.*有货/);
      assert.equal(shop.double.asked[0].body.locale, "zh-CN");
    });
  });

  /// The kettles as the answer to a question with conditions; those that the request names hold.
  function answerWithConditions(body) {
    const filters = {
      price: { max: 6000, currency: "USD" },
      brands: ["Torvane", "Hobbrook"],
      not_colors: ["red"],
      min_rating: 4,
      ranges: [{ attribute: "capacity", unit: "l", min: 1.5 }],
      ...body.filters,
    };
    const [[name, data], ...rest] = kettleAnswer();
    const explanation = "Nothing meets every condition. Left out: store Berlin.";
    return encode([[name, { ...data, filters, explanation }], ...rest]);
  }

  test("each condition is a chip, and one click searches without it", async () => {
    shop.double.answer = answerWithConditions;
    await onPage({ size: kDesk }, async (page) => {
      await ask(page, "A quiet kettle under $60");
      let turn = await lastTurn(page);
      const chips = () => turn.locator(".chip").allInnerTexts();
      assert.deepEqual(await chips(), [
        "Up to $60",
        "Torvane",
        "Hobbrook",
        "Not Red",
        "4 stars and up",
        "capacity ≥ 1.5 l",
      ]);
      await screenshot(page, "double-1280-light-9-conditions");
      await turn.getByRole("button", { name: "Search without “Hobbrook”" }).click();
      turn = await lastTurn(page);
      assert.deepEqual(shop.double.asked.at(-1).body.filters, { brands: ["Torvane"] });
      assert.equal(shop.double.asked.at(-1).body.message, "A quiet kettle under $60");
      assert.equal(shop.double.asked.at(-1).headers["last-event-id"], undefined);
      await turn.getByRole("button", { name: "Search without “Up to $60”" }).click();
      turn = await lastTurn(page);
      assert.deepEqual(shop.double.asked.at(-1).body.filters, { brands: ["Torvane"], price: null });
      assert.deepEqual(await chips(), ["Torvane", "Not Red", "4 stars and up", "capacity ≥ 1.5 l"]);
      assert.equal(await page.locator(".turn").count(), 1, "in the place of the answer before");
      assert.ok(
        await page.evaluate(() => document.activeElement.matches(".conditions button")),
        "the keyboard goes on where it was",
      );
      await ask(page, "And in glass?");
      await page.locator(".turn").nth(1).locator(".answer-text p").first().waitFor();
      assert.equal(await page.locator(".turn").first().locator("button.chip").count(), 0);
    });
  });

  test("wishes that nothing met are said above the products, on a phone as well", async () => {
    shop.double.answer = answerWithConditions;
    for (const scheme of ["light", "dark"]) {
      await onPage({ size: kPhone, scheme }, async (page) => {
        await ask(page, "A quiet kettle under $60 in Berlin");
        const turn = await lastTurn(page);
        const words = "Nothing meets every condition. Left out: store Berlin.";
        assert.equal(await turn.locator(".relaxed").innerText(), words);
        assert.ok(await fitsWidth(page));
        await screenshot(page, `double-390-${scheme}-9-conditions`);
      });
    }
  });

  test("holds in a page that runs from right to left", async () => {
    await onPage({}, async (page) => {
      await page.evaluate(() => {
        document.documentElement.dir = "rtl";
      });
      await ask(page, "ما هي الغلاية الهادئة؟");
      await lastTurn(page);
      assert.ok(await fitsWidth(page));
      await screenshot(page, "double-390-light-8-rtl");
    });
  });

  test("a product that the address names is asked about until it is put away", async () => {
    await onPage({ path: "/?product=K20" }, async (page) => {
      await page.getByText("Asking about").waitFor();
      await page.getByText("Is it in stock?").click();
      await lastTurn(page);
      await page.getByRole("button", { name: "Stop asking about this product" }).click();
      await ask(page, "and others?");
      await lastTurn(page);
      assert.deepEqual(
        shop.double.asked.map(({ body }) => body.page),
        [{ product_id: "K20" }, undefined],
      );
      assert.equal(new URL(page.url()).search, "");
    });
  });

  test("text grows without moving the question, and long answers offer the way down", async () => {
    const gate = makeGate();
    shop.double.answer = async function* long() {
      const events = encode(kettleAnswer());
      yield* events.slice(0, 2);
      yield* encode(Array(60).fill(["delta", { text: `${kWords.slice(0, 9).join("")}\n\n` }]));
      await gate.opened;
      yield* events.slice(-1);
    };
    await onPage({}, async (page) => {
      await ask(page, "Which kettle?");
      await page.locator(".answer-text p").nth(50).waitFor({ state: "attached" });
      await page.locator("#jump").waitFor();
      assert.ok(await page.locator(".question").isVisible());
      assert.ok(
        (await page.locator(".question").boundingBox()).y < 140,
        "the question stays on top",
      );
      await page.locator("#jump").click();
      await page.locator("#jump").waitFor({ state: "hidden" });
      gate.open();
      await lastTurn(page);
    });
  });
});
