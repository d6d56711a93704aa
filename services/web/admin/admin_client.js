// Requests of the admin page to its own origin, the admin port, with the operator's key.

/** Why a request failed, in words for the operator. `code` is the API's, such as "conflict". */
export class Refusal extends Error {
  constructor(status, code, message) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

async function refusalOf(response) {
  let code = "";
  let message = `The service answered with status ${response.status}.`;
  try {
    const { error } = await response.json();
    code = String(error.code ?? "");
    if (error.message) message = String(error.message);
  } catch {
    // The body is none of the API's.
  }
  return new Refusal(response.status, code, message);
}

/** The key is in memory here; it is sent in a header and never in an address. */
export class AdminClient {
  #key;
  #onRefusedKey;

  /** `onRefusedKey(refusal)` is called when the service no longer takes the key. */
  constructor(key, onRefusedKey = () => {}) {
    this.#key = key;
    this.#onRefusedKey = onRefusedKey;
  }

  async #fetch(path, { headers = {}, ...options } = {}) {
    let response;
    try {
      response = await fetch(path, {
        credentials: "omit",
        cache: "no-store",
        headers: { Authorization: `Bearer ${this.#key}`, ...headers },
        ...options,
      });
    } catch (error) {
      if (error.name === "AbortError") throw error;
      throw new Refusal(0, "offline", "The service cannot be reached.");
    }
    if (response.ok) return response;
    const refusal = await refusalOf(response);
    if (refusal.status === 401 || refusal.code === "wrong_scope") this.#onRefusedKey(refusal);
    throw refusal;
  }

  async get(path, signal = null) {
    return (await this.#fetch(path, { signal })).json();
  }

  async text(path, signal = null) {
    return (await this.#fetch(path, { signal })).text();
  }

  /** `body` null: none is sent. */
  async send(method, path, body = null, headers = {}) {
    const all = { "Content-Type": "application/json", ...headers };
    const text = body === null ? "" : JSON.stringify(body);
    return (await this.#fetch(path, { method, headers: all, body: text })).json();
  }
}

/** "/admin/shops/tools/faq?id=a%20b"; parameters that are null are left out. */
export function shopPath(shop, route, parameters = {}) {
  const query = new URLSearchParams(
    Object.entries(parameters).filter(([, value]) => value !== null && value !== undefined),
  ).toString();
  const path = `/admin/shops/${encodeURIComponent(shop)}/${route}`;
  return query === "" ? path : `${path}?${query}`;
}

/** The parts of the address: "#faq/edit/returns" is ["faq", "edit", "returns"]. */
export function partsOfHash(hash) {
  return hash
    .replace(/^#/, "")
    .split("/")
    .map((part) => {
      try {
        return decodeURIComponent(part);
      } catch {
        return "";
      }
    });
}

/** Why a key is not taken, for the operator. */
export function reasonOf(refusal) {
  if (refusal.code === "wrong_scope") return "This key is not an admin key.";
  if (refusal.status === 401) return "The service does not know this key, or it has ended.";
  return refusal.message;
}
