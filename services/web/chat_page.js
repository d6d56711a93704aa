// The chat page: takes questions, streams their answers, keeps the conversation.

import { AboutView } from "./about_view.js";
import { AssistError, streamAssist } from "./assist_client.js";
import { Conversation } from "./conversation.js";
import { icon } from "./dom.js";
import { speak } from "./page_strings.js";
import { isProductId } from "./safe_url.js";
import { applyEvent, editFilter, isOpen, reopenTurn } from "./turn.js";
import { questionList, TurnView } from "./turn_view.js";

const kFirstQuestions = ["firstQuestion1", "firstQuestion2", "firstQuestion3", "firstQuestion4"];
const kProductQuestions = ["productQuestion1", "productQuestion2", "productQuestion3"];

/// Failures after which the service may still hold the rest of the answer.
const kResumable = new Set(["interrupted", "offline"]);

class ChatPage {
  #strings = speak();
  #conversation = new Conversation(tabStorage());
  #views = new Map();
  #running = null;
  #productId = null;
  #endInView;
  #parts = Object.fromEntries(
    ["welcome", "log", "status", "jump", "composer", "about", "message", "send"].map((id) => [
      id,
      document.getElementById(id),
    ]),
  );
  #newConversation = document.getElementById("new-conversation");
  #about = new AboutView(this.#parts.about, this.#strings, () => {
    this.#forgetProduct();
    if (isDesk()) this.#parts.message.focus();
  });

  start() {
    document.title = this.#strings.t("documentTitle");
    this.#watchEnd();
    this.#watchComposer();
    this.#listen();
    this.#updateSend();
    this.#takeProductFromAddress();
    this.#restore();
    if (isDesk()) this.#parts.message.focus({ preventScroll: true });
  }

  #listen() {
    const { composer, message, send, jump } = this.#parts;
    composer.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#submit();
    });
    message.addEventListener("input", () => this.#typed());
    message.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || event.shiftKey || isComposing(event)) return;
      event.preventDefault();
      this.#submit();
    });
    send.addEventListener("click", (event) => {
      if (this.#running === null) return;
      event.preventDefault();
      this.#stop();
    });
    document.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && !isComposing(event)) this.#stop();
    });
    jump.addEventListener("click", () => this.#lastView()?.end.scrollIntoView({ block: "end" }));
    this.#newConversation.addEventListener("click", () => this.#clear());
    addEventListener("pagehide", () => this.#conversation.save());
  }

  // ---- Asking

  #submit() {
    const question = this.#parts.message.value.trim();
    if (question === "") return;
    this.#parts.message.value = "";
    this.#typed();
    this.#ask(question);
  }

  #typed() {
    this.#updateSend();
    if (CSS.supports("field-sizing", "content")) return;
    const { message } = this.#parts;
    message.style.blockSize = "auto";
    message.style.blockSize = `${message.scrollHeight}px`;
  }

  #ask(question) {
    this.#stop();
    const turn = this.#conversation.ask(question, this.#productId);
    this.#updateLast();
    this.#show(turn);
    for (const [, view] of this.#views) view.element.classList.remove("turn-current");
    const { element } = this.#views.get(turn);
    element.classList.add("turn-current");
    if (!isDesk()) this.#parts.message.blur();
    this.#run(turn);
    element.scrollIntoView({ block: "start" });
  }

  #retry(turn) {
    reopenTurn(turn);
    this.#run(turn);
  }

  /// Repeats the question with one condition fewer.
  #search(turn, part, rest) {
    this.#stop();
    editFilter(turn, part, rest);
    this.#run(turn);
  }

  #stop() {
    this.#running?.abort();
  }

  /// Streams the answer of one turn. Ends with the turn closed, whatever happens.
  async #run(turn) {
    const running = new AbortController();
    this.#running = running;
    this.#opened(turn);
    const begin = performance.now();
    try {
      const stream = streamAssist(this.#body(turn), {
        signal: running.signal,
        lastEventId: turn.lastEventId,
      });
      for await (const event of stream) {
        if (running.signal.aborted) break;
        const context = { elapsedMs: performance.now() - begin, base: document.baseURI };
        this.#conversation.id = applyEvent(turn, event, context) ?? this.#conversation.id;
        if (event.event === "products") this.#announceProducts(turn);
        this.#schedule(turn);
      }
    } catch (error) {
      if (!running.signal.aborted) fail(turn, error);
    }
    if (isOpen(turn)) turn.status = "stopped";
    if (!(turn.status === "failed" && kResumable.has(turn.error.kind))) turn.lastEventId = "";
    this.#closed(turn, running);
  }

  #body(turn) {
    return {
      message: turn.question,
      locale: this.#strings.locale,
      stream: true,
      ...(this.#conversation.id === null ? {} : { conversation_id: this.#conversation.id }),
      ...(Object.keys(turn.edits ?? {}).length === 0 ? {} : { filters: turn.edits }),
      ...(turn.productId === null ? {} : { page: { product_id: turn.productId } }),
    };
  }

  #opened(turn) {
    this.#parts.log.setAttribute("aria-busy", "true");
    this.#say(this.#strings.t("searching"));
    this.#update(turn);
    this.#updateSend();
  }

  #closed(turn, running) {
    this.#conversation.save();
    if (this.#views.has(turn)) this.#update(turn);
    if (this.#running !== running) return;
    this.#running = null;
    this.#parts.log.setAttribute("aria-busy", "false");
    const view = this.#views.get(turn);
    if (view) this.#say(view.noticeText() || this.#strings.t("answerComplete"));
    this.#updateSend();
  }

  #announceProducts(turn) {
    const count = turn.products.length;
    if (count > 0) this.#say(this.#strings.t("productsFound", { count }));
  }

  // ---- Showing

  #show(turn) {
    const view = new TurnView(turn, this.#strings, {
      retry: () => this.#retry(turn),
      search: (part, rest) => this.#search(turn, part, rest),
      ask: (text) => this.#ask(text),
    });
    this.#views.set(turn, view);
    this.#parts.log.append(view.element);
    this.#endInView.disconnect();
    this.#endInView.observe(view.end);
    this.#updateWelcome();
  }

  #update(turn) {
    this.#views.get(turn)?.update({ isLast: turn === this.#conversation.turns.at(-1) });
  }

  /// Removes the suggestions of the turn that was the last one.
  #updateLast() {
    for (const turn of this.#views.keys()) this.#update(turn);
  }

  /// At most one update per frame.
  #scheduled = new Set();
  #schedule(turn) {
    if (this.#scheduled.has(turn)) return;
    this.#scheduled.add(turn);
    requestAnimationFrame(() => {
      this.#scheduled.delete(turn);
      this.#update(turn);
    });
  }

  #lastView() {
    return this.#views.get(this.#conversation.turns.at(-1));
  }

  /// Shows the scroll button while the end of the last answer is below the window.
  #watchEnd() {
    this.#endInView = new IntersectionObserver(
      ([entry]) => {
        const below = entry.boundingClientRect.top > (entry.rootBounds?.bottom ?? innerHeight);
        this.#parts.jump.hidden = entry.isIntersecting || !below;
      },
      { rootMargin: "0px 0px -72px 0px" },
    );
  }

  /// Sets how much of the window the field covers, for the layout.
  #watchComposer() {
    const { composer } = this.#parts;
    new ResizeObserver(() =>
      document.documentElement.style.setProperty(
        "--composer",
        `${composer.parentElement.offsetHeight}px`,
      ),
    ).observe(composer);
  }

  #say(text) {
    this.#parts.status.textContent = text;
  }

  #updateSend() {
    const { send, message } = this.#parts;
    const isRunning = this.#running !== null;
    const label = this.#strings.t(isRunning ? "stop" : "send");
    send.disabled = !isRunning && message.value.trim() === "";
    send.classList.toggle("send-stop", isRunning);
    if (send.title === label) return;
    send.replaceChildren(icon(isRunning ? "stop" : "send"));
    send.title = label;
    send.setAttribute("aria-label", label);
  }

  #updateWelcome() {
    const isEmpty = this.#conversation.turns.length === 0;
    const keys = this.#productId === null ? kFirstQuestions : kProductQuestions;
    const list = questionList(
      keys.map((key) => this.#strings.t(key)),
      this.#strings.t("firstQuestions"),
      (text) => this.#ask(text),
    );
    document.getElementById("first-questions").replaceChildren(list);
    this.#parts.welcome.hidden = !isEmpty;
    this.#newConversation.hidden = isEmpty;
    this.#parts.message.placeholder = this.#strings.t(
      this.#productId === null ? "messagePlaceholder" : "messagePlaceholderProduct",
    );
  }

  // ---- The conversation

  #restore() {
    for (const turn of this.#conversation.turns) this.#show(turn);
    this.#updateLast();
    this.#updateWelcome();
    const [visit] = performance.getEntriesByType("navigation");
    if (visit?.type !== "back_forward")
      this.#lastView()?.element.scrollIntoView({ block: "start" });
  }

  #clear() {
    this.#stop();
    this.#conversation.clear();
    this.#views.clear();
    this.#parts.log.replaceChildren();
    this.#parts.jump.hidden = true;
    this.#forgetProduct();
    this.#say("");
    scrollTo({ top: 0 });
    this.#parts.message.focus();
  }

  // ---- The product that is asked about

  #takeProductFromAddress() {
    const id = new URLSearchParams(location.search).get("product");
    if (!isProductId(id)) return;
    this.#productId = id;
    this.#about.show(id);
  }

  #forgetProduct() {
    this.#productId = null;
    this.#about.hide();
    history.replaceState(null, "", "/");
    this.#updateWelcome();
  }
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
function isComposing(event) {
  return event.isComposing || event.keyCode === 229;
}

/// Session storage, or null where the browser forbids it.
function tabStorage() {
  try {
    return window.sessionStorage;
  } catch {
    return null;
  }
}

/// A device with a mouse and a real keyboard, where focus in the field covers nothing.
function isDesk() {
  return matchMedia("(hover: hover) and (pointer: fine)").matches;
}

new ChatPage().start();
