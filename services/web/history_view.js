// The window with the conversations of this browser, and those that only the service has: search,
// open, rename, export, delete.

import { wordFilter } from "./conversation.js";
import { fetchConversation, listConversations } from "./conversation_client.js";
import { openDialog } from "./dialogs.js";
import { el, icon, iconButton, textButton } from "./dom.js";
import { plainText } from "./plain_text.js";

/// Opens the window. `handlers` has open(key), openRemote(id) for one that only the service has, and
/// removed(key), called when the shopper opened or deleted a conversation, and renamed(key, title).
export function openHistory(ui, history, currentKey, handlers) {
  const { strings } = ui;
  const label = strings.t("historySearch");
  const search = el("input", {
    type: "search",
    class: "text-field",
    placeholder: label,
    "aria-label": label,
  });
  const list = el("ul", { class: "history", role: "list" });
  const note = el("p", { class: "dialog-note", role: "status" });
  const dialog = openDialog(ui, {
    title: strings.t("history"),
    content: [search, note, list, el("p", { class: "dialog-note" }, strings.t("historyPrivacy"))],
    className: "dialog-side",
  });
  // Heads of those that this browser does not keep; they have no turns.
  let remote = [];
  const show = () => {
    const hasWords = wordFilter(search.value);
    const found = [...history.list(search.value), ...remote.filter(({ title }) => hasWords(title))];
    found.sort((a, b) => b.updated - a.updated);
    list.replaceChildren(...found.map((kept) => item(kept)));
    const isSearch = search.value.trim() !== "";
    note.textContent = found.length > 0 ? "" : strings.t(isSearch ? "historyNone" : "historyEmpty");
    note.hidden = found.length > 0;
  };
  const open = (kept) => {
    dialog.close();
    if (kept.turns === undefined) handlers.openRemote(kept.id);
    else handlers.open(kept.key);
  };
  const item = (kept) => {
    const element = el("li", { class: "history-item", "data-key": kept.key });
    const actions = {
      open: () => open(kept),
      rename: () => element.replaceChildren(renameForm(kept, ui, finish)),
      exportFile: async () => {
        const failure = await exportFile(kept, ui);
        note.textContent = failure;
        note.hidden = failure === "";
      },
      remove: () => element.replaceChildren(deleteForm(kept, ui, finish)),
    };
    const finish = (change, { isRemoval = false } = {}) => {
      change?.(history, ui, handlers);
      if (isRemoval) remote = remote.filter(({ id }) => id !== kept.id);
      show();
      const row = list.querySelector(`[data-key="${kept.key}"] button`);
      (row ?? search).focus();
    };
    element.append(...historyRow(kept, ui, kept.key === currentKey, actions));
    return element;
  };
  search.addEventListener("input", show);
  show();
  listConversations(ui.service).then((heads) => {
    const known = new Set(history.list().map(({ id }) => id));
    const others = (heads ?? []).filter(({ id }) => !known.has(id));
    remote = others.map((head) => ({ ...head, key: `s-${head.id}` }));
    if (remote.length > 0) show();
  });
}

function historyRow(kept, { strings }, isCurrent, actions) {
  const date = new Intl.DateTimeFormat(strings.locale, { dateStyle: "medium", timeStyle: "short" });
  const main = el(
    "button",
    { type: "button", class: "history-open", "aria-current": isCurrent ? "true" : null },
    el("span", { class: "history-title", dir: "auto" }, kept.title),
    el("span", { class: "history-date" }, date.format(new Date(kept.updated))),
  );
  main.addEventListener("click", actions.open);
  const named = (key) => `${strings.t(key)}: ${kept.title}`;
  return [
    main,
    iconButton("edit", named("historyRename"), actions.rename),
    iconButton("download", named("historyExport"), actions.exportFile),
    iconButton("trash", named("historyDelete"), actions.remove),
  ];
}

function renameForm(kept, { strings }, finish) {
  const label = strings.t("historyTitle");
  const field = el("input", {
    class: "text-field",
    maxlength: 120,
    "aria-label": label,
    dir: "auto",
  });
  field.value = kept.title;
  const form = el(
    "form",
    { class: "history-form" },
    field,
    el("button", { type: "submit", class: "button" }, strings.t("save")),
    textButton(strings.t("cancel"), () => finish()),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const title = field.value.trim();
    finish((history, ui, handlers) => {
      if (title === "") return;
      kept.title = title;
      history.rename(kept.key, title);
      handlers.renamed(kept.key, title);
      tellService(ui, "PATCH", kept.id, { title });
    });
  });
  requestAnimationFrame(() => field.select());
  return form;
}

function deleteForm(kept, { strings }, finish) {
  const remove = (history, ui, handlers) => {
    history.remove(kept.key);
    handlers.removed(kept.key);
    tellService(ui, "DELETE", kept.id);
  };
  const confirm = () => finish(remove, { isRemoval: true });
  const sure = textButton(strings.t("historyDelete"), confirm, { class: "button button-danger" });
  requestAnimationFrame(() => sure.focus());
  return el(
    "div",
    { class: "history-form", role: "group", "aria-label": strings.t("historyDelete") },
    el("p", {}, strings.t("historyDeleteSure")),
    sure,
    textButton(strings.t("cancel"), () => finish()),
  );
}

/// The service keeps the conversation as well: it is changed there too, where it can be reached.
function tellService({ service }, method, id, body) {
  if (id === null) return;
  const path = `/v1/conversations/${encodeURIComponent(id)}`;
  const sent =
    body === undefined ? service.fetch(path, { method }) : service.send(method, path, body);
  sent.catch(() => {});
}

/// Returns what to say where the service does not give the conversation, else "".
async function exportFile(kept, ui) {
  const { service, strings } = ui;
  const isHere = kept.turns !== undefined;
  const whole = isHere ? kept : await fetchConversation(service, kept.id).catch(() => undefined);
  if (whole === undefined) return strings.t("conversationFailed");
  if (whole === null) return strings.t("conversationMissing");
  download({ ...whole, title: kept.title }, ui);
  return "";
}

/// Saves a conversation as a Markdown file.
function download(kept, ui) {
  const turns = kept.turns.map(({ question, text, products }) => {
    const links = products.map((product) => `- [${product.title}](${ui.productHref(product)})`);
    return [`## ${question}`, plainText(text, { origin: ui.service.origin }), links.join("\n")];
  });
  const text = [`# ${kept.title}`, ...turns.flat()].filter(Boolean).join("\n\n");
  const address = URL.createObjectURL(new Blob([`${text}\n`], { type: "text/markdown" }));
  const name = kept.title.replace(/[^\p{L}\p{N}]+/gu, "-").slice(0, 60) || "conversation";
  const link = el("a", { href: address, download: `${name}.md` }, icon("download"));
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}
