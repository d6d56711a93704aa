// The button of the widget, in a shadow root of its own: neither side's styles reach the other.

import { el, icon } from "./dom.js";
import { browserStorage, Preferences } from "./preferences.js";
import { loadStrings } from "./strings.js";

const kButtonStyles = ["base.css", "widget.css"];
const kOpenKey = "emptor.widget.open";

/// Puts the widget at the end of the page. `options`: `origin` of the service, the browser `key`,
/// and where given `shop`, `product` (an id that the first questions are about), `language`,
/// `theme` and `position` ("start" or "end"). `isOpen` opens it at once.
export async function mount(options, { isOpen = false } = {}) {
  const preferences = new Preferences(browserStorage("localStorage"));
  const preferred = navigator.languages ?? [navigator.language];
  const strings = await loadStrings(preferred, preferences.language ?? options.language ?? null);
  const host = document.createElement("emptor-assistant");
  const root = host.attachShadow({ mode: "open" });
  await adoptStyles(root, options.origin, kButtonStyles);
  const label = strings.t("openAssistant");
  const button = el(
    "button",
    { type: "button", class: "launcher", "aria-haspopup": "dialog", "aria-expanded": "false" },
    icon("chat"),
    el("span", { class: "spoken" }, label),
  );
  button.title = label;
  const frame = el(
    "div",
    {
      class: `frame frame-${options.position === "start" ? "start" : "end"}`,
      lang: strings.tag,
      dir: strings.direction,
      "data-theme": preferences.theme === "auto" ? options.theme : preferences.theme,
    },
    button,
  );
  root.append(frame);
  await bodyOf(document);
  document.body.append(host);
  const tab = browserStorage("sessionStorage");
  const widget = { options, preferences, strings, host, root, frame, button, tab, panel: null };
  button.addEventListener("click", () => toggle(widget));
  if (isOpen || wasOpen(widget)) await toggle(widget, { takesFocus: isOpen });
}

/// Adds style sheets of the service. They are fetched, not linked: the page's policy then needs to
/// allow the service as a place to connect to alone.
export async function adoptStyles(root, origin, names) {
  const sheets = names.map(async (name) => {
    const response = await fetch(`${origin}/assets/${name}`, { credentials: "omit" });
    if (!response.ok) throw new Error(`${name}: HTTP ${response.status}`);
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(await response.text());
    return sheet;
  });
  root.adoptedStyleSheets = [...root.adoptedStyleSheets, ...(await Promise.all(sheets))];
}

async function toggle(widget, { takesFocus = true } = {}) {
  const { button, frame, strings } = widget;
  if (widget.panel === null) {
    button.setAttribute("aria-busy", "true");
    try {
      const { makePanel } = await import("./widget_panel.js");
      widget.panel = await makePanel(widget, {
        onToggle: (isOpen) => keepOpen(widget, isOpen),
        onLanguage: () => remount(widget),
      });
      frame.querySelector(".launcher-note")?.remove();
    } catch (error) {
      console.error("emptor widget:", error);
      frame.querySelector(".launcher-note")?.remove();
      frame.append(el("p", { class: "launcher-note", role: "alert" }, strings.t("widgetFailed")));
      return;
    } finally {
      button.removeAttribute("aria-busy");
    }
  }
  widget.panel.toggle({ takesFocus });
}

function keepOpen({ button, tab }, isOpen) {
  button.setAttribute("aria-expanded", String(isOpen));
  try {
    tab?.setItem(kOpenKey, isOpen ? "1" : "");
  } catch {
    // Without storage the next page begins closed.
  }
}

/// On a wide window the widget stays open from page to page; on a phone it would cover each.
function wasOpen({ tab }) {
  try {
    return tab?.getItem(kOpenKey) === "1" && !isPhone();
  } catch {
    return false;
  }
}

/// The panel covers the whole window here.
export function isPhone() {
  return matchMedia("(max-width: 560px)").matches;
}

async function remount({ host, options, panel }) {
  panel.end();
  host.remove();
  await mount(options, { isOpen: true });
}

function bodyOf({ body }) {
  if (body !== null) return Promise.resolve();
  return new Promise((resolve) =>
    document.addEventListener("DOMContentLoaded", resolve, { once: true }),
  );
}
