// The frame of the assistant: bar, conversation, field. The chat page and the widget share it.

import { el, icon, iconButton } from "./dom.js";

/// Builds the frame. Returns its three parts and, in `parts`, what the assistant works on.
/// `isPage`: the frame is the whole document, with its landmarks. `onClose` adds a button that
/// closes it.
export function makeLayout({ strings, service }, { isPage, onClose = null }) {
  const t = (key) => strings.t(key);
  const parts = {
    history: iconButton("history", t("history"), () => {}),
    fresh: iconButton("plus", t("newConversation"), () => {}, { id: "new-conversation" }),
    settings: iconButton("settings", t("settings"), () => {}),
    notes: el("div", { class: "notes" }),
    welcome: el("section", { class: "welcome", id: "welcome" }),
    starters: el("div", { class: "starters" }),
    log: el("div", { id: "log", role: "log", "aria-live": "off", "aria-label": t("conversation") }),
    status: el("p", { class: "spoken", role: "status", id: "status" }),
    reading: el("div", { class: "spoken", "aria-live": "polite", id: "reading" }),
    jump: el("button", { type: "button", class: "jump", id: "jump", hidden: true }, icon("down")),
    composer: el("form", { class: "composer-inner", id: "composer", novalidate: true }),
    about: el("div", { class: "about", id: "about", hidden: true }),
    message: el("textarea", {
      id: "message",
      rows: 1,
      maxlength: 2000,
      enterkeyhint: "send",
      autocomplete: "off",
      dir: "auto",
    }),
    send: el("button", { type: "submit", class: "send", id: "send", disabled: true }),
  };
  parts.jump.setAttribute("aria-label", t("jumpToLatest"));
  parts.jump.title = t("jumpToLatest");
  parts.welcome.append(
    el(isPage ? "h1" : "h2", { class: "welcome-title" }, t("welcomeTitle")),
    el("p", {}, t("welcomeText")),
    parts.starters,
  );
  parts.composer.append(
    parts.about,
    el(
      "div",
      { class: "field" },
      el("label", { class: "spoken", for: "message" }, t("messageLabel")),
      parts.message,
      parts.send,
    ),
  );
  const { history, fresh, settings, notes, welcome, log, status, reading, jump, composer } = parts;
  const close = onClose === null ? null : iconButton("close", t("close"), onClose);
  const title = [
    el("img", { src: `${service.origin}/assets/icon.svg`, alt: "", width: 28, height: 28 }),
    el("span", {}, t("brand")),
  ];
  const inner = el(
    "div",
    { class: "bar-inner" },
    isPage ? el("a", { class: "mark", href: "/" }, title) : el("span", { class: "mark" }, title),
    el("div", { class: "bar-actions" }, history, fresh, settings, close),
  );
  const bar = el(isPage ? "header" : "div", { class: "bar" }, inner);
  const spokenTitle = isPage ? spokenHeading(t("documentTitle"), welcome) : null;
  const main = el(
    isPage ? "main" : "div",
    { class: "conversation" },
    spokenTitle,
    notes,
    welcome,
    log,
    status,
    reading,
  );
  const region = { class: "composer", role: "region", "aria-label": t("messageLabel") };
  const foot = el("div", region, jump, composer);
  return { bar, main, foot, parts: { ...parts, spokenTitle } };
}

/// The page's heading while the welcome, which has one, is away.
function spokenHeading(text, welcome) {
  const heading = el("h1", { class: "spoken", hidden: true }, text);
  new MutationObserver(() => {
    heading.hidden = !welcome.hidden;
  }).observe(welcome, { attributes: true, attributeFilter: ["hidden"] });
  return heading;
}
