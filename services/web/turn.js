// One question and its answer as plain data: what the page shows, keeps and restores. No DOM here.

import { failureKind } from "./assist_client.js";
import { readProduct } from "./product_record.js";
import { safeWebUrl } from "./safe_url.js";

/// Who wrote an answer: a model, a model and the records, the records alone.
const kAnswerSteps = ["model", "mixed", "code"];

/// The intent of a question that asks for two or more products side by side.
const kComparison = "PRODUCT_COMPARISON";

/// `edits` is what the shopper changed in the filters of the question.
/// Statuses: "waiting" (asked), "streaming", "done", "stopped" (by the shopper), "failed" (error is
/// set), "interrupted" (the page was left in the middle).
export function makeTurn(question, { productId = null, key = "" } = {}) {
  return {
    key,
    question,
    productId,
    status: "waiting",
    lastEventId: "",
    error: null,
    edits: {},
    ...emptyAnswer(),
  };
}

function emptyAnswer() {
  return {
    products: [],
    filters: {},
    explanation: "",
    answerId: "",
    isComparison: false,
    handoff: null,
    rating: "",
    fromFaq: false,
    text: "",
    citations: [],
    table: null,
    suggestions: [],
    timings: { productsMs: null, firstTextMs: null, totalMs: null, server: {} },
    answerStep: "",
    grounded: {},
  };
}

export function isOpen(turn) {
  return turn.status === "waiting" || turn.status === "streaming";
}

/// Makes the turn ready to be asked again. What has arrived stays until the service restarts the
/// answer.
export function reopenTurn(turn) {
  turn.status = "waiting";
  turn.error = null;
}

/// Makes the turn ready to be answered again, with `question` in the place of the old one.
export function restartTurn(turn, question = turn.question) {
  if (question !== turn.question) turn.edits = {};
  turn.question = question;
  turn.lastEventId = "";
  reopenTurn(turn);
}

/// Makes the turn ready to be asked again with other conditions: `filters[part]` of the request is
/// `rest` from now on and overrides the question.
export function editFilter(turn, part, rest) {
  turn.edits = { ...turn.edits, [part]: rest };
  turn.lastEventId = "";
  reopenTurn(turn);
}

/// A turn that the service kept: `answer` is the assistant's message of a conversation.
export function restoredTurn(question, answer, { key, base }) {
  const turn = makeTurn(question, { key });
  const context = { elapsedMs: null, base };
  kHandlers.products(turn, { items: answer.products }, context);
  for (const citation of Array.isArray(answer.citations) ? answer.citations : []) {
    if (isObject(citation)) kHandlers.citation(turn, citation);
  }
  turn.answerId = typeof answer.id === "string" ? answer.id : "";
  turn.text = typeof answer.text === "string" ? answer.text : "";
  turn.rating = ["up", "down"].includes(answer.feedback?.rating) ? answer.feedback.rating : "";
  kHandlers.done(turn, answer, context);
  return turn;
}

/// Adds one event of the stream to the turn; returns the conversation id when `start` has one.
/// `elapsedMs` is the time since the question was sent, `base` the page's address. Data of a wrong
/// shape is left out and is no error: the text may still be useful.
export function applyEvent(turn, { event, data, id }, { elapsedMs, base }) {
  if (id) turn.lastEventId = id;
  if (typeof data !== "object" || data === null) return null;
  if (!Object.hasOwn(kHandlers, event)) return null;
  return kHandlers[event](turn, data, { elapsedMs, base });
}

const kHandlers = {
  start(turn, data) {
    Object.assign(turn, emptyAnswer());
    turn.status = "streaming";
    turn.filters = isObject(data.filters) ? data.filters : {};
    turn.explanation = typeof data.explanation === "string" ? data.explanation : "";
    turn.answerId = typeof data.id === "string" ? data.id : "";
    turn.isComparison = Array.isArray(data.intents) && data.intents.includes(kComparison);
    turn.fromFaq = data.cache === "hit" && data.cache_source === "faq";
    return typeof data.conversation_id === "string" ? data.conversation_id : null;
  },
  products(turn, data, { elapsedMs, base }) {
    turn.status = "streaming";
    turn.timings.productsMs ??= elapsedMs;
    const items = Array.isArray(data.items) ? data.items : [];
    turn.products = items
      .map((item, index) => withNumber(readProduct(item, base), index + 1))
      .filter((product) => product !== null);
    return null;
  },
  handoff(turn, data) {
    turn.handoff = readHandoff(data);
    return null;
  },
  delta(turn, data, { elapsedMs }) {
    if (typeof data.text !== "string" || data.text === "") return null;
    turn.status = "streaming";
    turn.timings.firstTextMs ??= elapsedMs;
    turn.text += data.text;
    return null;
  },
  citation(turn, data) {
    if (!Number.isSafeInteger(data.n) || data.n < 1) return null;
    const quote = typeof data.quote === "string" ? data.quote.trim() : "";
    const known = turn.citations.find((citation) => citation.n === data.n);
    if (known === undefined) turn.citations.push({ n: data.n, quotes: quote ? [quote] : [] });
    else if (quote && !known.quotes.includes(quote)) known.quotes.push(quote);
    return null;
  },
  table(turn, data) {
    turn.table = readTable(data);
    return null;
  },
  suggestions(turn, data) {
    turn.suggestions = textsOf(data.items).slice(0, 4);
    return null;
  },
  error(turn, data) {
    turn.status = "failed";
    turn.error = {
      kind: failureKind(data.code),
      message: typeof data.message === "string" ? data.message : "",
      retryable: data.retryable !== false,
      requestId: typeof data.request_id === "string" ? data.request_id : "",
    };
    return null;
  },
  done(turn, data, { elapsedMs }) {
    turn.status = "done";
    turn.timings.totalMs = elapsedMs;
    turn.timings.server = readNumbers(data.timings);
    turn.answerStep = kAnswerSteps.includes(data.answer_step) ? data.answer_step : "";
    turn.grounded = readNumbers(data.grounded);
    return null;
  },
};

function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function textsOf(items) {
  if (!Array.isArray(items)) return [];
  return items.filter((item) => typeof item === "string" && item.trim() !== "");
}

function withNumber(product, position) {
  // A turn is kept with its conversation: without the longest part of a record.
  return product === null ? null : { ...product, description: "", n: product.n ?? position };
}

function readNumbers(members) {
  if (!isObject(members)) return {};
  return Object.fromEntries(
    Object.entries(members).filter(([, value]) => typeof value === "number"),
  );
}

/// {title, text, link}: where the shop's staff are reached; `link` may be "". Null without a
/// contact.
function readHandoff({ contact }) {
  if (!isObject(contact)) return null;
  const text = (value) => (typeof value === "string" ? value.trim() : "");
  const read = { title: text(contact.title), text: text(contact.text) };
  const link = safeWebUrl(contact.link, undefined) ?? "";
  return read.title || read.text || link ? { ...read, link } : null;
}

/// {columns: [text], rows: [[text]]}: the first cell of a row names it. Null unless it is a table.
function readTable({ columns, rows }) {
  const isTexts = (cells) =>
    Array.isArray(cells) && cells.every((cell) => typeof cell === "string");
  if (!isTexts(columns) || !Array.isArray(rows)) return null;
  const sound = rows.filter((row) => isTexts(row) && row.length === columns.length);
  return columns.length >= 2 && sound.length > 0 ? { columns, rows: sound } : null;
}
