// The service that a page speaks to: its own origin, or, from a page of a merchant, another one
// with a browser key.

/// Kept in local storage; the service stores a hash of it only.
const kShopperKey = "emptor.shopper.1";

export class Service {
  #headers = {};

  /// `origin` is the service's, such as "https://assistant.example". `key` is a browser key, `shop`
  /// the shop that an operator's key chooses, `storage` keeps the token of this browser; all may be
  /// empty.
  constructor(origin, { key = "", shop = "", storage = null } = {}) {
    this.origin = origin;
    if (key !== "") this.#headers.Authorization = `Bearer ${key}`;
    if (shop !== "") this.#headers["X-Emptor-Shop"] = shop;
    const shopper = shopperToken(storage);
    if (shopper !== "") this.#headers["X-Emptor-Shopper"] = shopper;
  }

  /// fetch() of a path of the service, with the key of this page.
  fetch(path, { headers = {}, ...options } = {}) {
    const all = { ...this.#headers, ...headers };
    return fetch(this.origin + path, { credentials: "omit", headers: all, ...options });
  }

  /// fetch() with a body of JSON.
  send(method, path, body, { headers = {}, ...options } = {}) {
    return this.fetch(path, {
      method,
      headers: { "Content-Type": "application/json", ...headers },
      body: JSON.stringify(body),
      ...options,
    });
  }

  /// The product page of a valid id.
  productUrl(id) {
    return `${this.origin}/p/${encodeURIComponent(id)}`;
  }
}

/// The same for all visits of a browser: 32 hexadecimal digits. Empty where nothing can be kept.
function shopperToken(storage) {
  try {
    const kept = storage?.getItem(kShopperKey) ?? "";
    if (/^[0-9a-f]{32}$/.test(kept)) return kept;
    const bytes = crypto.getRandomValues(new Uint8Array(16));
    const token = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
    storage?.setItem(kShopperKey, token);
    return storage === null ? "" : token;
  } catch {
    return "";
  }
}
