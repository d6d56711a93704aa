// Shows which product the next questions are about, with a button that closes it.

import { picture } from "./cards.js";
import { fetchProduct } from "./catalog_client.js";
import { el, icon } from "./dom.js";

export class AboutView {
  #container;
  #service;
  #strings;
  #onClose;
  #id = null;

  /// `onClose()` is called when the shopper closes it, or the catalog does not have the product.
  constructor(container, { service, strings }, onClose) {
    this.#container = container;
    this.#service = service;
    this.#strings = strings;
    this.#onClose = onClose;
  }

  hide() {
    this.#id = null;
    this.#container.hidden = true;
    this.#container.replaceChildren();
  }

  /// Shows the product once its record is here; its id alone when the record cannot be read now.
  async show(id) {
    this.#id = id;
    let product;
    try {
      product = await fetchProduct(this.#service, id);
    } catch {
      product = undefined;
    }
    if (this.#id !== id) return;
    if (product === null) {
      this.#onClose();
      return;
    }
    const image = product ? picture(product.images[0], { strings: this.#strings }) : "";
    this.#container.replaceChildren(image, this.#words(product), this.#closeButton());
    this.#container.hidden = false;
  }

  #words(product) {
    const link = { href: this.#service.productUrl(this.#id), class: "about-title", dir: "auto" };
    return el(
      "span",
      { class: "about-words" },
      el("span", { class: "about-label" }, this.#strings.t("askingAbout")),
      el("a", link, product?.title ?? this.#id),
    );
  }

  #closeButton() {
    const label = this.#strings.t("stopAskingAbout");
    const attributes = { type: "button", class: "about-close", "aria-label": label, title: label };
    const button = el("button", attributes, icon("close"));
    button.addEventListener("click", () => this.#onClose());
    return button;
  }
}
