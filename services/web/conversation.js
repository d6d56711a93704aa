// The conversation of this browser tab: its turns, its id at the service, and the product that is
// being asked about. Kept in session storage, so that a reload shows it again.

import { isOpen, makeTurn } from "./turn.js";

const kStorageKey = "emptor.conversation.1";
const kMaxTurns = 30;

export class Conversation {
  turns = [];
  id = null;
  #storage;
  #nextKey = 1;

  /// `storage` has getItem, setItem and removeItem, as sessionStorage; null: nothing is kept.
  constructor(storage) {
    this.#storage = storage;
    this.#load();
  }

  /// Appends a turn for the question.
  ask(question, productId) {
    const turn = makeTurn(question, { productId, key: `t${this.#nextKey++}` });
    this.turns.push(turn);
    this.turns = this.turns.slice(-kMaxTurns);
    return turn;
  }

  clear() {
    this.turns = [];
    this.id = null;
    this.save();
  }

  save() {
    const state = { id: this.id, nextKey: this.#nextKey, turns: this.turns };
    try {
      if (this.turns.length === 0) this.#storage?.removeItem(kStorageKey);
      else this.#storage?.setItem(kStorageKey, JSON.stringify(state));
    } catch {
      // Full or forbidden storage costs the shopper only the restored conversation.
    }
  }

  #load() {
    try {
      const state = JSON.parse(this.#storage?.getItem(kStorageKey) ?? "null");
      if (state === null || !Array.isArray(state.turns)) return;
      this.turns = state.turns;
      this.id = state.id;
      this.#nextKey = state.nextKey;
    } catch {
      return;
    }
    for (const turn of this.turns) {
      // Leaving a page breaks its stream, so a broken stream of an earlier visit says nothing new.
      const isCut = isOpen(turn) || turn.error?.kind === "interrupted";
      if (isCut) Object.assign(turn, { status: "interrupted", error: null });
    }
  }
}
