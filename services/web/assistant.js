// The assistant: takes questions, streams their answers, keeps the conversation. The chat page and
// the widget are frames around it.
//
// Its state is a plain object that the functions of this module work on, as in turn_view.

import { AboutView } from "./about_view.js";
import { noticeText } from "./answer_tail.js";
import { AssistError, streamAssist } from "./assist_client.js";
import { Conversation, History } from "./conversation.js";
import { el, icon } from "./dom.js";
import { plainText, SentenceReader } from "./plain_text.js";
import { openFromService, refreshFromService } from "./restore.js";
import { isProductId } from "./safe_url.js";
import { reportClicks, reportProducts } from "./shopper_events.js";
import {
  measureComposer,
  showFirstWords,
  watchComposer,
  watchEnd,
  watchReader,
} from "./scrolling.js";
import { fetchStarters } from "./starters.js";
import { applyEvent, editFilter, isOpen, reopenTurn, restartTurn } from "./turn.js";
import { makeTurnView, questionList } from "./turn_view.js";

const kProductQuestions = ["productQuestion1", "productQuestion2", "productQuestion3"];

/// Failures after which the service may still hold the rest of the answer.
const kResumable = new Set(["interrupted", "offline"]);

/// Starts the assistant in a frame of makeLayout(). `ui` as in turn_view. `scroller` is the element
/// that scrolls, null for the window; `storage` and `tab` are like localStorage and sessionStorage,
/// or null; `productId` is the product that the first questions are about, or null; `onForget()` is
/// called when they no longer are; `onSetting(name)` when the reader chose something in the
/// settings. `address` reads and writes the id of the open conversation in the address of the page.
/// Returns {focus, stop, save, isRunning, open}.
export function startAssistant(ui, parts, options) {
  const { storage, tab, productId = null, scroller = null, onForget = () => {} } = options;
  const history = new History(storage);
  const chat = {
    ui,
    parts,
    history,
    scroller,
    onForget,
    address: options.address ?? { read: () => null, write: () => {} },
    onSetting: options.onSetting ?? (() => {}),
    conversation: new Conversation(history, tab),
    views: new Map(),
    scheduled: new Set(),
    running: null,
    readerMoved: false,
    isRestoring: false,
    starters: null,
    productId: isProductId(productId) ? productId : null,
  };
  ui.say = (text) => {
    parts.status.textContent = text;
  };
  ui.conversationId = () => chat.conversation.id;
  chat.about = new AboutView(parts.about, ui, () => {
    forgetProduct(chat);
    focusField(chat);
  });
  if (chat.productId !== null) chat.about.show(chat.productId);
  chat.endInView = watchEnd(chat);
  watchComposer(chat);
  watchReader(chat);
  listen(chat);
  updateSend(chat);
  restoreAtStart(chat);
  loadStarters(chat);
  return {
    focus: () => focusField(chat),
    stop: () => stop(chat),
    save: () => chat.conversation.save(),
    isRunning: () => chat.running !== null,
    open: (id) => openConversation(chat, id),
  };
}

function listen(chat) {
  const { composer, message, send, jump, history, fresh, settings } = chat.parts;
  composer.addEventListener("submit", (event) => {
    event.preventDefault();
    submit(chat);
  });
  message.addEventListener("input", () => typed(chat));
  message.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.shiftKey || isComposing(event)) return;
    event.preventDefault();
    submit(chat);
  });
  send.addEventListener("click", (event) => {
    if (chat.running === null) return;
    event.preventDefault();
    stop(chat);
  });
  jump.addEventListener("click", () => lastView(chat)?.end.scrollIntoView({ block: "end" }));
  fresh.addEventListener("click", () => clear(chat));
  history.addEventListener("click", () => showHistory(chat));
  reportClicks(chat.parts.log, chat.ui.service, (node) => answerIdOf(chat, node));
  settings.addEventListener("click", async () => {
    const { openSettings } = await import("./settings_view.js");
    openSettings(chat.ui, (name) => {
      if (name === "developer") updateAll(chat);
      chat.onSetting(name);
    });
  });
}

