// Restores conversations from the service: the one that the address names, and the one that is open.

import { fetchConversation, isConversationId } from "./conversation_client.js";
import { el, textButton } from "./dom.js";

/// The conversation that an address names ("#c=ID"), or null.
export function conversationIdOf(hash) {
  const id = new URLSearchParams(hash.replace(/^#/, "")).get("c");
  return isConversationId(id) ? id : null;
}

/// The address of the page with the conversation `id`, or without one.
export function addressWith(id, { pathname, search }) {
  return pathname + search + (isConversationId(id) ? `#c=${encodeURIComponent(id)}` : "");
}

/// Opens the conversation that the service has under `id`. `shown()` puts the open conversation onto
/// the page. Where there is none, or the service does not say, the page says so.
export async function openFromService(chat, id, shown) {
  const { ui, parts, conversation } = chat;
  const { strings, service } = ui;
  const note = el("p", { class: "waiting", role: "status" }, strings.t("conversationLoading"));
  parts.notes.replaceChildren(note);
  chat.isRestoring = true;
  parts.welcome.hidden = true;
  let found;
  try {
    found = await fetchConversation(service, id);
  } catch {
    found = undefined;
  }
  // The reader went on to something else.
  if (!note.isConnected) return;
  note.remove();
  chat.isRestoring = false;
  if (conversation.turns.length > 0) return;
  if (found === undefined) {
    const again = textButton(strings.t("tryAgain"), () => openFromService(chat, id, shown));
    parts.notes.replaceChildren(notice(strings.t("conversationFailed"), again));
    parts.welcome.hidden = false;
    return;
  }
  if (found !== null) conversation.adopt(found);
  shown();
  if (found === null) parts.notes.replaceChildren(notice(strings.t("conversationMissing")));
}

/// Brings the open conversation up to date: `changed(turns)` shows turns again, `added(turns)` puts
/// new ones onto the page. Where the service has it no more, a note says that only this browser has.
export async function refreshFromService(chat, { changed, added }) {
  const { ui, parts, conversation } = chat;
  const { id, key } = conversation;
  if (!isConversationId(id)) return;
  const found = await fetchConversation(ui.service, id).catch(() => undefined);
  const isOpenStill = conversation.key === key && conversation.id === id && chat.running === null;
  if (found === undefined || !isOpenStill) return;
  if (found === null) {
    if (conversation.turns.length > 0) {
      parts.notes.replaceChildren(notice(ui.strings.t("conversationOnlyHere")));
    }
    return;
  }
  const merged = conversation.merge(found.turns);
  changed(merged.changed);
  if (merged.added.length > 0) added(merged.added);
  if (merged.added.length + merged.changed.length > 0) conversation.save();
}

function notice(text, button = null) {
  return el("div", { class: "notice notice-conversation", role: "status" }, el("p", {}, text), button);
}
