// The category page: the service wrote it; what is left is the look that the reader chose, and
// pictures that do not load.

import { icon } from "./dom.js";
import { browserStorage, Preferences } from "./preferences.js";

function showSign(image) {
  const frame = image.closest(".picture");
  frame.classList.add("picture-missing");
  frame.replaceChildren(icon("image"));
}

document.documentElement.dataset.theme = new Preferences(browserStorage("localStorage")).theme;
for (const frame of document.querySelectorAll(".picture-missing")) {
  frame.replaceChildren(icon("image"));
}
for (const image of document.querySelectorAll(".picture img")) {
  image.addEventListener("error", () => showSign(image), { once: true });
  if (image.complete && image.naturalWidth === 0) showSign(image);
}
