// A page of a merchant, of another origin than the service, with the widget in it.

import { createServer } from "node:http";

/// Serves one page at every path. Tests set `attributes` (of the script element), `policy` (its
/// Content-Security-Policy), `style` and `body` (HTML).
export async function startMerchantPage(service) {
  const merchant = {
    attributes: {},
    style: "",
    body: '<h1>Shop</h1><button id="buy">Buy</button>',
    policy: "",
  };
  const server = createServer((request, response) => {
    const headers = { "Content-Type": "text/html; charset=utf-8" };
    if (merchant.policy !== "") headers["Content-Security-Policy"] = merchant.policy;
    response.writeHead(request.url === "/favicon.ico" ? 204 : 200, headers);
    response.end(htmlOf(merchant, service));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  merchant.origin = `http://127.0.0.1:${server.address().port}`;
  merchant.close = () => {
    server.closeAllConnections?.();
    return new Promise((resolve) => server.close(resolve));
  };
  return merchant;
}

function htmlOf({ attributes, style, body }, service) {
  const data = Object.entries(attributes).map(([name, value]) => ` data-${name}="${value}"`);
  return `<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>Shop</title>
${style === "" ? "" : `<style>${style}</style>`}
<script src="${service}/widget.js"${data.join("")} async></script></head>
<body><main>${body}</main></body></html>`;
}
