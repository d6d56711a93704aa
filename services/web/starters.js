// Questions to start with, made from what this shop sells: its popular products, their categories
// and prices, and its brands.

import { decimalText, formatShortMoney, isMoney } from "./money.js";

const kMaxStarters = 4;
const kSampleSize = 24;
/// A longer name does not read as part of a question.
const kMaxName = 28;

/// At most four questions; none where the shop cannot be asked. The one about shipping is among
/// them if the shop's help answers it.
export async function fetchStarters(service, strings) {
  const general = strings.t("starterShipping");
  const [goods, help] = await Promise.all([
    popularGoods(service, strings),
    readReply(service, "/v1/faq/lookup", { question: general, locale: strings.locale }),
  ]);
  const questions = goods === null ? [] : startersOf(goods, strings);
  // "unsure" is an entry near the question: the assistant answers from it, or asks.
  return ["hit", "unsure"].includes(help?.decision) ? [...questions, general] : questions;
}

/// Popular goods in the reader's language where the shop has some, else in any.
async function popularGoods(service, { language }) {
  const search = (filters) =>
    readReply(service, "/v1/search", {
      query: "",
      filters: { availability: ["in_stock"], ...filters },
      sort: "popularity",
      facets: true,
      limit: kSampleSize,
    });
  const own = await search({ locale: language });
  return own?.items?.length > 0 ? own : search({});
}

/// The reply to a question to the service, or null.
async function readReply(service, path, body) {
  try {
    const response = await service.send("POST", path, body);
    return response.ok ? await response.json() : null;
  } catch {
    return null;
  }
}

/// Up to three questions from the reply of a search over the shop. Pure; data of a wrong shape is
/// left out.
export function startersOf({ items, facets }, strings) {
  const goods = categoriesOf(listOf(items));
  const questions = [];
  const [priced, ...others] = goods.filter(({ price }) => price !== null);
  // "Health & personal care" is no name in the middle of a sentence.
  const rated = others.find(({ name, isRated }) => isRated && !/[&,/]/.test(name));
  if (priced) questions.push(underPrice(priced, strings));
  if (rated)
    questions.push(strings.t("starterBest", { category: inSentence(rated.name, strings) }));
  for (const brand of brandsOf(items, facets)) {
    if (questions.length + 1 === kMaxStarters) break;
    questions.push(strings.t("starterBrand", { brand }));
    if (goods.length > 1) break;
  }
  return questions.slice(0, kMaxStarters - 1);
}

function listOf(value) {
  return Array.isArray(value) ? value : [];
}

/// The innermost category of each product, once, with the price of its first product.
function categoriesOf(items) {
  const found = new Map();
  for (const item of items) {
    const path = listOf(item?.categories)[0];
    const name = typeof path === "string" ? path.split(" > ").at(-1).trim() : "";
    if (name === "" || name.length > kMaxName || found.has(name)) continue;
    const price = isMoney(item.price) && item.price.amount > 0 ? item.price : null;
    found.set(name, { name, price, isRated: item.rating?.count > 0 });
  }
  return [...found.values()];
}

function brandsOf(items, facets) {
  const counted = listOf(facets?.brands).map((facet) => facet?.value);
  const sampled = listOf(items).map((item) => item?.brand);
  const names = [...counted, ...sampled];
  const isName = (name) => typeof name === "string" && name !== "" && name.length <= kMaxName;
  return [...new Set(names.filter(isName))];
}

function underPrice({ name, price }, strings) {
  const bound = { ...price, amount: roundUp(price) };
  const shown = formatShortMoney(bound, strings.locale);
  return strings.t("starterUnderPrice", { category: name, price: shown });
}

/// A price that a shopper would name, not below the product's own: 10949 is 150.00, 2349 is 25.00.
function roundUp({ amount, currency }) {
  const minor = amount / Number(decimalText({ amount, currency }));
  const value = amount / minor;
  const step = Math.max(1, 10 ** Math.floor(Math.log10(value)) / 2);
  return Math.round(Math.ceil(value / step) * step * minor);
}

/// A category inside a sentence: its capitals are those of a heading in languages that use capitals
/// for names alone.
function inSentence(name, { language, locale }) {
  const keeps = language === "de" || /\p{Lu}\p{Lu}/u.test(name);
  return keeps ? name : name.toLocaleLowerCase(locale);
}
