// "Why this answer": a trace as an operator reads it, in the order in which the answer came about.
import { el, svg } from "../dom.js";
import { decimalText } from "../money.js";
import { formatCount, formatSeconds, plainAnswer, plainName } from "./format.js";
import { badge, facts, panel, stateBadge, table } from "./parts.js";

const kSteps = {
  model: "by the language model, from the records",
  code: "by code, from the records",
  mixed: "partly by the language model, partly by code",
};
const kVerdicts = {
  kept: ["Shown", "good"],
  replaced: ["Written again by code", "busy"],
  dropped: ["Left out", "bad"],
};
const kPlan = {
  recommend: "Recommend",
  state: "State",
  affirm: "Say yes",
  deny: "Say no",
  not_stated: "Say that the record does not state it",
  best: "Name the best",
  total: "Give the sum",
  compare: "Compare",
  other: "State a fact",
};

/** An amount in minor units: "60.00 USD". */
function moneyText(amount, currency = "") {
  return `${decimalText({ amount: Number(amount), currency })} ${currency}`.trim();
}

/** A filter in words: "at most 60.00 USD, Kitchen > Kettles". */
export function filterText(filter) {
  if (!filter) return "";
  const money = (amount) => moneyText(amount, filter.currency);
  const known = new Set(["currency", "min_price", "max_price", "locale"]);
  const parts = [];
  if (filter.max_price) parts.push(`at most ${money(filter.max_price)}`);
  if (filter.min_price) parts.push(`at least ${money(filter.min_price)}`);
  for (const [name, value] of Object.entries(filter)) {
    if (known.has(name)) continue;
    parts.push(
      name === "categories" ? value.join(" or ") : `${plainName(name)}: ${valueText(value)}`,
    );
  }
  return parts.join(", ");
}

function valueText(value) {
  if (Array.isArray(value)) return value.map(valueText).join(", ");
  if (value === true) return "yes";
  if (typeof value !== "object" || value === null) return String(value);
  const { name, values, ...others } = value;
  const rest = Object.entries(others).map(([key, each]) => `${plainName(key)} ${valueText(each)}`);
  return [name, (values ?? []).join(" or "), ...rest].filter(Boolean).join(" ");
}

/** A statement of the plan: "Recommend kettle-k70, with noise level". */
export function planText(statement, hits) {
  const idOf = (n) => hits.find((hit) => hit.n === n)?.id ?? `source ${n}`;
  const sources = statement.source ? [idOf(statement.source)] : (statement.sources ?? []).map(idOf);
  const keys = [statement.key, ...(statement.keys ?? [])].filter(Boolean).map(plainName);
  const verb = kPlan[statement.kind] ?? plainName(statement.kind);
  const about = sources.length > 0 ? `: ${sources.join(", ")}` : "";
  const rank =
    statement.kind === "best" ? (statement.is_least ? " (the least)" : " (the most)") : "";
  return `${verb}${about}${keys.length > 0 ? `, ${keys.join(", ")}` : ""}${rank}`;
}

function questionPanel(trace) {
  return panel(
    "Question and answer",
    el("blockquote", { class: "said" }, trace.request?.message ?? ""),
    el(
      "p",
      { class: "answer-shown" },
      trace.text ? plainAnswer(trace.text) : "No answer was shown.",
    ),
    facts([
      ["Written", kSteps[trace.answer_step] ?? trace.answer_step],
      [
        "When",
        trace.now_unix ? new Date(Number(trace.now_unix) * 1000).toLocaleString("en") : null,
      ],
      ["On the page of", trace.request?.page_product_id],
      ["Filters of the shopper", filterText(trace.request?.filter)],
      ["Broke off", trace.error],
      ["Answer", trace.id],
      ["Request", trace.request_id],
    ]),
  );
}

function readingPanel(trace) {
  const reading = trace.reading ?? {};
  const money = reading.budget_amount
    ? moneyText(reading.budget_amount, reading.budget_currency)
    : null;
  const rank = reading.rank_key
    ? `${plainName(reading.rank_key)}, ${reading.rank_is_least ? "least" : "most"} first`
    : null;
  return panel(
    "How it was understood",
    facts([
      ["Wants", (reading.intents ?? []).map(plainName).join(", ")],
      ["Language", reading.language],
      ["Kind of product", reading.type?.name],
      ["Conditions", filterText(reading.filter)],
      ["Budget", money],
      ["Wishes", (reading.wishes ?? []).map(valueText).join("; ")],
      ["Asks for", (reading.keys_asked ?? []).join(", ")],
      ["Ranked by", rank],
      ["Means products", (reading.referenced_products ?? []).join(", ")],
      ["Goes on about the question before", reading.follows_up ? "yes" : null],
      ["Compares", reading.compares ? "yes" : null],
      ["About the shop", reading.asks_policy ? reading.policy_question : null],
      ["Not sold here", reading.not_sold],
      ["Contradicts itself", reading.contradicts ? "yes" : null],
      ["Small talk, handed over or refused", reading.desk ? plainName(reading.desk) : null],
    ]),
  );
}

const kHitColumns = [
  { name: "No.", cell: ({ n }) => formatCount(n), kind: "number" },
  { name: "Record", cell: ({ id, kind }) => [el("code", {}, id), " ", badge(kind)] },
  { name: "Score", cell: ({ score }) => (score ?? 0).toFixed(3), kind: "number" },
  { name: "Why", cell: ({ why, passage_id: passage }) => why || passage || "–" },
];

