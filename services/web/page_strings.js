// The language and the look of a page: what the reader chose, else as the browser says.

import { browserStorage, Preferences } from "./preferences.js";
import { loadStrings } from "./strings.js";

export const preferences = new Preferences(browserStorage("localStorage"));

/// `?developer=1` in the address switches the details for developers on, `0` off.
const asked = new URLSearchParams(location.search).get("developer");
if (asked !== null) preferences.set({ developer: asked === "1" });

/// Loads the texts and sets lang, dir and the look of the document; fills `data-text` (content).
export async function speak() {
  showTheme();
  const strings = await loadStrings(
    navigator.languages ?? [navigator.language],
    preferences.language,
  );
  document.documentElement.lang = strings.tag;
  document.documentElement.dir = strings.direction;
  for (const element of document.querySelectorAll("[data-text]")) {
    element.textContent = strings.t(element.dataset.text);
  }
  return strings;
}

export function showTheme() {
  document.documentElement.dataset.theme = preferences.theme;
}
