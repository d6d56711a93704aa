// Translates a page: every element that names a string, into the language of the browser.

import { Strings } from "./strings.js";

/// Fills `data-text` (content) and `data-label` (aria-label and title) of the document.
export function speak() {
  const strings = new Strings(navigator.languages ?? [navigator.language]);
  document.documentElement.lang = strings.tag;
  for (const element of document.querySelectorAll("[data-text]")) {
    element.textContent = strings.t(element.dataset.text);
  }
  for (const element of document.querySelectorAll("[data-label]")) {
    const label = strings.t(element.dataset.label);
    element.setAttribute("aria-label", label);
    if (element.matches("button, a")) element.title = label;
  }
  return strings;
}
