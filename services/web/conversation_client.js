// Reads conversations from the service: the list of this shopper's, and one with its answers and
// today's cards.

import { restoredTurn } from "./turn.js";

const kPageSize = 100;
/// Pages of the list that are read at most.
const kMaxPages = 3;

/// True for an id that may stand in the address of a conversation.
export function isConversationId(id) {
  return typeof id === "string" && /^[A-Za-z0-9_-][A-Za-z0-9_.:-]{0,63}$/.test(id);
}

/// [{id, title, updated}], the latest used first. Null where the service lists none: it has no such
/// route, is not reached, or the browser keeps no token.
export async function listConversations(service) {
  const found = [];
  let cursor = "";
  try {
    for (let page = 0; page < kMaxPages; ++page) {
      const query = cursor === "" ? "" : `&cursor=${encodeURIComponent(cursor)}`;
      const response = await service.fetch(`/v1/conversations?limit=${kPageSize}${query}`);
      if (!response.ok) return null;
      const { items, next_cursor: next } = await response.json();
      found.push(...(Array.isArray(items) ? items : []).map(readHead).filter(Boolean));
      if (typeof next !== "string" || next === "") break;
      cursor = next;
    }
  } catch {
    return null;
  }
  return found;
}

/// {id, title, updated, turns}, or null: it was erased, has ended, or is another shopper's. Throws
/// Error when the service does not say.
export async function fetchConversation(service, id) {
  const path = `/v1/conversations/${encodeURIComponent(id)}`;
  const response = await service.fetch(path, { cache: "no-cache" });
  if (response.status === 404) return null;
  if (!response.ok) throw new Error(`conversation: HTTP ${response.status}`);
  const data = await response.json();
  const head = readHead(data);
  if (head === null) throw new Error("conversation: unexpected reply");
  return { ...head, turns: turnsOf(data.messages, `${service.origin}/`) };
}

function readHead(data) {
  if (!isConversationId(data?.id)) return null;
  const title = typeof data.title === "string" ? data.title : "";
  return { id: data.id, title, updated: Date.parse(data.updated_at) || 0 };
}

/// A turn for each question with the answer after it. Pure; data of a wrong shape is left out.
export function turnsOf(messages, base) {
  if (!Array.isArray(messages)) return [];
  const turns = [];
  let question = "";
  for (const message of messages) {
    if (message?.role === "user" && typeof message.text === "string") question = message.text;
    if (message?.role !== "assistant" || question === "") continue;
    turns.push(restoredTurn(question, message, { key: `t${turns.length + 1}`, base }));
    question = "";
  }
  return turns;
}
