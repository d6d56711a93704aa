// What a reader chose for this browser: language, light or dark, details for developers.

const kKey = "emptor.preferences.1";
export const kThemes = ["auto", "light", "dark"];

/// Storage of the browser ("localStorage" or "sessionStorage"), or null where it is forbidden.
export function browserStorage(name) {
  try {
    return window[name];
  } catch {
    return null;
  }
}

export class Preferences {
  #storage;
  #values;

  constructor(storage) {
    this.#storage = storage;
    this.#values = read(storage);
  }

  /// Null: as the browser says.
  get language() {
    return typeof this.#values.language === "string" ? this.#values.language : null;
  }
  get theme() {
    return kThemes.includes(this.#values.theme) ? this.#values.theme : "auto";
  }
  get developer() {
    return this.#values.developer === true;
  }

  /// Sets some of language, theme and developer, for this visit and the next ones.
  set(values) {
    Object.assign(this.#values, values);
    try {
      this.#storage?.setItem(kKey, JSON.stringify(this.#values));
    } catch {
      // Full or forbidden storage: the choice holds for this visit.
    }
  }
}

function read(storage) {
  try {
    const values = JSON.parse(storage?.getItem(kKey) ?? "{}");
    return typeof values === "object" && values !== null ? values : {};
  } catch {
    return {};
  }
}
