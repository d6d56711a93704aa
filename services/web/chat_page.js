// The chat page: the assistant as a whole document.

import { isComposing, startAssistant } from "./assistant.js";
import { makeLayout } from "./layout.js";
import { preferences, showTheme, speak } from "./page_strings.js";
import { browserStorage } from "./preferences.js";
import { addressWith, conversationIdOf } from "./restore.js";
import { Service } from "./service.js";

async function start() {
  const strings = await speak();
  document.title = strings.t("documentTitle");
  const storage = browserStorage("localStorage");
  const service = new Service(location.origin, { storage });
  const ui = {
    strings,
    service,
    preferences,
    root: document,
    host: document.body,
    productHref: ({ id }) => service.productUrl(id),
  };
  const { bar, main, foot, parts } = makeLayout(ui, { isPage: true });
  document.body.append(bar, main, foot);
  const assistant = startAssistant(ui, parts, {
    storage,
    tab: browserStorage("sessionStorage"),
    productId: new URLSearchParams(location.search).get("product"),
    onForget: () => history.replaceState(null, "", `/${location.hash}`),
    address: {
      read: () => conversationIdOf(location.hash),
      write(id) {
        if (conversationIdOf(location.hash) === id) return;
        history.replaceState(null, "", addressWith(id, location));
      },
    },
    onSetting(name) {
      if (name === "theme") showTheme();
      if (name === "language") location.reload();
    },
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && !isComposing(event)) assistant.stop();
  });
  addEventListener("hashchange", () => {
    const id = conversationIdOf(location.hash);
    if (id !== null) assistant.open(id);
  });
  addEventListener("pagehide", () => assistant.save());
  assistant.focus();
}

start();
