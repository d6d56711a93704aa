// The conversations of this browser, each with its turns and its id at the service; and the one
// that is open in this tab. Kept in local storage, so that a reload and a later visit show them
// again.

import { isOpen, makeTurn } from "./turn.js";

const kPrefix = "emptor.conversation.2.";
const kOpenKey = "emptor.open.2";
const kMaxTurns = 30;
const kMaxConversations = 50;
const kMaxTitle = 120;

export class Conversation {
  turns = [];
  id = null;
  key = "";
  title = "";
  #history;
  #tab;
  #nextKey = 1;
  /// Answers that the shopper took out of this conversation; the service still has them.
  #dropped = [];

  /// `history` keeps conversations; `tab` has getItem, setItem and removeItem, as sessionStorage,
  /// and holds which one is open; null: nothing is restored.
  constructor(history, tab) {
    this.#history = history;
    this.#tab = tab;
    const key = read(tab, kOpenKey);
    if (key !== null) this.open(key);
  }

  /// Appends a turn for the question.
  ask(question, productId) {
    if (this.key === "") this.#begin();
    if (this.title === "") this.title = question.slice(0, kMaxTitle);
    const turn = makeTurn(question, { productId, key: `t${this.#nextKey++}` });
    this.turns.push(turn);
    this.turns = this.turns.slice(-kMaxTurns);
    return turn;
  }

  /// Removes the turns after `turn`. Before the first one the service has nothing to refer to.
  cutAfter(turn) {
    const index = this.turns.indexOf(turn);
    this.#dropped.push(...this.turns.slice(index).map(({ answerId }) => answerId));
    this.turns = this.turns.slice(0, index + 1);
    if (index === 0) this.id = null;
  }