// ---- Asking

function submit(chat) {
  const { message } = chat.parts;
  const question = message.value.trim();
  if (question === "") return;
  message.value = "";
  typed(chat);
  ask(chat, question);
}

function typed(chat) {
  updateSend(chat);
  if (CSS.supports("field-sizing", "content")) return;
  const { message } = chat.parts;
  message.style.blockSize = "auto";
  message.style.blockSize = `${message.scrollHeight}px`;
}

function ask(chat, question) {
  stop(chat);
  const turn = chat.conversation.ask(question, chat.productId);
  updateAll(chat);
  show(chat, turn);
  if (!isDesk()) chat.parts.message.blur();
  runAtTop(chat, turn);
}

/// Runs the last turn, with room for its answer below the question.
function runAtTop(chat, turn) {
  for (const [, view] of chat.views) view.element.classList.remove("turn-current");
  const { element } = chat.views.get(turn);
  element.classList.add("turn-current");
  run(chat, turn);
  measureComposer(chat);
  element.scrollIntoView({ block: "start" });
  chat.readerMoved = false;
}

function retry(chat, turn) {
  reopenTurn(turn);
  run(chat, turn);
}

/// Asks the turn's question again, or another in its place; what came after it is removed.
function again(chat, turn, question = turn.question) {
  stop(chat);
  chat.conversation.cutAfter(turn);
  // Without the first answer the conversation has no id: the address names the old one no more.
  setId(chat, chat.conversation.id);
  removeOldViews(chat);
  restartTurn(turn, question);
  updateAll(chat);
  runAtTop(chat, turn);
}

/// Repeats the question with one condition fewer.
function search(chat, turn, part, rest) {
  stop(chat);
  editFilter(turn, part, rest);
  run(chat, turn);
}

function stop(chat) {
  chat.running?.abort();
}

/// Streams the answer of one turn. Ends with the turn closed, whatever happens.
async function run(chat, turn) {
  const running = Object.assign(new AbortController(), { turn });
  chat.running = running;
  const { service, strings } = chat.ui;
  opened(chat, turn);
  const reader = new SentenceReader(strings.locale);
  const begin = performance.now();
  try {
    const stream = streamAssist(service, body(chat, turn), {
      signal: running.signal,
      lastEventId: turn.lastEventId,
    });
    for await (const event of stream) {
      if (running.signal.aborted) break;
      const context = { elapsedMs: performance.now() - begin, base: `${service.origin}/` };
      setId(chat, applyEvent(turn, event, context) ?? chat.conversation.id);
      if (event.event === "products") announceProducts(chat, turn);
      if (event.event === "delta") readOut(chat, turn, reader);
      schedule(chat, turn);
    }
  } catch (error) {
    if (!running.signal.aborted) fail(turn, error);
  }
  if (isOpen(turn)) turn.status = "stopped";
  if (!(turn.status === "failed" && kResumable.has(turn.error.kind))) turn.lastEventId = "";
  closed(chat, turn, running, reader);
}

function body({ ui, conversation }, turn) {
  return {
    message: turn.question,
    locale: ui.strings.locale,
    stream: true,
    ...(conversation.id === null ? {} : { conversation_id: conversation.id }),
    ...(Object.keys(turn.edits ?? {}).length === 0 ? {} : { filters: turn.edits }),
    ...(turn.productId === null ? {} : { page: { product_id: turn.productId } }),
  };
}

function opened(chat, turn) {
  chat.parts.log.setAttribute("aria-busy", "true");
  chat.parts.reading.replaceChildren();
  chat.ui.say(chat.ui.strings.t("searching"));
  update(chat, turn);
  updateSend(chat);
}

function closed(chat, turn, running, reader) {
  chat.conversation.save();
  if (chat.views.has(turn)) update(chat, turn);
  if (chat.running !== running) return;
  chat.running = null;
  chat.parts.log.setAttribute("aria-busy", "false");
  readOut(chat, turn, reader, true);
  if (chat.views.has(turn)) {
    const ids = turn.products.map(({ id }) => id);
    reportProducts(chat.ui.service, "view", ids, turn.answerId);
    chat.ui.say(noticeText(turn, chat.ui) || chat.ui.strings.t("answerComplete"));
  }
  updateSend(chat);
}

