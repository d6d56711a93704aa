// The demo product page: the live record of /p/{id}, and a link to ask the assistant about it.

import { availabilityLine, picture, priceLine, ratingLine, shopLink } from "./cards.js";
import { fetchProduct } from "./catalog_client.js";
import { el, icon } from "./dom.js";
import { speak } from "./page_strings.js";
import { productIdOfPath } from "./safe_url.js";
import { Service } from "./service.js";

const kMaxThumbnails = 6;

const strings = await speak();
const service = new Service(location.origin);
const main = document.getElementById("product");
/// The way to the product's category, written by the service.
const hasCrumbs = document.querySelector(".crumbs") !== null;

/// Until the record is there, where the service has not written it into the page.
if (main.querySelector("h1") === null) {
  main.setAttribute("aria-busy", "true");
  main.append(el("p", { class: "waiting" }, strings.t("loadingProduct")));
}

async function show() {
  const id = productIdOfPath(location.pathname);
  let nodes;
  try {
    const product = id === null ? null : await fetchProduct(service, id);
    nodes = product === null ? missing() : productNodes(product);
    document.title = product?.title ?? strings.t("productMissing");
  } catch {
    nodes = failed();
  }
  main.replaceChildren(...nodes.filter((node) => node !== null));
  main.setAttribute("aria-busy", "false");
}

function missing() {
  return [
    el(
      "div",
      { class: "empty" },
      el("h1", {}, strings.t("productMissing")),
      el("p", {}, strings.t("productMissingText")),
      el("a", { class: "button", href: "/" }, strings.t("backToChat")),
    ),
  ];
}

function failed() {
  const retry = el("button", { type: "button", class: "button" }, strings.t("tryAgain"));
  retry.addEventListener("click", () => {
    main.setAttribute("aria-busy", "true");
    show();
  });
  return [
    el("div", { class: "empty", role: "alert" }, el("h1", {}, strings.t("productFailed")), retry),
  ];
}

function productNodes(product) {
  return [
    gallery(product),
    el(
      "div",
      { class: "product-words" },
      facts(product),
      section(
        "description",
        product.description === ""
          ? null
          : el("p", { class: "product-description", dir: "auto" }, product.description),
      ),
      section("details", attributeTable(product)),
    ),
  ];
}

function facts(product) {
  const condition = `condition_${product.condition}`;
  return el(
    "div",
    { class: "product-facts" },
    hasCrumbs || product.categories.length === 0
      ? null
      : el(
          "p",
          { class: "product-category", dir: "auto" },
          product.categories[0].replaceAll(" > ", " › "),
        ),
    el("h1", { class: "product-title", dir: "auto", lang: product.locale || null }, product.title),
    product.brand ? el("p", { class: "product-brand", dir: "auto" }, product.brand) : null,
    ratingLine(product, strings, { long: true }),
    el("p", { class: "product-price" }, priceLine(product, strings)),
    el(
      "p",
      { class: "product-stock" },
      availabilityLine(product, strings),
      strings.has(condition) ? el("span", { class: "condition" }, strings.t(condition)) : null,
    ),
    shopLink(product, strings, "button product-buy"),
    el(
      "a",
      {
        class: product.link === null ? "button product-ask" : "button-quiet product-ask",
        href: `/?product=${encodeURIComponent(product.id)}`,
      },
      icon("chat"),
      strings.t("askAboutThis"),
    ),
  );
}

function section(key, content) {
  if (content === null) return null;
  return el(
    "section",
    { class: `product-section product-${key}`, "aria-label": strings.t(key) },
    el("h2", {}, strings.t(key)),
    content,
  );
}

/// The main picture and, when there are more, small ones that change it.
function gallery(product) {
  const show = (url) => picture(url, { label: product.title, eager: true, strings });
  const stage = el("div", { class: "gallery-stage" }, show(product.images[0]));
  if (product.images.length < 2) return el("div", { class: "gallery" }, stage);
  const buttons = product.images.slice(0, kMaxThumbnails).map((url, index) =>
    el(
      "button",
      {
        type: "button",
        class: "thumbnail",
        "aria-pressed": String(index === 0),
        "aria-label": strings.t("picture", { n: index + 1 }),
      },
      picture(url, { strings }),
    ),
  );
  buttons.forEach((button, index) =>
    button.addEventListener("click", () => {
      stage.replaceChildren(show(product.images[index]));
      buttons.forEach((other) => other.setAttribute("aria-pressed", String(other === button)));
    }),
  );
  return el(
    "div",
    { class: "gallery" },
    stage,
    el("div", { class: "thumbnails", role: "group", "aria-label": strings.t("pictures") }, buttons),
  );
}

function attributeTable({ attributes }) {
  if (attributes.length === 0) return null;
  return el(
    "table",
    { class: "attributes" },
    el(
      "tbody",
      {},
      ...attributes.map(({ name, value }) =>
        el(
          "tr",
          {},
          el("th", { scope: "row", dir: "auto" }, sentenceCase(name)),
          el("td", { dir: "auto" }, value),
        ),
      ),
    ),
  );
}

function sentenceCase(name) {
  const words = name.replaceAll("_", " ");
  return words.charAt(0).toLocaleUpperCase(strings.locale) + words.slice(1);
}

show();