  /// Closes this conversation, which stays in the history, and begins an empty one.
  clear() {
    Object.assign(this, { turns: [], id: null, key: "", title: "" });
    this.#dropped = [];
    write(this.#tab, kOpenKey, null);
  }

  /// Opens a conversation of the history; false when it is not there.
  open(key) {
    const kept = this.#history.find(key);
    if (kept === null) return false;
    const { turns, id, title, nextKey, dropped = [] } = kept;
    Object.assign(this, { turns, id, key, title });
    this.#nextKey = nextKey;
    this.#dropped = dropped;
    write(this.#tab, kOpenKey, key);
    for (const turn of this.turns) {
      // Leaving a page breaks its stream, so a broken stream of an earlier visit says nothing new.
      const isCut = isOpen(turn) || turn.error?.kind === "interrupted";
      if (isCut) Object.assign(turn, { status: "interrupted", error: null });
    }
    return true;
  }

  /// Opens a conversation that only the service has, and keeps it in the history.
  adopt({ id, title, turns, updated }) {
    const key = `s-${id}`;
    Object.assign(this, { turns: turns.slice(-kMaxTurns), id, key, title });
    this.#nextKey = turns.length + 1;
    this.#dropped = [];
    write(this.#tab, kOpenKey, key);
    this.save(updated);
  }

  /// Takes over what the service knows of this conversation: today's cards of its answers, and
  /// answers after the last one here, which another tab or browser got. Others were replaced here.
  /// Returns the turns that changed, and those that are new.
  merge(turns) {
    const own = (turn) => this.turns.find((each) => each.answerId === turn.answerId);
    const last = turns.findLastIndex((turn) => own(turn) !== undefined);
    const changed = turns.map((turn) => [own(turn), turn]).filter(([mine, turn]) =>
      mine !== undefined && refresh(mine, turn)).map(([mine]) => mine);
    const added = turns
      .slice(last + 1)
      .filter(({ answerId }) => !this.#dropped.includes(answerId))
      .map((turn) => ({ ...turn, key: `t${this.#nextKey++}` }));
    const at = last < 0 ? 0 : this.turns.indexOf(own(turns[last])) + 1;
    this.turns.splice(at, 0, ...added);
    this.turns = this.turns.slice(-kMaxTurns);
    return { changed, added };
  }

  /// `updated` is when it changed last; undefined: now.
  save(updated) {
    if (this.turns.length === 0) return;
    const { key, id, title } = this;
    const turns = this.turns.map(shortened);
    const dropped = this.#dropped.filter((answerId) => answerId !== "").slice(-kMaxTurns);
    this.#history.keep({ key, id, title, turns, nextKey: this.#nextKey, dropped }, updated);
  }

  #begin() {
    this.key = `${Date.now().toString(36)}-${Math.floor(Math.random() * 1e9).toString(36)}`;
    this.#nextKey = 1;
    this.#dropped = [];
    write(this.#tab, kOpenKey, this.key);
  }
}

/// All conversations of this browser.
export class History {
  #storage;

  /// `storage` is one like localStorage, or null: nothing is kept.
  constructor(storage) {
    this.#storage = storage;
  }

  /// Newest first; with `words`, those whose title, questions or answers contain each of them.
  list(words = "") {
    const hasWords = wordFilter(words);
    return this.#keys()
      .map((key) => this.find(key))
      .filter((kept) => kept !== null && hasWords(textOf(kept)))
      .sort((a, b) => b.updated - a.updated);
  }

  /// {key, id, title, turns, nextKey, updated}, or null.
  find(key) {
    try {
      const kept = JSON.parse(read(this.#storage, kPrefix + key));
      return Array.isArray(kept?.turns) ? { ...kept, key } : null;
    } catch {
      return null;
    }
  }

  /// Keeps a conversation; the oldest ones make room where the storage is full.
  keep(conversation, updated = Date.now()) {
    const { key, ...others } = conversation;
    const text = JSON.stringify({ ...others, updated });
    const count = this.#keys().filter((other) => other !== key).length;
    if (count < kMaxConversations && write(this.#storage, kPrefix + key, text)) return;
    const oldest = this.list().filter((kept) => kept.key !== key);
    while (oldest.length >= kMaxConversations) this.remove(oldest.pop().key);
    while (!write(this.#storage, kPrefix + key, text) && oldest.length > 0) {
      this.remove(oldest.pop().key);
    }
  }

  /// The conversation that has this id at the service, or null.
  findById(id) {
    return this.list().find((kept) => kept.id === id) ?? null;
  }

  rename(key, title) {
    const kept = this.find(key);
    if (kept === null) return;
    const { updated, ...conversation } = kept;
    this.keep({ ...conversation, title: title.slice(0, kMaxTitle) }, updated);
  }

  remove(key) {
    write(this.#storage, kPrefix + key, null);
  }

  #keys() {
    try {
      return Object.keys(this.#storage ?? {})
        .filter((name) => name.startsWith(kPrefix))
        .map((name) => name.slice(kPrefix.length));
    } catch {
      return [];
    }
  }
}

/// Gives a turn the cards and the verdict that the service has now; false when they are the same.
function refresh(turn, { products, rating }) {
  const facts = (list) =>
    JSON.stringify(list.map(({ attributes, isShort, ...others }) => others));
  const isSame = facts(turn.products) === facts(products) && (rating || turn.rating) === turn.rating;
  if (isSame) return false;
  turn.products = products;
  turn.rating = rating || turn.rating;
  return true;
}

/// A turn as it is kept: without the attributes of its products, which are most of a record, unless
/// the answer compares them. A comparison that is opened later reads the records again.
function shortened(turn) {
  if (turn.isComparison || turn.products.every(({ attributes }) => attributes.length === 0)) {
    return turn;
  }
  const products = turn.products.map((product) => ({ ...product, attributes: [], isShort: true }));
  return { ...turn, products };
}

function textOf({ title, turns }) {
  return [title, ...turns.flatMap(({ question, text }) => [question, text])].join("\n");
}

/// A function that says whether a text contains each of the words.
export function wordFilter(words) {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  return (text) => {
    const folded = text.toLowerCase();
    return wanted.every((word) => folded.includes(word));
  };
}

function read(storage, name) {
  try {
    return storage?.getItem(name) ?? null;
  } catch {
    return null;
  }
}

/// False when the storage is full or forbidden.
function write(storage, name, value) {
  try {
    if (value === null) storage?.removeItem(name);
    else storage?.setItem(name, value);
    return true;
  } catch {
    return false;
  }
}
