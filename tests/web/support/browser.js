// A real browser for the page tests. It records everything that must not happen on a page.

import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { fileURLToPath } from "node:url";

const kChromium = process.env.EMPTOR_CHROMIUM ?? "/usr/bin/chromium";
const kScreenshots =
  process.env.EMPTOR_SCREENSHOTS ??
  fileURLToPath(new URL("../../../build/screenshots/", import.meta.url));
const kArguments = [
  "--headless=new",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

export const kPhone = { width: 390, height: 844, touch: true };
export const kSmallPhone = { width: 360, height: 640, touch: true };
export const kDesk = { width: 1280, height: 800, touch: false };

let chromium = null;
try {
  ({ chromium } = await import("playwright-core"));
} catch {
  // Reported by whyNoBrowser.
}

/// Why there is no browser to test with, or false.
export function whyNoBrowser() {
  if (chromium === null) return "playwright-core is not installed: npm install in tests/web";
  return existsSync(kChromium)
    ? false
    : `${kChromium} is not installed (EMPTOR_CHROMIUM names another)`;
}

export function openBrowser() {
  return chromium.launch({ executablePath: kChromium, headless: true, args: kArguments });
}

/// A page of a fresh context. `problems` collects console errors, exceptions, violations of the
/// content policy and requests to another origin; a test ends by expecting it to be empty.
/// `expected` is a pattern of console errors that the test provokes on purpose; `others` are
/// origins that the page may ask as well.
export async function openPage(
  browser,
  { origin, size = kPhone, scheme = "light", locale = "en-US", expected = null, others = [] },
) {
  const context = await browser.newContext({
    baseURL: origin,
    locale,
    colorScheme: scheme,
    hasTouch: size.touch,
    isMobile: size.touch,
    viewport: { width: size.width, height: size.height },
    deviceScaleFactor: size.touch ? 2 : 1,
    reducedMotion: "reduce",
  });
  const page = await context.newPage();
  page.setDefaultTimeout(30000);
  const problems = [];
  page.on("console", (message) => {
    const text = `${message.text()} ${message.location().url}`;
    if (message.type() === "error" && !expected?.test(text)) problems.push(`console: ${text}`);
  });
  page.on("pageerror", (error) => problems.push(`exception: ${error.message}`));
  page.on("dialog", (dialog) => {
    problems.push(`dialog: ${dialog.message()}`);
    dialog.dismiss();
  });
  page.on("request", (request) => {
    const isKnown = [origin, ...others].some((known) => request.url().startsWith(`${known}/`));
    if (!isKnown) problems.push(`request: ${request.url()}`);
  });
  await page.exposeFunction("reportViolation", (text) => problems.push(`policy: ${text}`));
  await page.addInitScript(() => {
    addEventListener("securitypolicyviolation", (event) =>
      globalThis.reportViolation(`${event.violatedDirective} ${event.blockedURI}`),
    );
  });
  return { page, context, problems };
}

export async function ask(page, question) {
  await page.getByRole("textbox").fill(question);
  await page.getByRole("textbox").press("Enter");
}

/// The last turn, once its status is `status`.
export async function lastTurn(page, status = "done", timeout = 60000) {
  const turn = page.locator(".turn").last();
  await page.locator(`.turn:last-child[data-status="${status}"]`).waitFor({ timeout });
  return turn;
}

/// True when nothing makes the page wider than the window. A phone's browser widens its window to
/// what the page needs, so the screen is what counts.
export function fitsWidth(page) {
  return page.evaluate(
    () => document.documentElement.scrollWidth <= Math.min(innerWidth, screen.width),
  );
}

/// The visible controls that are smaller than `least` pixels either way, citations `leastCite`, each
/// as "class width x height". Links inside a sentence and those that a whole card stands for are
/// left out.
export function smallControls(page, { least, leastCite = least }) {
  return page
    .locator("button:visible, summary:visible, a:visible:not(.answer-text a):not(.card-link)")
    .evaluateAll(
      (nodes, limits) =>
        nodes
          .map((node) => ({ name: node.className, box: node.getBoundingClientRect() }))
          .filter(({ name, box }) => {
            const limit = name === "cite" ? limits.leastCite : limits.least;
            return Math.min(box.width, box.height) < limit - 0.1;
          })
          .map(({ name, box }) => `${name} ${box.width} x ${box.height}`),
      { least, leastCite },
    );
}

export async function screenshot(page, name) {
  await mkdir(kScreenshots, { recursive: true });
  await page.screenshot({ path: `${kScreenshots}/${name}.png` });
}
