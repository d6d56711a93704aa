// The languages of the page: which one a reader gets, and its texts. Each table is a module of its
// own, so that a page loads one.

/// Each language with its own name, the tag of the lang attribute, and its direction.
export const kLanguages = {
  en: { name: "English", tag: "en", load: () => import("./strings_en.js") },
  de: { name: "Deutsch", tag: "de", load: () => import("./strings_de.js") },
  es: { name: "Español", tag: "es", load: () => import("./strings_es.js") },
  fr: { name: "Français", tag: "fr", load: () => import("./strings_fr.js") },
  zh: { name: "中文", tag: "zh-CN", load: () => import("./strings_zh.js") },
  ar: { name: "العربية", tag: "ar", isRightToLeft: true, load: () => import("./strings_ar.js") },
};

function languageOf(tag) {
  return tag.split("-")[0].toLowerCase();
}

/// The first of `preferred` (BCP 47 tags, best first) that the page has, else English.
/// `chosen` is a language that the reader chose, or null; it comes first.
export function chooseLanguage(preferred, chosen = null) {
  const tags = chosen === null ? preferred : preferred.filter((tag) => languageOf(tag) === chosen);
  const tag = tags.find((candidate) => Object.hasOwn(kLanguages, languageOf(candidate)));
  if (tag !== undefined) return { language: languageOf(tag), locale: tag };
  if (Object.hasOwn(kLanguages, chosen ?? "")) return { language: chosen, locale: chosen };
  return { language: "en", locale: "en-US" };
}

/// The texts in the language of chooseLanguage().
export async function loadStrings(preferred, chosen = null) {
  const { language, locale } = chooseLanguage(preferred, chosen);
  return new Strings({ language, locale, table: (await kLanguages[language].load()).default });
}

/// The strings of one language: t("answer"), t("source", {n: 2}), t("reviews", {count: 3}).
export class Strings {
  #table;

  constructor({ language, locale, table }) {
    this.language = language;
    /// For numbers and money: the reader's own region where it fits the language.
    this.locale = locale;
    /// For the lang and dir attributes.
    this.tag = kLanguages[language].tag;
    this.direction = kLanguages[language].isRightToLeft ? "rtl" : "ltr";
    this.#table = table;
  }

  t(key, values = {}) {
    const entry = this.#table[key];
    if (entry === undefined) throw new RangeError(`no string "${key}"`);
    const text = typeof entry === "string" ? entry : this.#plural(entry, values.count);
    return text.replace(/\{(\w+)\}/g, (mark, name) =>
      name in values ? this.#show(values[name]) : mark,
    );
  }

  has(key) {
    return Object.hasOwn(this.#table, key);
  }

  #plural(forms, count) {
    return forms[new Intl.PluralRules(this.locale).select(count)] ?? forms.other;
  }

  #show(value) {
    return typeof value === "number" ? new Intl.NumberFormat(this.locale).format(value) : value;
  }
}
