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

/// Text for screen readers only.
export function spoken(text) {
  return el("span", { class: "spoken" }, text);
}
