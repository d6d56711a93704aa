// Decides which addresses this page may link to or show. Everything else stays text.

const kProductId = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

export function isProductId(id) {
  return typeof id === "string" && kProductId.test(id);
}

/// The product page of a valid id.
export function productPath(id) {
  return `/p/${encodeURIComponent(id)}`;
}

/// The id in the path of a product page ("/p/{id}"), or null.
export function productIdOfPath(path) {
  const match = /^\/p\/([^/]+)\/?$/.exec(path);
  return match !== null && isProductId(match[1]) ? match[1] : null;
}

/// The product page that a link in an answer leads to, or null. A link is taken when it is a
/// product page of this origin, written as a path or in full, without query or fragment. The text
/// is matched without trimming or decoding, so that nothing is hidden from the check.
export function safeLinkPath(destination, origin) {
  let path = destination;
  if (origin !== "" && destination.startsWith(`${origin}/`))
    path = destination.slice(origin.length);
  const id = productIdOfPath(path);
  return id === null ? null : productPath(id);
}

/// An absolute http or https address without a user name, or null.
export function safeWebUrl(address, base) {
  if (typeof address !== "string" || address === "") return null;
  let url;
  try {
    url = new URL(address, base);
  } catch {
    return null;
  }
  const isWeb = url.protocol === "https:" || url.protocol === "http:";
  return isWeb && url.username === "" && url.password === "" ? url.href : null;
}
