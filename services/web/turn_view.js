// Shows one turn: the question, its products as soon as they are known, and the growing answer.
//
// A view is a plain object that the functions of this module work on.

import {
  actions,
  comparison,
  contact,
  developerDetails,
  mark,
  notice,
  sources,
  titleOf,
  copyText,
} from "./answer_tail.js";
import { productShelf } from "./cards.js";
import { el, icon, iconButton, spoken, textButton } from "./dom.js";
import { filterChips } from "./filters.js";
import { MarkdownView } from "./markdown_view.js";
import { isOpen } from "./turn.js";

/// Made once for a turn; update() after every change of it. `ui` is what all views share: strings,
/// service, preferences, root, host, say(text), productHref(product). `handlers` has retry(),
/// again(), edit(text), ask(text), rated(), and search(part, rest): the same question with
/// `filters[part]` set to `rest`. Returns {element, text, end, hasText, update}; `text` holds the words
/// of the answer, `end` is where the turn's content ends: the turn itself may be taller.
export function makeTurnView(turn, ui, handlers) {
  const { strings } = ui;
  const parts = {
    question: el("h2", { class: "question", dir: "auto", tabindex: -1 }),
    asked: el("div", { class: "asked" }),
    conditions: el("div", { class: "conditions" }),
    shelf: el("div", { class: "turn-shelf" }),
    text: el("div", { class: "answer-text" }),
    waiting: el("p", { class: "waiting" }),
    tail: el("div", { class: "answer-tail" }),
    end: el("div", { class: "turn-end" }),
  };
  const element = el(
    "article",
    { class: "turn" },
    parts.asked,
    parts.conditions,
    parts.shelf,
    el(
      "div",
      { class: "answer" },
      spoken(strings.t("answer")),
      parts.text,
      parts.waiting,
      parts.tail,
    ),
    parts.end,
  );
  const view = { turn, ui, handlers, parts, element, shown: {}, lendsFocus: false };
  view.markdown = new MarkdownView(parts.text, {
    origin: ui.service.origin,
    makeCitation: (n) => citation(view, n),
    makeHref: (id) => hrefOf(view, id),
  });
  update(view, { isLast: true });
  return {
    element,
    text: parts.text,
    end: parts.end,
    hasText: () => parts.text.firstChild !== null,
    update: (state) => update(view, state),
  };
}

/// Only the last turn shows suggestions and the retry button.
function update(view, { isLast }) {
  const { turn, parts } = view;
  view.element.dataset.status = turn.status;
  view.element.setAttribute("aria-label", turn.question);
  view.element.setAttribute("aria-busy", String(isOpen(turn)));
  updateQuestion(view);
  updateConditions(view, isLast);
  updateShelf(view);
  const version = turn.citations.length + turn.products.length;
  view.markdown.update(turn.text, { streaming: isOpen(turn), version });
  updateWaiting(view);
  const { developer } = view.ui.preferences;
  const state = isOpen(turn)
    ? `open ${JSON.stringify(turn.table)}`
    : `${turn.status} ${isLast} ${developer} ${turn.answerId}`;
  if (state === view.shown.tail) return;
  view.shown.tail = state;
  parts.tail.replaceChildren(...tail(view, isLast).filter((node) => node !== null));
}

/// What is below the text, from top to bottom.
function tail(view, isLast) {
  const { turn, ui, handlers } = view;
  if (isOpen(turn)) return [turn.table === null ? null : comparison(turn, ui)];
  return [
    uncited(view),
    comparison(turn, ui),
    contact(turn, ui),
    notice(turn, ui, { isLast, onRetry: handlers.retry }),
    mark(turn, ui),
    sources(turn, ui),
    actions(turn, ui, { isLast, onAgain: handlers.again, onRated: handlers.rated }),
    developerDetails(turn, ui),
    isLast ? questionList(turn.suggestions, ui.strings.t("suggestions"), handlers.ask) : null,
  ];
}

// ---- The question

function updateQuestion(view) {
  const { turn, ui, parts } = view;
  const { strings } = ui;
  if (view.shown.question === turn.question) return;
  view.shown.question = turn.question;
  // With a direction of its own the label does not set that of the question.
  const label = el(
    "span",
    { class: "spoken", dir: strings.direction },
    `${strings.t("youAsked")} `,
  );
  parts.question.replaceChildren(label, turn.question);
  const copy = iconButton("copy", strings.t("copyQuestion"), () =>
    copyText(turn.question, copy, ui),
  );
  const edit = iconButton("edit", strings.t("editQuestion"), () => editQuestion(view));
  parts.asked.replaceChildren(parts.question, el("div", { class: "asked-actions" }, copy, edit));
}

