// The panel of the widget: the assistant in a dialog. On a phone it is modal and covers the window;
// on a wide window the page next to it stays usable by mouse, while Tab stays inside until Escape.

import { isComposing, startAssistant } from "./assistant.js";
import { el } from "./dom.js";
import { makeLayout } from "./layout.js";
import { browserStorage } from "./preferences.js";
import { Service } from "./service.js";
import { adoptStyles, isPhone } from "./widget_launcher.js";

const kStyles = ["chat.css", "answer.css", "cards.css", "composer.css", "dialogs.css"];
const kFocusable =
  "a[href], button:not(:disabled), textarea, input, select, summary, [tabindex='0']";

/// Builds the panel of a widget (see widget_launcher). Returns {toggle, end}.
export async function makePanel(widget, { onToggle, onLanguage }) {
  const { options, strings, preferences, root, frame, tab } = widget;
  await adoptStyles(root, options.origin, kStyles);
  const storage = browserStorage("localStorage");
  const { key, shop } = options;
  const service = new Service(options.origin, { key, shop, storage });
  const panel = el("dialog", { class: "panel", "aria-label": strings.t("documentTitle") });
  const close = () => panel.close();
  // A link to the merchant's own page is the way to the product here.
  const productHref = ({ id, link }) => link ?? service.productUrl(id);
  const ui = { strings, service, preferences, root, host: panel, productHref };
  const { bar, main, foot, parts } = makeLayout(ui, { isPage: false, onClose: close });
  panel.append(bar, main, foot);
  frame.append(panel);
  const assistant = startAssistant(ui, parts, {
    storage,
    tab,
    scroller: panel,
    productId: options.product ?? null,
    onSetting(name) {
      if (name === "language") onLanguage();
      if (name === "theme") frame.dataset.theme = preferences.theme;
    },
  });
  listen(panel, assistant);
  panel.addEventListener("close", () => {
    widget.button.focus({ preventScroll: true });
    onToggle(false);
  });
  const save = () => assistant.save();
  addEventListener("pagehide", save);
  return {
    toggle({ takesFocus }) {
      if (panel.open) return close();
      open(panel, parts, takesFocus);
      return onToggle(true);
    },
    end() {
      assistant.stop();
      assistant.save();
      removeEventListener("pagehide", save);
    },
  };
}

function open(panel, parts, takesFocus) {
  if (isPhone()) panel.showModal();
  else {
    const before = document.activeElement;
    panel.show();
    if (!takesFocus) before?.focus?.({ preventScroll: true });
  }
  if (takesFocus) parts.message.focus({ preventScroll: true });
}

function listen(panel, assistant) {
  panel.addEventListener("keydown", (event) => {
    // Shortcuts of the page are not for what is typed here.
    event.stopPropagation();
    if (event.key === "Escape" && !isComposing(event)) {
      event.preventDefault();
      if (assistant.isRunning()) assistant.stop();
      else panel.close();
    }
    if (event.key === "Tab") keepInside(panel, event);
  });
  // The browser's own way to close, such as the back gesture of a phone.
  panel.addEventListener("cancel", (event) => {
    if (event.target !== panel || !assistant.isRunning()) return;
    event.preventDefault();
    assistant.stop();
  });
  for (const type of ["keyup", "keypress"]) {
    panel.addEventListener(type, (event) => event.stopPropagation());
  }
  panel.addEventListener("click", (event) => {
    const link = event.target.closest("a[href]");
    if (link === null || link.target !== "" || new URL(link.href).origin === location.origin)
      return;
    link.target = "_blank";
    link.rel = "noopener";
  });
}

/// Tab goes from the last control to the first one, and back.
function keepInside(panel, event) {
  const controls = [...panel.querySelectorAll(kFocusable)].filter((node) => node.checkVisibility());
  const [first, last] = [controls[0], controls.at(-1)];
  const { activeElement } = panel.getRootNode();
  const isAtEnd = activeElement === (event.shiftKey ? first : last);
  if (!isAtEnd && panel.contains(activeElement)) return;
  event.preventDefault();
  (event.shiftKey ? last : first)?.focus();
}
