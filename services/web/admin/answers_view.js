// Answers: the latest ones, what shoppers thought of them and did after them, and why one is as it is.
import { el, textButton } from "../dom.js";
import { shopPath } from "./admin_client.js";
import { formatAgo, formatCount, plainAnswer } from "./format.js";
import {
  badge,
  emptyNote,
  errorNote,
  facts,
  pageSection,
  panel,
  repeat,
  replaceContent,
  table,
} from "./parts.js";
import { traceView } from "./trace_view.js";

const kSteps = { model: "language model", code: "code", mixed: "model and code" };
const kFewAnswers = 15;
const kManyAnswers = 200;
const kPlainId = /^[\w.:-]{1,64}$/;

function whyLink({ answer_id: id, has_trace: has, question }) {
  if (!has) return "–";
  return el("a", { href: `#answers/${id}`, "aria-label": `Why: ${question ?? id}` }, "Why");
}

const kAnswerColumns = [
  {
    name: "Question",
    cell: ({ question, answer_id: id, text }) =>
      [
        el("span", { class: "strong" }, question ?? id),
        text ? el("span", { class: "quiet cell-note clipped" }, plainAnswer(text)) : null,
      ].filter(Boolean),
  },
  { name: "When", kind: "time", cell: ({ asked_at: time }) => formatAgo(time) },
  { name: "Written by", cell: ({ answer_step: step }) => kSteps[step] ?? "–" },
  { name: "Trace", cell: whyLink },
];

const kFeedbackColumns = [
  {
    name: "Rating",
    cell: ({ rating, reason }) =>
      [
        badge(rating === "up" ? "Helpful" : "Not helpful", rating === "up" ? "good" : "bad"),
        reason ? el("span", { class: "cell-note" }, reason.replaceAll("_", " ")) : null,
      ].filter(Boolean),
  },
  { name: "Comment", cell: ({ comment }) => comment || "–" },
  { name: "Question", cell: ({ question, answer_id: id }) => question ?? id },
  { name: "When", kind: "time", cell: ({ created_at: time }) => formatAgo(time) },
  { name: "Trace", cell: whyLink },
];

const kEvents = [
  ["view", "Products seen"],
  ["click", "Products opened"],
  ["add_to_cart", "Put into the cart"],
];
const kEventColumns = [
  { name: "What shoppers did", cell: ([, label]) => label },
  ...[
    ["model", "After the model's answers"],
    ["mixed", "After answers by model and code"],
    ["code", "After those of code"],
    ["none", "After no answer"],
  ].map(([by, name]) => ({
    name,
    kind: "number",
    cell: ([event, , events]) => formatCount(events[event]?.[by] ?? 0),
  })),
];

/** Answers, ratings, and what came after answers, by who wrote them. */
function activityView({ answers = 0, ratings = {}, events = {} }) {
  const rows = kEvents.map(([event, label]) => [event, label, events]);
  return [
    facts(
      [
        ["Answers", formatCount(answers)],
        ["Helpful", formatCount(ratings.up ?? 0)],
        ["Not helpful", formatCount(ratings.down ?? 0)],
      ],
      "counts",
    ),
    table("What shoppers did after answers", kEventColumns, rows),
  ];
}

function noTraces() {
  return el(
    "p",
    { class: "note" },
    "No traces are kept, so no answer can be explained. The setting ",
    el("code", {}, "trace_megabytes"),
    " (16, for example) keeps the latest ones. They hold the words of shoppers.",
  );
}

function findForm() {
  const field = el("input", {
    class: "text-field",
    id: "answer-id",
    name: "id",
    autocomplete: "off",
    spellcheck: "false",
  });
  const form = el(
    "form",
    { class: "inline-form" },
    el(
      "label",
      { for: "answer-id" },
      "Id of an answer (in the log, or under “Details for developers” of the chat page)",
    ),
    el(
      "div",
      { class: "inline-fields" },
      field,
      el("button", { class: "button-quiet" }, "Explain"),
    ),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const id = field.value.trim();
    if (kPlainId.test(id)) location.hash = `#answers/${id}`;
  });
  return form;
}

function showList({ client, shop, signal }) {
  const parts = { activity: el("div", {}), answers: el("div", {}), feedback: el("div", {}) };
  const notes = el("div", {});
  let shown = "";
  let limit = kFewAnswers;
  const moreButton = textButton("Show more answers", () => {
    limit = kManyAnswers;
    refresh();
  });
  const refresh = async () => {
    try {
      const [activity, answers, { feedback }] = await Promise.all([
        client.get(shopPath(shop, "activity"), signal),
        client.get(shopPath(shop, "answers", { limit }), signal),
        client.get(shopPath(shop, "feedback", { limit: 50 }), signal),
      ]);
      const state = JSON.stringify([activity, answers, feedback]);
      if (state === shown) return;
      shown = state;
      replaceContent(notes, answers.keeps_traces ? null : noTraces());
      replaceContent(parts.activity, activityView(activity));
      replaceContent(
        parts.answers,
        answers.answers.length === 0
          ? emptyNote("No question was asked since the shop was opened.")
          : table("Latest answers", kAnswerColumns, answers.answers),
        answers.answers.length === kFewAnswers ? moreButton : null,
      );
      replaceContent(
        parts.feedback,
        feedback.length === 0
          ? emptyNote("No answer was rated yet.", "Shoppers rate answers by the thumbs under them.")
          : table("Ratings", kFeedbackColumns, feedback),
      );
    } catch (error) {
      if (signal.aborted) return;
      shown = "";
      replaceContent(notes, errorNote(error));
    }
  };
  repeat(signal, 5000, refresh);
  return pageSection(
    "Answers",
    "What the assistant said, what shoppers thought of it, and why.",
    notes,
    panel("Since the shop was opened", parts.activity),
    panel("Latest answers", parts.answers, findForm()),
    panel("Ratings", parts.feedback),
  );
}

function showTrace({ client, shop, signal }, id) {
  const content = el(
    "div",
    { "aria-busy": "true" },
    el("p", { class: "quiet" }, "Loading the trace …"),
  );
  client
    .get(shopPath(shop, "trace", { answer_id: id }), signal)
    .then((trace) => replaceContent(content, traceView(trace)))
    .catch((error) => {
      if (signal.aborted) return;
      replaceContent(
        content,
        error.status === 404
          ? emptyNote(
              "No trace of this answer is kept.",
              "Traces are kept where the setting ",
              el("code", {}, "trace_megabytes"),
              " is above 0, until their conversation ends or is erased.",
            )
          : errorNote(error),
      );
    })
    .finally(() => content.removeAttribute("aria-busy"));
  return pageSection(
    "Why this answer",
    "From the question to the text, step by step.",
    el("p", {}, el("a", { href: "#answers" }, "All answers")),
    content,
  );
}

export function showAnswers(context) {
  const id = context.rest[0] ?? "";
  return kPlainId.test(id) ? showTrace(context, id) : showList(context);
}
