// What shoppers asked and the shop had no answer to, and groups of questions for the FAQ.
import { el } from "../dom.js";
import { shopPath } from "./admin_client.js";
import { formatAgo, formatCount, formatPlural } from "./format.js";
import {
  badge,
  emptyNote,
  errorNote,
  pageSection,
  panel,
  repeat,
  replaceContent,
  table,
} from "./parts.js";

const kKinds = {
  nothing_found: ["Nothing found", "No product fits. Are the words of shoppers in the catalog?"],
  not_sold: ["Not sold", "The shop has nothing of the kind."],
  no_page: ["No page says it", "About the shop: an entry of the FAQ would answer it."],
  empty_search: ["Empty search", "The search box found no product, and no filter was set."],
  not_stated: ["Not in the record", "The product's record does not say it."],
};

function traceLink(row) {
  if (!row.has_trace) return "–";
  return el(
    "a",
    { href: `#answers/${row.answer_id}`, "aria-label": `Why: ${row.question}` },
    "Why",
  );
}

function faqLink(question) {
  return el(
    "a",
    {
      href: `#faq/new/${encodeURIComponent(question)}`,
      "aria-label": `Answer in the FAQ: ${question}`,
    },
    "Answer in the FAQ",
  );
}

const kColumns = [
  { name: "Question", cell: ({ question }) => question },
  { name: "Asked", cell: ({ count }) => `${formatCount(count)}×`, kind: "number" },
  {
    name: "What was missing",
    cell: ({ kind, product_id: product }) => {
      const [name, meaning] = kKinds[kind] ?? [kind, ""];
      return [
        badge(name),
        el(
          "span",
          { class: "quiet cell-note" },
          product ? `The record of ${product} does not say it.` : meaning,
        ),
      ];
    },
  },
  { name: "Last asked", kind: "time", cell: ({ last_asked: time }) => formatAgo(time) },
  {
    name: "What to do",
    cell: (row) => [row.kind === "no_page" ? faqLink(row.question) : traceLink(row)],
  },
];

function suggestionItem(group) {
  const [first, ...others] = group.examples;
  const nearest = group.nearest ? `Nearest entry: “${group.nearest.question}”` : "No entry is near";
  return el(
    "li",
    { class: "card-row" },
    el(
      "div",
      { class: "card-head" },
      el("h3", {}, first),
      badge(`${formatPlural(group.count, "question")}`),
    ),
    others.length > 0
      ? el(
          "ul",
          { class: "examples" },
          others.map((text) => el("li", {}, text)),
        )
      : null,
    el("p", { class: "quiet" }, `${nearest}; last asked ${formatAgo(group.last_asked)}.`),
    el("div", { class: "actions" }, faqLink(first)),
  );
}

/** Groups of questions about the shop, from traces; where none are kept, how to keep them. */
async function showSuggestions({ client, shop, signal }, into) {
  try {
    const found = await client.get(shopPath(shop, "faq-suggestions", { limit: 20 }), signal);
    const groups = found.suggestions ?? [];
    replaceContent(
      into,
      groups.length === 0
        ? emptyNote(
            "No question about the shop is open.",
            "Every one in the traces is answered by the FAQ or a page.",
          )
        : el("ul", { class: "cards" }, groups.map(suggestionItem)),
    );
  } catch (error) {
    if (signal.aborted) return;
    replaceContent(
      into,
      error.status === 404
        ? emptyNote(
            "No traces are kept.",
            "With the setting ",
            el("code", {}, "trace_megabytes"),
            " above 0 the service groups similar questions about the shop here.",
          )
        : errorNote(error),
    );
  }
}

export function showQuestions(context) {
  const { client, shop, signal } = context;
  const list = el("div", {});
  const groups = el("div", {});
  let shown = "";
  const refresh = async () => {
    try {
      const { questions } = await client.get(shopPath(shop, "unanswered", { limit: 200 }), signal);
      const state = JSON.stringify(questions);
      if (state === shown) return;
      shown = state;
      replaceContent(
        list,
        questions.length === 0
          ? emptyNote(
              "No question without an answer is noted.",
              "Questions are noted here since the shop was opened.",
            )
          : table("Questions without an answer", kColumns, questions),
      );
    } catch (error) {
      if (signal.aborted) return;
      shown = "";
      replaceContent(list, errorNote(error, refresh));
    }
  };
  repeat(signal, 5000, refresh);
  showSuggestions(context, groups);
  return pageSection(
    "Open questions",
    "What shoppers asked and got no answer to. E-mail addresses and long numbers are replaced.",
    panel("Without an answer", list),
    panel(
      "Entries that the FAQ could have",
      el("p", { class: "quiet" }, "Questions about the shop that no entry answers. A page may."),
      groups,
    ),
  );
}