function announceProducts({ ui }, turn) {
  const count = turn.products.length;
  if (count > 0) ui.say(ui.strings.t("productsFound", { count }));
}

/// Gives each complete sentence to the live region once.
function readOut({ ui, parts }, turn, reader, isComplete = false) {
  const text = plainText(turn.text, { origin: ui.service.origin, streaming: !isComplete });
  const sentences = reader.push(text, { isComplete });
  parts.reading.append(...sentences.map((sentence) => el("p", { dir: "auto" }, sentence)));
}

// ---- Showing

function show(chat, turn) {
  const view = makeTurnView(turn, chat.ui, {
    retry: () => retry(chat, turn),
    again: () => again(chat, turn),
    edit: (question) => again(chat, turn, question),
    search: (part, rest) => search(chat, turn, part, rest),
    ask: (text) => ask(chat, text),
    rated: () => chat.conversation.save(),
  });
  chat.views.set(turn, view);
  chat.parts.log.append(view.element);
  chat.endInView.disconnect();
  chat.endInView.observe(view.end);
  updateWelcome(chat);
}

function update(chat, turn) {
  const view = chat.views.get(turn);
  if (view === undefined) return;
  const hadText = view.hasText();
  view.update({ isLast: turn === chat.conversation.turns.at(-1) });
  if (turn === chat.running?.turn && !hadText && view.hasText()) showFirstWords(chat, view);
}

function updateAll(chat) {
  for (const turn of chat.views.keys()) update(chat, turn);
}

/// At most one update per frame.
function schedule(chat, turn) {
  if (chat.scheduled.has(turn)) return;
  chat.scheduled.add(turn);
  requestAnimationFrame(() => {
    chat.scheduled.delete(turn);
    update(chat, turn);
  });
}

function lastView(chat) {
  return chat.views.get(chat.conversation.turns.at(-1));
}

function updateSend({ parts: { send, message }, running, ui }) {
  const isRunning = running !== null;
  const label = ui.strings.t(isRunning ? "stop" : "send");
  send.disabled = !isRunning && message.value.trim() === "";
  send.classList.toggle("send-stop", isRunning);
  if (send.title === label) return;
  send.replaceChildren(icon(isRunning ? "stop" : "send"));
  send.title = label;
  send.setAttribute("aria-label", label);
}

async function loadStarters(chat) {
  if (chat.conversation.turns.length === 0) updateWelcome(chat);
  chat.starters = await fetchStarters(chat.ui.service, chat.ui.strings);
  updateWelcome(chat);
}

function updateWelcome(chat) {
  const { parts, productId, starters } = chat;
  const { strings } = chat.ui;
  const isEmpty = chat.conversation.turns.length === 0;
  const questions =
    productId === null ? (starters ?? []) : kProductQuestions.map((key) => strings.t(key));
  const label = strings.t("firstQuestions");
  const list = questionList(questions, label, (text) => ask(chat, text), null);
  parts.starters.replaceChildren(...(list === null ? [] : [list]));
  parts.welcome.hidden = !isEmpty || chat.isRestoring;
  parts.fresh.hidden = isEmpty;
  parts.message.placeholder = strings.t(
    productId === null ? "messagePlaceholder" : "messagePlaceholderProduct",
  );
}

/// The id of the answer that shows `node`, or "".
function answerIdOf({ views }, node) {
  for (const [turn, { element }] of views) if (element.contains(node)) return turn.answerId;
  return "";
}

// ---- The conversation

function restore(chat) {
  for (const turn of chat.conversation.turns) show(chat, turn);
  updateAll(chat);
  updateWelcome(chat);
  const [visit] = performance.getEntriesByType("navigation");
  if (visit?.type !== "back_forward") lastView(chat)?.element.scrollIntoView({ block: "start" });
}

