// Shows a product: as a card of an answer, and the parts that the product page shares with it.

import { el, icon, spoken, svg } from "./dom.js";
import { formatMoney } from "./money.js";

const kStar = "M10 1.8l2.5 5.2 5.7.8-4.1 4 1 5.7-5.1-2.7-5.1 2.7 1-5.7-4.1-4 5.7-.8z";

/// A frame of fixed shape with the picture in it; an icon where there is none or it does not load.
/// The title is next to the picture, so the picture has no text unless `label` is given.
export function picture(url, { label = "", eager = false, strings }) {
  const frame = el("span", { class: "picture" });
  const showSign = () => {
    frame.classList.add("picture-missing");
    frame.replaceChildren(icon("image"), spoken(strings.t("noImage")));
  };
  if (url === undefined) {
    showSign();
    return frame;
  }
  const image = el("img", {
    alt: label,
    width: 400,
    height: 400,
    decoding: "async",
    loading: eager ? "eager" : "lazy",
    referrerpolicy: "no-referrer",
  });
  image.addEventListener("error", showSign, { once: true });
  image.src = url;
  frame.append(image);
  return frame;
}

/// The price payable now and, while a sale holds, the list price struck through.
export function priceLine(product, strings) {
  if (product.price === null) {
    return el("span", { class: "price price-unknown" }, strings.t("priceUnknown"));
  }
  // An amount runs from left to right in every language.
  const amount = (money) => el("bdi", { dir: "ltr" }, formatMoney(money, strings.locale));
  const now = el("span", { class: "price-now" }, amount(product.price));
  if (product.wasPrice === null) return el("span", { class: "price" }, now);
  const was = el(
    "s",
    { class: "price-was" },
    spoken(`${strings.t("wasPrice")} `),
    amount(product.wasPrice),
  );
  return el("span", { class: "price price-sale" }, now, " ", was);
}

function starRow(fill) {
  const row = (name) =>
    svg(
      "g",
      { class: name },
      ...[0, 1, 2, 3, 4].map((n) => svg("path", { d: kStar, transform: `translate(${n * 20} 0)` })),
    );
  const width = fill * 20;
  return svg(
    "svg",
    { class: "stars", viewBox: "0 0 100 20", "aria-hidden": "true" },
    row("stars-off"),
    svg("svg", { width, height: 20, viewBox: `0 0 ${width || 1} 20` }, row("stars-on")),
  );
}

/// Five stars filled to the mean, the mean with one decimal, and the number of reviews.
/// Null for a product without ratings.
export function ratingLine({ rating }, strings, { long = false } = {}) {
  if (rating === null || rating.count === 0) return null;
  const number = new Intl.NumberFormat(strings.locale);
  const mean = new Intl.NumberFormat(strings.locale, {
    minimumFractionDigits: 1,
    maximumFractionDigits: 1,
  }).format(rating.value);
  const reviews = strings.t("reviews", { count: rating.count });
  return el(
    "span",
    { class: "rating" },
    starRow(rating.value),
    spoken(strings.t("ratingLabel", { value: mean })),
    el("span", { class: "rating-mean", "aria-hidden": "true" }, mean),
    el(
      "span",
      { class: "rating-count", "aria-hidden": long ? null : "true" },
      long ? reviews : `(${number.format(rating.count)})`,
    ),
    long ? null : spoken(reviews),
  );
}

export function availabilityLine({ availability }, strings) {
  if (availability === null) return null;
  return el("span", { class: `stock stock-${availability}` }, strings.t(availability));
}

/// One card. All of it leads to the product's page; the button leads to the merchant's own page,
/// where the record names one.
export function productCard(product, { id, ui }) {
  const { strings } = ui;
  const link = el(
    "a",
    {
      class: "card-link",
      id,
      href: ui.productHref(product),
      "data-product-id": product.id,
      title: product.title,
    },
    product.title,
  );
  return el(
    "li",
    { class: "cards-item" },
    el(
      "div",
      { class: `card card-${product.availability ?? "unknown"}` },
      picture(product.images[0], { strings }),
      el("span", { class: "card-number", "aria-hidden": "true" }, String(product.n)),
      el(
        "div",
        { class: "card-body" },
        el("span", { class: "card-title", dir: "auto" }, link),
        product.variant ? el("span", { class: "card-variant", dir: "auto" }, product.variant) : null,
        product.brand ? el("span", { class: "card-brand", dir: "auto" }, product.brand) : null,
        el(
          "div",
          { class: "card-buy" },
          priceLine(product, strings),
          shopLink(product, strings, "card-shop") ??
            el("span", { class: "card-shop", "aria-hidden": "true" }, strings.t("viewDetails")),
        ),
        el(
          "div",
          { class: "card-facts" },
          ratingLine(product, strings),
          availabilityLine(product, strings),
        ),
      ),
    ),
  );
}

/// The way to buy: the merchant's own page of the product, in a new tab. Null where the record
/// names none.
export function shopLink(product, strings, classes) {
  if (product.link === null) return null;
  return el(
    "a",
    {
      class: classes,
      href: product.link,
      "data-product-id": product.id,
      target: "_blank",
      rel: "noopener",
      "aria-label": strings.t("viewInShopLabel", { title: product.title }),
    },
    strings.t("viewInShop"),
    icon("external"),
  );
}

/// The cards side by side, scrolled by touch, keys, or on wide screens by two buttons.
export function productShelf(products, { idPrefix, ui }) {
  const { strings } = ui;
  const row = el(
    "ul",
    { class: "cards", role: "list" },
    ...products.map((product) => productCard(product, { id: `${idPrefix}-${product.n}`, ui })),
  );
  const previous = shelfButton("previous", strings.t("showPrevious"));
  const next = shelfButton("next", strings.t("showNext"));
  const move = (pages) => {
    const sign = getComputedStyle(row).direction === "rtl" ? -1 : 1;
    row.scrollBy({ left: sign * pages * row.clientWidth * 0.8 });
  };
  previous.addEventListener("click", () => move(-1));
  next.addEventListener("click", () => move(1));
  const update = () => {
    const at = Math.abs(row.scrollLeft);
    previous.hidden = at < 4;
    next.hidden = at + row.clientWidth > row.scrollWidth - 4;
  };
  row.addEventListener("scroll", update, { passive: true });
  new ResizeObserver(update).observe(row);
  return el(
    "div",
    { class: "shelf", role: "group", "aria-label": strings.t("products") },
    row,
    previous,
    next,
  );
}

function shelfButton(direction, label) {
  return el(
    "button",
    {
      type: "button",
      class: `shelf-button shelf-${direction}`,
      "aria-label": label,
      title: label,
      hidden: true,
    },
    icon(direction),
  );
}
