// Reads products from the service.

import { readProduct } from "./product_record.js";

/// The live record, or null when the catalog does not have it. Throws Error when it cannot be read.
export async function fetchProduct(service, id, { signal } = {}) {
  const response = await service.fetch(`/v1/products/${encodeURIComponent(id)}`, {
    signal,
    headers: { Accept: "application/json" },
    cache: "no-cache",
  });
  if (response.status === 404) return null;
  if (!response.ok) throw new Error(`product ${id}: HTTP ${response.status}`);
  const product = readProduct(await response.json(), `${service.origin}/`);
  if (product === null) throw new Error(`product ${id}: unexpected reply`);
  return product;
}
