// The conditions of an answer as chips: the text of each, and the filter without it. Pure, without
// DOM; data of a wrong shape is left out.

import { formatShortMoney } from "./money.js";

const kColors = new Set(
  "beige black blue bronze brown cyan gold gray green magenta orange pink purple red silver teal transparent white yellow".split(
    " ",
  ),
);

/// Lists of words: the string that shows one of them, or null where the word is enough.
const kLists = [
  ["brands", null],
  ["not_brands", "chipNot"],
  ["categories", null],
  ["not_categories", "chipNot"],
  ["colors", null],
  ["not_colors", "chipNot"],
  ["availability", null],
  ["condition", null],
  ["not", "chipNot"],
];

/// [{part, text, rest}], in a fixed order. `rest` is the value of `filters[part]` for a request
/// with all conditions but this one.
export function filterChips(filters, strings) {
  if (typeof filters !== "object" || filters === null) return [];
  const chips = [];
  const add = (part, text, rest) => text && chips.push({ part, text, rest });
  add("price", priceText(filters.price, strings), null);
  for (const [part, sentence] of kLists) {
    const words = listOf(filters[part]).filter((word) => typeof word === "string" && word !== "");
    words.forEach((word, index) => {
      const value = wordText(part, word, strings);
      const text = sentence === null ? value : strings.t(sentence, { value });
      add(part, text, without(words, index));
    });
  }
  if (typeof filters.location === "string" && filters.location !== "") {
    add("location", strings.t("chipLocation", { value: filters.location }), null);
  }
  if (typeof filters.min_rating === "number") {
    add("min_rating", strings.t("chipRating", { value: filters.min_rating }), null);
  }
  addObjects("attributes", filters.attributes, attributeText, strings, add);
  addObjects("ranges", filters.ranges, rangeText, strings, add);
  return chips;
}

function addObjects(part, list, textOf, strings, add) {
  const sound = listOf(list).filter((each) => typeof each === "object" && each !== null);
  sound.forEach((each, index) => add(part, textOf(each, strings), without(sound, index)));
}

function listOf(value) {
  return Array.isArray(value) ? value : [];
}

function without(list, index) {
  return list.filter((_, other) => other !== index);
}

function wordText(part, word, strings) {
  if (part === "colors" || part === "not_colors") {
    return kColors.has(word) ? strings.t(`color_${word}`) : word;
  }
  if (part === "availability") return strings.has(word) ? strings.t(word) : word;
  if (part === "condition") {
    const key = word === "new" ? "chipNew" : `condition_${word}`;
    return strings.has(key) ? strings.t(key) : word;
  }
  if (part === "categories" || part === "not_categories") return word.split(" > ").at(-1);
  return word;
}

function priceText(price, strings) {
  if (typeof price !== "object" || price === null) return "";
  if (!/^[A-Z]{3}$/.test(price.currency)) return "";
  const show = (amount) =>
    Number.isSafeInteger(amount)
      ? formatShortMoney({ amount, currency: price.currency }, strings.locale)
      : "";
  const [min, max] = [show(price.min), show(price.max)];
  if (min && max) return `${min} – ${max}`;
  if (max) return strings.t("chipPriceMax", { value: max });
  return min ? strings.t("chipPriceMin", { value: min }) : "";
}

function attributeText({ name, values }) {
  const words = listOf(values).filter((value) => typeof value === "string");
  return typeof name === "string" && words.length > 0 ? `${name}: ${words.join(", ")}` : "";
}

function rangeText({ attribute, unit, min, max, above, below }, strings) {
  const number = (value) => new Intl.NumberFormat(strings.locale).format(value);
  const is = (value) => typeof value === "number";
  const words = [];
  if (is(min) && is(max)) words.push(min === max ? number(min) : `${number(min)} – ${number(max)}`);
  else if (is(min)) words.push(`≥ ${number(min)}`);
  else if (is(max)) words.push(`≤ ${number(max)}`);
  if (is(above)) words.push(`> ${number(above)}`);
  if (is(below)) words.push(`< ${number(below)}`);
  if (words.length === 0) return "";
  const name = typeof attribute === "string" && attribute !== "" ? `${attribute} ` : "";
  return name + words.join(" ") + (typeof unit === "string" && unit !== "" ? ` ${unit}` : "");
}