/// The conversation that the address names, else the one that was open in this tab.
function restoreAtStart(chat) {
  const id = chat.address.read();
  if (id !== null && id !== chat.conversation.id) return openConversation(chat, id);
  showConversation(chat);
}

/// Opens a conversation by its id at the service.
function openConversation(chat, id) {
  removeViews(chat);
  const kept = chat.history.findById(id);
  if (kept !== null && chat.conversation.open(kept.key)) return showConversation(chat);
  chat.conversation.clear();
  openFromService(chat, id, () => reshow(chat));
}

/// Shows the open conversation as this browser kept it, then as the service has it now.
function showConversation(chat) {
  setId(chat, chat.conversation.id);
  restore(chat);
  refreshFromService(chat, {
    changed: (turns) => turns.forEach((turn) => update(chat, turn)),
    added: (turns) => showAdded(chat, turns),
  });
}

function reshow(chat) {
  removeViews(chat);
  setId(chat, chat.conversation.id);
  restore(chat);
}

function setId(chat, id) {
  chat.conversation.id = id;
  chat.address.write(id);
}

/// Puts new turns onto the page, each before the one that follows it, without moving the reader.
function showAdded(chat, added) {
  const { turns } = chat.conversation;
  removeOldViews(chat);
  for (const turn of added.filter((each) => turns.includes(each))) {
    show(chat, turn);
    const next = turns.slice(turns.indexOf(turn) + 1).find((each) => chat.views.has(each));
    if (next !== undefined) chat.views.get(next).element.before(chat.views.get(turn).element);
  }
  chat.endInView.disconnect();
  chat.endInView.observe(lastView(chat).end);
  updateAll(chat);
}

/// Takes turns off the page that are no longer part of the conversation.
function removeOldViews(chat) {
  for (const [turn, view] of chat.views) {
    if (chat.conversation.turns.includes(turn)) continue;
    view.element.remove();
    chat.views.delete(turn);
  }
}

/// Takes the turns off the page; the conversation stays as it is.
function removeViews(chat) {
  stop(chat);
  chat.isRestoring = false;
  chat.views.clear();
  chat.parts.notes.replaceChildren();
  chat.parts.log.replaceChildren();
  chat.parts.reading.replaceChildren();
  chat.parts.jump.hidden = true;
  chat.ui.say("");
}

function clear(chat) {
  removeViews(chat);
  chat.conversation.clear();
  chat.address.write(null);
  forgetProduct(chat);
  (chat.scroller ?? window).scrollTo({ top: 0 });
  chat.parts.message.focus();
}

async function showHistory(chat) {
  const { openHistory } = await import("./history_view.js");
  openHistory(chat.ui, chat.history, chat.conversation.key, {
    open(key) {
      removeViews(chat);
      chat.conversation.open(key);
      showConversation(chat);
      focusField(chat);
    },
    openRemote(id) {
      openConversation(chat, id);
      focusField(chat);
    },
    renamed(key, title) {
      if (key === chat.conversation.key) chat.conversation.title = title;
    },
    removed(key) {
      if (key === chat.conversation.key) clear(chat);
    },
  });
}

// ---- The product that is asked about

function forgetProduct(chat) {
  chat.productId = null;
  chat.about.hide();
  chat.onForget();
  updateWelcome(chat);
}

function fail(turn, error) {
  const known = error instanceof AssistError ? error : new AssistError("failed");
  if (!(error instanceof AssistError)) console.error(error);
  turn.status = "failed";
  turn.error = {
    kind: known.kind,
    message: known.message,
    retryable: known.retryable,
    requestId: known.requestId,
  };
}

/// An input method is putting characters together: its Enter and Escape are not for the page.
/// Safari ends the composition before its Enter arrives, and marks that key with 229.
export function isComposing(event) {
  return event.isComposing || event.keyCode === 229;
}

/// A device with a mouse and a real keyboard, where focus in the field covers nothing.
function isDesk() {
  return matchMedia("(hover: hover) and (pointer: fine)").matches;
}

function focusField({ parts }) {
  if (isDesk()) parts.message.focus({ preventScroll: true });
}