function searchPanel(trace) {
  const queries = (trace.queries ?? []).map((query) =>
    facts([
      ["Searched for", query.text || "–"],
      ["With conditions", filterText(query.asked)],
      ["Given up, as nothing met them", (query.relaxed ?? []).map(plainName).join(", ")],
      ["Conditions that were met", query.relaxed ? filterText(query.applied) : null],
    ]),
  );
  const hits = trace.hits ?? [];
  return panel(
    "What was found",
    queries,
    hits.length > 0
      ? table("Records that were found", kHitColumns, hits)
      : el("p", { class: "quiet" }, "No record was found."),
  );
}

function planPanel(trace) {
  const plan = trace.plan ?? [];
  if (plan.length === 0) return null;
  return panel(
    "Plan of the answer",
    el(
      "ol",
      { class: "plan" },
      plan.map((each) => el("li", {}, planText(each, trace.hits ?? []))),
    ),
  );
}

const kVerdictColumns = [
  { name: "Sentence", cell: ({ sentence }) => plainAnswer(sentence ?? "") },
  {
    name: "Result",
    cell: ({ verdict }) => stateBadge(kVerdicts, verdict),
  },
  {
    name: "Because",
    cell: ({ reason, claim, claims }) =>
      reason
        ? `The records do not support “${claim ?? ""}” (${plainName(reason)}).`
        : (claims ?? [])
            .map(({ source, key }) => `${source} states ${plainName(key)}`)
            .join("; ") || "It states nothing of a record",
  },
];

function modelPanel(trace) {
  const model = trace.model;
  if (!model) return panel("Language model", el("p", {}, "The service has none."));
  const was = model.was_asked === true;
  return panel(
    "Language model",
    facts([
      ["Model", model.name],
      ["Was asked", was ? "yes" : "no: code answers such questions"],
      [
        "Tokens",
        was
          ? `${formatCount(model.prompt_tokens ?? 0)} read, ${formatCount(model.completion_tokens ?? 0)} written`
          : null,
      ],
      ["Ended", model.finish_reason ? plainName(model.finish_reason) : null],
      ["Error", model.error],
      ["Prompt", trace.prompt_hash ? ["its hash is ", el("code", {}, trace.prompt_hash)] : null],
    ]),
    model.text ? el("h3", {}, "What it wrote") : null,
    model.text ? el("pre", { class: "text", tabindex: "0" }, model.text) : null,
  );
}

function claimsPanel(trace) {
  const verdicts = trace.verdicts ?? [];
  const drops = trace.drops ?? [];
  if (verdicts.length + drops.length === 0) return null;
  return panel(
    "Claims that were checked",
    verdicts.length > 0 ? table("Sentences of the model", kVerdictColumns, verdicts) : null,
    drops.length > 0
      ? el(
          "p",
          { class: "quiet" },
          "Left out of the text: ",
          drops.map(({ rule, count }) => `${plainName(rule)} (${formatCount(count)})`).join(", "),
          ".",
        )
      : null,
  );
}

const kTimings = [
  ["understand", "Understanding"],
  ["retrieve", "Searching"],
  ["queue", "Waiting for the model"],
  ["generate", "Writing"],
];

function timingBar(label, value, total) {
  const bar = svg(
    "svg",
    { class: "bar-line", viewBox: "0 0 100 8", preserveAspectRatio: "none", "aria-hidden": "true" },
    svg("rect", { class: "bar-ground", width: 100, height: 8 }),
    svg("rect", {
      class: "bar-part",
      width: (Math.min(1, value / total) * 100).toFixed(2),
      height: 8,
    }),
  );
  const time = el("span", { class: "number" }, formatSeconds(value / 1000));
  return el("li", {}, el("span", {}, label), bar, time);
}

function timingsPanel(trace) {
  const timings = trace.timings ?? {};
  const total = timings.total ?? 0;
  if (!(total > 0)) return null;
  const parts = kTimings.map(([name, label]) => [label, timings[name] ?? 0]);
  const rest = total - parts.reduce((sum, [, value]) => sum + value, 0);
  if (rest > 0) parts.push(["The rest: plan, prompt, checks", rest]);
  return panel(
    "Time",
    el(
      "ul",
      { class: "bars" },
      parts.map(([label, value]) => timingBar(label, value, total)),
    ),
    facts([
      ["First words of the model", timings.ttft ? formatSeconds(timings.ttft / 1000) : null],
      ["In all", formatSeconds(total / 1000)],
    ]),
  );
}

function statePanel(trace) {
  const whole = (title, value) =>
    value === undefined
      ? null
      : el(
          "details",
          {},
          el("summary", {}, title),
          el("pre", { class: "text", tabindex: "0" }, JSON.stringify(value, null, 1)),
        );
  const before = trace.before ?? [];
  return panel(
    "State of the conversation",
    before.length === 0
      ? el("p", {}, "It was the first question of its conversation.")
      : el(
          "ol",
          { class: "plan" },
          before.map(({ question }) => el("li", {}, question)),
        ),
    whole("What the conversation remembered before", trace.before),
    whole("What it remembers after", trace.after),
    whole("The whole trace", trace),
  );
}

export function traceView(trace) {
  return el(
    "div",
    { class: "trace" },
    questionPanel(trace),
    readingPanel(trace),
    searchPanel(trace),
    planPanel(trace),
    modelPanel(trace),
    claimsPanel(trace),
    timingsPanel(trace),
    statePanel(trace),
  );
}
