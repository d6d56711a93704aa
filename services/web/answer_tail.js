// What is below the words of an answer: comparison, origin, sources, notices, actions, and details
// for developers.

import { compareTable, kMaxCompared, openComparison } from "./compare_view.js";
import { el, icon, iconButton, textButton } from "./dom.js";
import { feedbackParts } from "./feedback_view.js";
import { plainText } from "./plain_text.js";

/// Rows of attributes in the comparison under an answer; its window has them all.
const kShortTable = 6;

const kMarks = { model: "markModel", mixed: "markMixed", code: "markCode" };

/// The comparison of the service, or that of the records where the question asks for one.
export function comparison(turn, ui) {
  if (turn.table !== null) return givenTable(turn.table, ui);
  if (!turn.isComparison || turn.products.length < 2) return null;
  const products = turn.products.slice(0, kMaxCompared);
  return compareTable(products, ui, { onlyDifferences: true, limit: kShortTable });
}

function givenTable(table, { strings }) {
  const head = table.columns.map((cell) =>
    cell === "" ? el("td") : el("th", { scope: "col", dir: "auto" }, cell),
  );
  const rows = table.rows.map(([name, ...cells]) =>
    el(
      "tr",
      {},
      el("th", { scope: "row", dir: "auto" }, name),
      ...cells.map((cell) => el("td", { dir: "auto" }, cell)),
    ),
  );
  return el(
    "div",
    { class: "table-frame", role: "group", "aria-label": strings.t("comparison"), tabindex: 0 },
    el("table", {}, el("thead", {}, el("tr", {}, ...head)), el("tbody", {}, ...rows)),
  );
}

/// Where the shop's staff are reached.
export function contact({ handoff }, { strings }) {
  if (handoff === null) return null;
  const { title, text, link } = handoff;
  return el(
    "section",
    { class: "contact", role: "group", "aria-label": strings.t("contact") },
    el("p", { class: "contact-title", dir: "auto" }, title || strings.t("contact")),
    text ? el("p", { dir: "auto" }, text) : null,
    link
      ? el(
          "a",
          { class: "button-quiet", href: link, target: "_blank", rel: "noopener" },
          strings.t("contactOpen"),
          icon("external"),
        )
      : null,
  );
}

/// Who phrased the answer, said to everybody. What the shop's staff wrote is theirs.
export function mark({ answerStep, fromFaq, text, status }, { strings }) {
  if (text === "" || status !== "done") return null;
  const key = fromFaq ? "fromFaq" : kMarks[answerStep];
  if (key === undefined) return null;
  return el("p", { class: "origin" }, icon("mark"), strings.t(key));
}

export function titleOf(turn, n) {
  return turn.products.find((product) => product.n === n)?.title ?? "";
}

/// The quotes that the answer stands on, closed at first.
export function sources(turn, { strings }) {
  const quoted = turn.citations.filter(({ n, quotes }) => quotes.length > 0 || titleOf(turn, n));
  if (!quoted.some(({ quotes }) => quotes.length > 0)) return null;
  const items = quoted.map(({ n, quotes }) => {
    const title = titleOf(turn, n);
    return el(
      "li",
      { "data-source": n, tabindex: -1 },
      el("span", { class: "source-number", "aria-hidden": "true" }, String(n)),
      el(
        "span",
        { class: "source-words" },
        title ? el("span", { class: "source-title", dir: "auto" }, title) : null,
        ...quotes.map((quote) => el("q", { dir: "auto" }, quote)),
      ),
    );
  });
  const count = el("span", { class: "count" }, String(quoted.length));
  return el(
    "details",
    { class: "sources" },
    el("summary", {}, strings.t("sources"), " ", count),
    el("ol", {}, ...items),
  );
}

