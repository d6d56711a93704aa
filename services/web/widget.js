// The assistant in a page of a merchant: <script src="https://SERVICE/widget.js"
// data-key="KEY"></script>. Not a module, so that it knows its own element; it only loads the
// launcher.

(() => {
  const script = document.currentScript;
  const { origin } = new URL(script.src);
  const { key, shop, product, language, theme, position } = script.dataset;
  import(`${origin}/assets/widget_launcher.js`)
    .then(({ mount }) => mount({ origin, key, shop, product, language, theme, position }))
    .catch((error) => console.error("emptor widget:", error));
})();
