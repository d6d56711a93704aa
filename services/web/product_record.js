// Turns a product as the service sends it into one that the page can show without further checks.

import { isMoney } from "./money.js";
import { isProductId, safeWebUrl } from "./safe_url.js";

const kAvailability = new Set(["in_stock", "out_of_stock", "preorder", "backorder"]);

function textOf(value) {
  return typeof value === "string" ? value : "";
}

function ratingOf(value) {
  if (typeof value !== "object" || value === null) return null;
  const { value: mean, count } = value;
  if (typeof mean !== "number" || !(mean >= 0 && mean <= 5)) return null;
  return { value: mean, count: Number.isSafeInteger(count) && count > 0 ? count : 0 };
}

/// Name and text of each attribute, in the order sent. A list becomes its values with commas.
function attributesOf(value) {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return [];
  return Object.entries(value)
    .map(([name, content]) => ({
      name,
      value: Array.isArray(content) ? content.join(", ") : String(content ?? ""),
    }))
    .filter((attribute) => attribute.value !== "");
}

/// The product with every field present and of its type, or null when it has no valid id or title.
/// Relative image addresses are resolved against `base`.
export function readProduct(raw, base) {
  if (typeof raw !== "object" || raw === null) return null;
  if (!isProductId(raw.id) || textOf(raw.title) === "") return null;
  const images = [raw.image_url, ...[raw.additional_image_links ?? []].flat()];
  return {
    id: raw.id,
    n: Number.isSafeInteger(raw.n) ? raw.n : null,
    title: raw.title,
    variant: textOf(raw.variant),
    brand: textOf(raw.brand),
    description: textOf(raw.description),
    price: isMoney(raw.price) ? raw.price : null,
    wasPrice: isMoney(raw.was_price) ? raw.was_price : null,
    availability: kAvailability.has(raw.availability) ? raw.availability : null,
    condition: textOf(raw.condition),
    categories: Array.isArray(raw.categories) ? raw.categories.filter((c) => textOf(c) !== "") : [],
    images: images.map((address) => safeWebUrl(address, base)).filter((url) => url !== null),
    rating: ratingOf(raw.rating),
    attributes: attributesOf(raw.attributes),
    locale: textOf(raw.locale),
    // The merchant's own page. A path has no host here, and is left out.
    link: safeWebUrl(raw.link, undefined),
  };
}
