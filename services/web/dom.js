// Builds DOM nodes. The page makes every element here: from names, attributes and text, never
// from markup, so that no text of a shop, a shopper or a model can become an element.

const kSvgNamespace = "http://www.w3.org/2000/svg";
const kForbiddenAttribute = /^(on.*|style|srcdoc)$/i;

function build(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (kForbiddenAttribute.test(name)) throw new TypeError(`attribute ${name} is not allowed`);
    if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) {
      element.setAttribute(name, String(value));
    }
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

/// An HTML element. Strings among the children become text; null and undefined are left out, and so
/// are attributes that are null, undefined or false.
export function el(name, attributes = {}, ...children) {
  return build(document.createElement(name), attributes, children);
}

export function svg(name, attributes = {}, ...children) {
  return build(document.createElementNS(kSvgNamespace, name), attributes, children);
}

/// Paths of the icons, drawn with a stroke on a 24 by 24 grid.
const kIcons = {
  send: "M12 19V5 M6 11l6-6 6 6",
  stop: "M8 8h8v8H8z",
  plus: "M12 5v14 M5 12h14",
  down: "M12 5v14 M6 13l6 6 6-6",
  back: "M19 12H5 M11 6l-6 6 6 6",
  previous: "M14.5 6l-6 6 6 6",
  next: "M9.5 6l6 6-6 6",
  close: "M7 7l10 10 M17 7L7 17",
  history: "M4 12a8 8 0 1 0 2.5-5.8 M4 4.5v3.7h3.7 M12 8v4.4l3 1.8",
  settings: "M4 7h9 M17 7h3 M4 17h3 M11 17h9 M15 5v4 M9 15v4",
  copy: "M9 9h10v10H9z M15 9V5H5v10h4",
  check: "M5 12.5l4.5 4.5L19 7.5",
  edit: "M5 19h3.5L19 8.5 15.5 5 5 15.5z M13 7.5l3.5 3.5",
  again: "M20 12a8 8 0 1 1-2.5-5.8 M20 4.5v3.7h-3.7",
  up: "M7 11v9H4v-9z M7 11l4-7a2 2 0 0 1 2 2v4h5.5a1.5 1.5 0 0 1 1.5 1.8l-1.2 6.7a2 2 0 0 1-2 1.5H7",
  down_thumb:
    "M17 13V4h3v9z M17 13l-4 7a2 2 0 0 1-2-2v-4H5.5A1.5 1.5 0 0 1 4 12.2l1.2-6.7a2 2 0 0 1 2-1.5H17",
  compare: "M5 5h6v14H5z M13 5h6v14h-6z",
  trash: "M5 7h14 M10 7V4.5h4V7 M7 7l1 13h8l1-13 M10.5 11v5 M13.5 11v5",
  download: "M12 4v11 M7 11l5 5 5-5 M5 20h14",
  external: "M14 5h5v5 M19 5l-8 8 M17 14v5H5V7h5",
  mark: "M12 4l7 3v5c0 4-3 7-7 8-4-1-7-4-7-8V7z M9 12l2.2 2.2L15 10.5",
  chat: "M6 5h12a1 1 0 0 1 1 1v9a1 1 0 0 1-1 1h-7l-4 3.5V16H6a1 1 0 0 1-1-1V6a1 1 0 0 1 1-1z",
  image:
    "M6 5h12a1 1 0 0 1 1 1v12a1 1 0 0 1-1 1H6a1 1 0 0 1-1-1V6a1 1 0 0 1 1-1z M5 16l4.5-4.5 3 3L15 12l4 4 M14.5 9h.01",
};

/// A decorative icon; text next to it or a label has its meaning.
export function icon(name) {
  return svg(
    "svg",
    { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true" },
    svg("path", { d: kIcons[name] }),
  );
}

/// A round button that shows an icon; its name is `label`.
export function iconButton(name, label, onClick, attributes = {}) {
  const { class: classes = "icon-button", ...others } = attributes;
  const button = el(
    "button",
    { type: "button", class: classes, "aria-label": label, title: label, ...others },
    icon(name),
  );
  button.addEventListener("click", onClick);
  return button;
}

/// A button with words.
export function textButton(text, onClick, attributes = {}) {
  const button = el("button", { type: "button", class: "button-quiet", ...attributes }, text);
  button.addEventListener("click", onClick);
  return button;
}

/// Text for screen readers only.
export function spoken(text) {
  return el("span", { class: "spoken" }, text);
}
