// Tells the service which products a shopper saw and opened, so that the shop knows what an answer
// led to. Nothing else is sent: no words, no address.

/// True once the service said that it takes no events.
let isRefused = false;

/// One event for each product. `type` is "view" or "click". A failure is not the shopper's concern.
export async function reportProducts(service, type, ids, answerId) {
  if (isRefused || answerId === "" || ids.length === 0) return;
  const events = ids.map((id) => ({ type, product_id: id, answer_id: answerId }));
  try {
    // The request outlives the page that the shopper leaves by this click.
    const response = await service.send("POST", "/v1/events", { events }, { keepalive: true });
    isRefused = response.status === 404 || response.status === 405;
  } catch {
    // Offline, or blocked.
  }
}

/// Reports the clicks on links to products in `container`. `answerOf(node)` is the id of the answer
/// that shows the node.
export function reportClicks(container, service, answerOf) {
  container.addEventListener("click", (event) => {
    const link = event.target.closest("a[data-product-id]");
    if (link === null) return;
    reportProducts(service, "click", [link.dataset.productId], answerOf(link));
  });
}
