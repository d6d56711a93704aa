# The files of the chat page and the demo product page. `/` is index.html, `/p/{id}` is
# product.html, every other file is served as /assets/<file>.
set(EMPTOR_WEB_ASSETS
  about_view.js assist_client.js base.css cards.css cards.js catalog_client.js chat.css chat_page.js
  composer.css conversation.js dom.js filters.js icon.svg index.html markdown.js markdown_view.js money.js
  page_strings.js product.css product.html product_page.js product_record.js safe_url.js sse.js
  strings.js turn.js turn_view.js)