/// Puts the question into a field; sending it replaces the answer and what came after it.
function editQuestion(view) {
  const { turn, ui, parts } = view;
  const { strings } = ui;
  const field = el("textarea", {
    class: "text-field",
    rows: 2,
    maxlength: 2000,
    "aria-label": strings.t("editLabel"),
    dir: "auto",
  });
  field.value = turn.question;
  const close = () => {
    view.shown.question = null;
    updateQuestion(view);
    parts.question.focus({ preventScroll: true });
  };
  const send = () => {
    const words = field.value.trim();
    close();
    if (words !== "") view.handlers.edit(words);
  };
  const form = el(
    "form",
    { class: "edit-form" },
    field,
    el(
      "div",
      { class: "form-actions" },
      textButton(strings.t("cancel"), close),
      el("button", { type: "submit", class: "button" }, strings.t("send")),
    ),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    send();
  });
  form.addEventListener("keydown", (event) => {
    if (event.isComposing || event.keyCode === 229) return;
    if (event.key === "Enter" && !event.shiftKey && event.target === field) {
      event.preventDefault();
      send();
    }
    if (event.key === "Escape") {
      event.stopPropagation();
      close();
    }
  });
  parts.asked.replaceChildren(form);
  field.focus();
}

// ---- Products and conditions

function updateShelf(view) {
  const { turn, ui, parts } = view;
  if (turn.products === view.shown.products) return;
  view.shown.products = turn.products;
  const isShown = turn.products.length > 0;
  parts.shelf.replaceChildren(
    ...(isShown ? [productShelf(turn.products, { idPrefix: turn.key, ui })] : []),
  );
}

/// The conditions that the products meet, each with a button that searches without it; and the
/// wishes that they do not meet, because no product met all.
function updateConditions(view, isLast) {
  const { turn, ui } = view;
  const { filters, explanation } = turn;
  const canRemove = isLast && !isOpen(turn);
  const shown = JSON.stringify([filters, explanation, canRemove]);
  if (shown === view.shown.conditions) return;
  view.shown.conditions = shown;
  const { conditions, question } = view.parts;
  // While the search runs, its question has the focus of the chip that started it.
  const { activeElement } = ui.root;
  const hadFocus =
    conditions.contains(activeElement) || (view.lendsFocus && activeElement === question);
  const chips = filterChips(filters, ui.strings).map((each) => chip(view, each, canRemove));
  const label = ui.strings.t("conditions");
  conditions.replaceChildren(
    ...[
      explanation === "" ? null : el("p", { class: "relaxed", dir: "auto" }, explanation),
      chips.length === 0
        ? null
        : el("ul", { class: "chips", role: "list", "aria-label": label }, ...chips),
    ].filter((node) => node !== null),
  );
  if (!hadFocus) return;
  const next = conditions.querySelector("button");
  view.lendsFocus = next === null;
  (next ?? question).focus({ preventScroll: true });
}

function chip({ ui, handlers }, { part, text, rest }, canRemove) {
  const words = el("span", { dir: "auto" }, text);
  if (!canRemove) return el("li", {}, el("span", { class: "chip" }, words));
  const label = ui.strings.t("removeCondition", { value: text });
  const attributes = { class: "chip", "aria-label": label, title: label };
  const button = textButton(words, () => handlers.search(part, rest), attributes);
  button.append(icon("close"));
  return el("li", {}, button);
}

function updateWaiting({ turn, ui, parts: { waiting } }) {
  const key = turn.products.length === 0 ? "searching" : "reading";
  waiting.hidden = !isOpen(turn) || turn.text !== "";
  const shown = waiting.hidden ? "" : ui.strings.t(key);
  if (waiting.textContent !== shown) waiting.textContent = shown;
}

// ---- Sources

/// Where a link to a product leads: of a product of this answer its page, else the page of its id.
function hrefOf({ turn, ui }, id) {
  const product = turn.products.find((each) => each.id === id);
  return product === undefined ? ui.service.productUrl(id) : ui.productHref(product);
}

/// The small number of a source: links to its card, or to its quote under the answer.
function citation(view, n) {
  const title = titleOf(view.turn, n);
  const label = view.ui.strings.t("source", { n }) + (title ? `: ${title}` : "");
  const attributes = { class: "cite", "aria-label": label, title: label };
  const number = el("span", { class: "cite-number" }, String(n));
  return textButton(number, () => showSource(view, n), attributes);
}

function showSource({ turn, ui, parts }, n) {
  const card = ui.root.getElementById(`${turn.key}-${n}`);
  const list = parts.tail.querySelector(".sources");
  const item = list?.querySelector(`[data-source="${n}"]`);
  if (card === null && list) list.open = true;
  const target = card ?? item;
  if (!target) return;
  const frame = card?.closest(".card") ?? target;
  frame.scrollIntoView({ block: "nearest", inline: "center" });
  target.focus({ preventScroll: true });
  frame.classList.remove("is-shown");
  requestAnimationFrame(() => frame.classList.add("is-shown"));
}

/// Sources that are cited, but not in the text.
function uncited(view) {
  const { turn } = view;
  const missing = turn.citations.filter(({ n }) => !view.markdown.cited.has(n));
  if (missing.length === 0 || turn.text === "") return null;
  return el("p", { class: "uncited" }, ...missing.map(({ n }) => citation(view, n)));
}

/// Questions as buttons; null when there are none. `dir` is "auto" for words of the service, null
/// for those of the page.
export function questionList(questions, label, ask, dir = "auto") {
  if (questions.length === 0) return null;
  const items = questions.map((question) => {
    const attributes = { class: "suggestion", dir };
    const button = textButton(el("span", {}, question), () => ask(question), attributes);
    button.append(icon("next"));
    return el("li", {}, button);
  });
  return el("ul", { class: "suggestions", "aria-label": label, role: "list" }, ...items);
}
