// Reads products from the service.

import { readProduct } from "./product_record.js";
import { productPath } from "./safe_url.js";

/// The live record, or null when the catalog does not have it. Throws Error when it cannot be read.
export async function fetchProduct(id, { signal } = {}) {
  const response = await fetch(`/v1/products/${productPath(id).slice("/p/".length)}`, {
    signal,
    headers: { Accept: "application/json" },
    cache: "no-cache",
  });
  if (response.status === 404) return null;
  if (!response.ok) throw new Error(`product ${id}: HTTP ${response.status}`);
  const product = readProduct(await response.json(), document.baseURI);
  if (product === null) throw new Error(`product ${id}: unexpected reply`);
  return product;
}
