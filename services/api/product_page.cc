// Head and facts of a product page.
#include "services/api/product_page.h"

#include <fmt/format.h>

#include "catalog/encoding/html.h"
#include "services/api/structured_data.h"

namespace emptor::services {
namespace {

using catalog::EscapeHtml;

std::vector<Crumb> TrailOf(const catalog::Product& product) {
  return product.categories.empty() ? std::vector<Crumb>() : CrumbsOf(product.categories.front());
}

std::string HeadOf(const PageContext& page, const ProductPage& product) {
  PageHead head;
  if (product.shown == nullptr) {
    head.title = product.is_missing ? std::string(page.words.unknown_product) : "Emptor";
    return HeadHtml(head);
  }
  const ShownProduct& shown = *product.shown;
  head.title = shown.product.title;
  head.description = Summary(shown.product.description);
  if (!page.base_url.empty()) head.canonical = ProductUrl(page, shown.product.id);
  head.type = "product";
  if (!page.base_url.empty()) head.image = ImageUrl(page.base_url, shown.product.image_link);
  head.product = &shown;
  head.json_ld.push_back(ProductJsonLd(page, shown, product.now_unix));
  const auto crumbs = TrailOf(shown.product);
  if (!crumbs.empty()) head.json_ld.push_back(BreadcrumbJsonLd(page, crumbs, &shown.product));
  return HeadHtml(head);
}

/// For the page's script, which asks for the record itself.
constexpr std::string_view kWaiting =
    "<noscript><p>This page needs JavaScript to show the product.</p></noscript>";

std::string MissingHtml(const PageWords& words) {
  return fmt::format(
      "<div class=\"empty\"><h1>{}</h1><p>{}</p><a class=\"button\" href=\"/\">{}</a></div>",
      words.unknown_product, words.unknown_product_help, words.back_to_chat);
}

std::string FactsHtml(const PageContext& page, const ShownProduct& shown) {
  const catalog::Product& product = shown.product;
  std::string html = fmt::format(
      "<div class=\"gallery\"><div class=\"gallery-stage\">{}</div></div>\n"
      "<div class=\"product-words\"><div class=\"product-facts\">"
      "<h1 class=\"product-title\" dir=\"auto\"{}>{}</h1>",
      PictureHtml(product, true),
      product.locale.empty() ? "" : fmt::format(" lang=\"{}\"", EscapeHtml(product.locale)),
      EscapeHtml(product.title));
  if (!product.brand.empty()) {
    html +=
        fmt::format("<p class=\"product-brand\" dir=\"auto\">{}</p>", EscapeHtml(product.brand));
  }
  html += RatingHtml(page, product);
  html += fmt::format("<p class=\"product-price\">{}</p><p class=\"product-stock\">{}</p></div>",
                      PriceHtml(page, shown.price), StockHtml(page, product));
  if (!product.description.empty()) {
    html += fmt::format(
        "<section class=\"product-section\"><h2>{}</h2>"
        "<p class=\"product-description\" dir=\"auto\">{}</p></section>",
        page.words.description, EscapeHtml(product.description));
  }
  return html + "</div>";
}

}  // namespace

std::string ProductPageHtml(const PageContext& page, const ProductPage& product) {
  std::string content(kWaiting), crumbs;
  if (product.is_missing) content = MissingHtml(page.words);
  if (product.shown != nullptr) {
    content = FactsHtml(page, *product.shown);
    crumbs = CrumbsHtml(page, TrailOf(product.shown->product), false);
  }
  const std::pair<std::string_view, std::string> values[] = {
      {"lang", std::string(page.words.language)},
      {"dir", page.words.right_to_left ? "rtl" : "ltr"},
      {"head", HeadOf(page, product)},
      {"crumbs", std::move(crumbs)},
      {"content", std::move(content)}};
  return FillTemplate(product.html, values);
}

}  // namespace emptor::services
