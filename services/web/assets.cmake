# The files of the pages. `/` is index.html, `/p/{id}` and `/c/{category}` are product.html and
# category.html filled in by the service, every other file is served as /assets/<file>.
set(EMPTOR_WEB_ASSETS
  about_view.js answer.css answer_tail.js assist_client.js assistant.js base.css cards.css cards.js
  catalog_client.js category.html category_page.js chat.css chat_page.js compare_view.js composer.css
  conversation.js conversation_client.js dialogs.css dialogs.js dom.js feedback_view.js filters.js
  history_view.js icon.svg index.html layout.js markdown.js markdown_view.js money.js page_strings.js
  plain_text.js preferences.js product.css product.html product_page.js product_record.js restore.js
  safe_url.js scrolling.js service.js settings_view.js shopper_events.js sse.js starters.js storefront.css
  strings.js strings_ar.js strings_de.js strings_en.js strings_es.js strings_fr.js strings_zh.js turn.js
  turn_view.js widget.css widget.js widget_launcher.js widget_panel.js)

# The admin page, on the admin port alone: `/admin` is admin.html, every other file is
# /admin/assets/admin/<file>.
set(EMPTOR_ADMIN_ASSETS
  admin/admin.css admin/admin.html admin/admin_client.js admin/admin_page.js admin/answers_view.js admin/chart.js
  admin/faq_view.js admin/format.js admin/jobs_view.js admin/load_view.js admin/metrics_text.js
  admin/models_view.js admin/parts.js admin/questions_view.js admin/trace_view.js)
