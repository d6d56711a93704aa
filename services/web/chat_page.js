// The chat page: the assistant as a whole document.

import { isComposing, startAssistant } from "./assistant.js";
import { makeLayout } from "./layout.js";
import { preferences, showTheme, speak } from "./page_strings.js";
import { browserStorage } from "./preferences.js";
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
    onForget: () => history.replaceState(null, "", "/"),
    onSetting(name) {
      if (name === "theme") showTheme();
      if (name === "language") location.reload();
    },
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && !isComposing(event)) assistant.stop();
  });
  addEventListener("pagehide", () => assistant.save());
  assistant.focus();
}

start();
