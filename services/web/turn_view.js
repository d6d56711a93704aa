// Shows one turn: the question, its products as soon as they are known, and the growing answer.

import { productShelf } from "./cards.js";
import { el, icon, spoken } from "./dom.js";
import { filterChips } from "./filters.js";
import { MarkdownView } from "./markdown_view.js";
import { isOpen } from "./turn.js";

/// Where the answer comes from, of one that the shop's staff wrote. A private method more, and
/// Chromium 156 no longer finds the last one of the class.
function origin({ fromFaq, text }, strings) {
  if (!fromFaq || text === "") return null;
  return el("p", { class: "origin" }, strings.t("fromFaq"));
}

/// Made once for a turn; update() after every change of it. `handlers` has
/// retry(), ask(text) and search(part, rest): the same question with `filters[part]` set to `rest`.
export class TurnView {
  #turn;
  #strings;
  #handlers;
  #parts;
  #markdown;
  #shownProducts = null;
  #shownTail = "";
  #shownConditions = "";
  #lendsFocus = false;

  constructor(turn, strings, handlers) {
    this.#turn = turn;
    this.#strings = strings;
    this.#handlers = handlers;
    this.#parts = {
      question: el(
        "h2",
        { class: "question", dir: "auto", tabindex: -1 },
        spoken(`${strings.t("youAsked")} `),
        turn.question,
      ),
      conditions: el("div", { class: "conditions" }),
      shelf: el("div", { class: "turn-shelf" }),
      text: el("div", { class: "answer-text" }),
      waiting: el("p", { class: "waiting" }),
      tail: el("div", { class: "answer-tail" }),
      end: el("div", { class: "turn-end" }),
    };
    this.element = el(
      "article",
      { class: "turn", "aria-label": turn.question },
      this.#parts.question,
      this.#parts.conditions,
      this.#parts.shelf,
      el(
        "div",
        { class: "answer" },
        spoken(strings.t("answer")),
        this.#parts.text,
        this.#parts.waiting,
        this.#parts.tail,
      ),
      this.#parts.end,
    );
    this.#markdown = new MarkdownView(this.#parts.text, (n) => this.#citation(n));
    this.update({ isLast: true });
  }

  /// Where the turn's content ends; the turn itself may be taller.
  get end() {
    return this.#parts.end;
  }

  /// Updates the view. Only the last turn shows suggestions and the retry button.
  update({ isLast }) {
    const turn = this.#turn;
    this.element.dataset.status = turn.status;
    this.#updateConditions(isLast);
    this.#updateShelf();
    const version = turn.citations.length + turn.products.length;
    this.#markdown.update(turn.text, { streaming: isOpen(turn), version });
    this.#updateWaiting();
    const tail = isOpen(turn) ? `open ${JSON.stringify(turn.table)}` : `${turn.status} ${isLast}`;
    if (tail === this.#shownTail) return;
    this.#shownTail = tail;
    this.#parts.tail.replaceChildren(...this.#tail(isLast).filter((node) => node !== null));
  }

  #updateShelf() {
    if (this.#turn.products === this.#shownProducts) return;
    this.#shownProducts = this.#turn.products;
    const shelf = [];
    if (this.#shownProducts.length > 0) {
      const options = { idPrefix: this.#turn.key, strings: this.#strings };
      shelf.push(productShelf(this.#shownProducts, options));
    }
    this.#parts.shelf.replaceChildren(...shelf);
  }

  /// The conditions that the products meet, each with a button that searches without it; and the
  /// wishes that they do not meet, because no product met all.
  #updateConditions(isLast) {
    const { filters, explanation } = this.#turn;
    const canRemove = isLast && !isOpen(this.#turn);
    const shown = JSON.stringify([filters, explanation, canRemove]);
    if (shown === this.#shownConditions) return;
    this.#shownConditions = shown;
    const { conditions } = this.#parts;
    // While the search runs, its question has the focus of the chip that started it.
    const { activeElement } = document;
    const hadFocus =
      conditions.contains(activeElement) ||
      (this.#lendsFocus && activeElement === this.#parts.question);
    const chips = filterChips(filters, this.#strings).map((chip) => this.#chip(chip, canRemove));
    const label = this.#strings.t("conditions");
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
    this.#lendsFocus = next === null;
    (next ?? this.#parts.question).focus({ preventScroll: true });
  }

  #chip({ part, text, rest }, canRemove) {
    const words = el("span", { dir: "auto" }, text);
    if (!canRemove) return el("li", {}, el("span", { class: "chip" }, words));
    const label = this.#strings.t("removeCondition", { value: text });
    const button = el(
      "button",
      { type: "button", class: "chip", "aria-label": label, title: label },
      words,
      icon("close"),
    );
    button.addEventListener("click", () => this.#handlers.search(part, rest));
    return el("li", {}, button);
  }

  #updateWaiting() {
    const { waiting } = this.#parts;
    const text = this.#turn.products.length === 0 ? "searching" : "reading";
    waiting.hidden = !isOpen(this.#turn) || this.#turn.text !== "";
    const shown = waiting.hidden ? "" : this.#strings.t(text);
    if (waiting.textContent !== shown) waiting.textContent = shown;
  }

  /// What is below the text, from top to bottom.
  #tail(isLast) {
    if (isOpen(this.#turn)) return [this.#table()];
    return [
      this.#uncited(),
      this.#table(),
      origin(this.#turn, this.#strings),
      this.#sources(),
      this.#notice(isLast),
      this.#timings(),
      isLast ? this.#suggestions() : null,
    ];
  }

  #title(n) {
    return this.#turn.products.find((product) => product.n === n)?.title ?? "";
  }

  /// The small number of a source: links to its card, or to its quote under the answer.
  #citation(n) {
    const title = this.#title(n);
    const label = this.#strings.t("source", { n }) + (title ? `: ${title}` : "");
    const chip = el(
      "button",
      { type: "button", class: "cite", "aria-label": label, title: label },
      String(n),
    );
    chip.addEventListener("click", () => this.#showSource(n));
    return chip;
  }

  #showSource(n) {
    const card = document.getElementById(`${this.#turn.key}-${n}`);
    const list = this.#parts.tail.querySelector(".sources");
    const item = list?.querySelector(`[data-source="${n}"]`);
    if (card === null && list) list.open = true;
    const target = card ?? item;
    if (!target) return;
    target.scrollIntoView({ block: "nearest", inline: "center" });
    target.focus({ preventScroll: true });
    target.classList.remove("is-shown");
    requestAnimationFrame(() => target.classList.add("is-shown"));
  }

  /// Sources that are cited, but not in the text.
  #uncited() {
    const missing = this.#turn.citations.filter(({ n }) => !this.#markdown.cited.has(n));
    if (missing.length === 0 || this.#turn.text === "") return null;
    return el("p", { class: "uncited" }, ...missing.map(({ n }) => this.#citation(n)));
  }

  #sources() {
    const quoted = this.#turn.citations.filter(
      ({ n, quotes }) => quotes.length > 0 || this.#title(n),
    );
    if (!quoted.some(({ quotes }) => quotes.length > 0)) return null;
    const items = quoted.map(({ n, quotes }) =>
      el(
        "li",
        { "data-source": n, tabindex: -1 },
        el("span", { class: "source-number", "aria-hidden": "true" }, String(n)),
        el(
          "span",
          { class: "source-words" },
          this.#title(n)
            ? el("span", { class: "source-title", dir: "auto" }, this.#title(n))
            : null,
          ...quotes.map((quote) => el("q", { dir: "auto" }, quote)),
        ),
      ),
    );
    return el(
      "details",
      { class: "sources" },
      el(
        "summary",
        {},
        this.#strings.t("sources"),
        " ",
        el("span", { class: "count" }, String(quoted.length)),
      ),
      el("ol", {}, ...items),
    );
  }

  #table() {
    const { table } = this.#turn;
    if (table === null) return null;
    const head = table.columns.map((cell) => el("th", { scope: "col", dir: "auto" }, cell));
    const rows = table.rows.map(([name, ...cells]) =>
      el(
        "tr",
        {},
        el("th", { scope: "row", dir: "auto" }, name),
        ...cells.map((cell) => el("td", { dir: "auto" }, cell)),
      ),
    );
    const label = this.#strings.t("comparison");
    return el(
      "div",
      { class: "table-frame", role: "region", "aria-label": label, tabindex: 0 },
      el("table", {}, el("thead", {}, el("tr", {}, ...head)), el("tbody", {}, ...rows)),
    );
  }

  /// The message for an answer that did not end well.
  noticeText() {
    const { status, error, text } = this.#turn;
    if (status === "stopped" || status === "interrupted") return this.#strings.t(status);
    if (status === "done") return text === "" ? this.#strings.t("noAnswer") : "";
    if (status !== "failed") return "";
    return this.#strings.t(`error${error.kind[0].toUpperCase()}${error.kind.slice(1)}`);
  }

  #notice(isLast) {
    const text = this.noticeText();
    if (text === "") return null;
    const { status, error } = this.#turn;
    const reference = error?.requestId
      ? el(
          "span",
          { class: "notice-reference" },
          this.#strings.t("errorReference", { id: error.requestId }),
        )
      : null;
    const retry = el(
      "button",
      { type: "button", class: "button-quiet" },
      this.#strings.t("tryAgain"),
    );
    retry.addEventListener("click", () => this.#handlers.retry());
    const canRetry = isLast && (error?.retryable ?? true);
    return el(
      "div",
      { class: `notice notice-${status}` },
      el("p", {}, text, reference),
      canRetry ? retry : null,
    );
  }

  #timings() {
    const { firstTextMs, totalMs, server } = this.#turn.timings;
    if (firstTextMs === null || totalMs === null) return null;
    const show = (ms) => this.#strings.t("seconds", { value: this.#seconds(ms) });
    const steps = Object.entries(server).map(([step, ms]) => `${step} ${Math.round(ms)} ms`);
    const facts = [this.#origin(), ...this.#grounded(), steps.join(" · ")].filter(Boolean);
    const words = [
      `${this.#strings.t("firstWords", { time: show(firstTextMs) })} · `,
      this.#strings.t("inAll", { time: show(totalMs) }),
    ];
    if (facts.length === 0) return el("p", { class: "timings" }, ...words);
    return el(
      "details",
      { class: "timings" },
      el("summary", {}, ...words),
      el("ul", { role: "list" }, ...facts.map((fact) => el("li", { dir: "auto" }, fact))),
    );
  }

  /// Who wrote the answer, for the merchant.
  #origin() {
    const { answerStep } = this.#turn;
    if (answerStep === "model") return this.#strings.t("stepModel");
    if (answerStep === "mixed") return this.#strings.t("stepMixed");
    return answerStep === "code" ? this.#strings.t("stepCode") : "";
  }

  /// How many facts and sentences stand on records.
  #grounded() {
    const { references = 0, kept = 0, replaced = 0, dropped = 0 } = this.#turn.grounded;
    const texts = [];
    if (references > 0) texts.push(this.#strings.t("groundedFacts", { count: references }));
    if (kept + replaced + dropped > 0) {
      texts.push(this.#strings.t("groundedSentences", { kept, replaced, dropped }));
    }
    return texts;
  }

  #seconds(ms) {
    const digits = ms < 1000 ? 2 : 1;
    return new Intl.NumberFormat(this.#strings.locale, {
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
    }).format(ms / 1000);
  }

  #suggestions() {
    return questionList(this.#turn.suggestions, this.#strings.t("suggestions"), (text) =>
      this.#handlers.ask(text),
    );
  }
}

/// Questions as buttons; null when there are none.
export function questionList(questions, label, ask) {
  if (questions.length === 0) return null;
  const buttons = questions.map((question) => {
    const button = el(
      "button",
      { type: "button", class: "suggestion", dir: "auto" },
      el("span", {}, question),
      icon("next"),
    );
    button.addEventListener("click", () => ask(question));
    return el("li", {}, button);
  });
  return el("ul", { class: "suggestions", "aria-label": label, role: "list" }, ...buttons);
}