/// The message for an answer that did not end well, "" for one that did.
export function noticeText({ status, error, text }, { strings }) {
  if (status === "stopped" || status === "interrupted") return strings.t(status);
  if (status === "done") return text === "" ? strings.t("noAnswer") : "";
  if (status !== "failed") return "";
  return strings.t(`error${error.kind[0].toUpperCase()}${error.kind.slice(1)}`);
}

export function notice(turn, ui, { isLast, onRetry }) {
  const text = noticeText(turn, ui);
  if (text === "") return null;
  const { status, error } = turn;
  const id = error?.requestId;
  const reference = id
    ? el("span", { class: "notice-reference" }, ui.strings.t("errorReference", { id }))
    : null;
  const canRetry = isLast && (error?.retryable ?? true);
  return el(
    "div",
    { class: `notice notice-${status}` },
    el("p", {}, text, reference),
    canRetry ? textButton(ui.strings.t("tryAgain"), onRetry) : null,
  );
}

/// Copy, compare, answer again, and the reader's verdict.
export function actions(turn, ui, { isLast, onAgain, onRated }) {
  if (turn.text === "") return null;
  const { strings } = ui;
  const copy = iconButton("copy", strings.t("copyAnswer"), () =>
    copyText(plainText(turn.text, { origin: ui.service.origin }), copy, ui),
  );
  const compared = turn.products.slice(0, kMaxCompared);
  const compare = textButton("", () => openComparison(compared, ui), { class: "button-quiet" });
  compare.append(icon("compare"), strings.t("compare"));
  const feedback =
    turn.status === "done" ? feedbackParts(turn, ui, onRated) : { buttons: [], panel: null };
  return el(
    "div",
    { class: "actions-holder" },
    el(
      "div",
      { class: "actions" },
      copy,
      isLast ? iconButton("again", strings.t("regenerate"), onAgain) : null,
      ...feedback.buttons,
      compared.length > 1 ? compare : null,
    ),
    feedback.panel,
  );
}

/// Puts `text` on the clipboard and shows so on the button. Without a secure connection the browser
/// has no clipboard interface; then the old command copies from a field.
export async function copyText(text, button, ui) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const field = el("textarea", { class: "spoken", readonly: true, "aria-hidden": "true" });
    field.value = text;
    button.after(field);
    field.select();
    document.execCommand("copy");
    field.remove();
    button.focus();
  }
  ui.say(ui.strings.t("copied"));
  const before = [...button.childNodes];
  button.replaceChildren(icon("check"));
  setTimeout(() => button.replaceChildren(...before), 1500);
}

/// How long the answer took and what it stands on, for those who switched it on.
export function developerDetails(turn, { strings, preferences }) {
  const { firstTextMs, totalMs, server } = turn.timings;
  if (!preferences.developer || firstTextMs === null || totalMs === null) return null;
  const show = (ms) => strings.t("seconds", { value: seconds(ms, strings) });
  const steps = Object.entries(server).map(([step, ms]) => `${step} ${Math.round(ms)} ms`);
  const facts = [...grounded(turn, strings), steps.join(" · "), turn.answerId].filter(Boolean);
  const words = [
    `${strings.t("firstWords", { time: show(firstTextMs) })} · `,
    strings.t("inAll", { time: show(totalMs) }),
  ];
  return el(
    "details",
    { class: "timings" },
    el("summary", {}, ...words),
    el("ul", { role: "list" }, ...facts.map((fact) => el("li", { dir: "auto" }, fact))),
  );
}

/// How many facts and sentences stand on records.
function grounded(turn, strings) {
  const { references = 0, kept = 0, replaced = 0, dropped = 0 } = turn.grounded;
  const texts = [];
  if (references > 0) texts.push(strings.t("groundedFacts", { count: references }));
  if (kept + replaced + dropped > 0) {
    texts.push(strings.t("groundedSentences", { kept, replaced, dropped }));
  }
  return texts;
}

function seconds(ms, { locale }) {
  const digits = ms < 1000 ? 2 : 1;
  return new Intl.NumberFormat(locale, {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(ms / 1000);
}
