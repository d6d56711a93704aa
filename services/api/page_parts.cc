// Escaped parts of pages.
#include "services/api/page_parts.h"

#include <fmt/format.h>

#include <algorithm>

#include "catalog/encoding/html.h"
#include "catalog/money.h"
#include "services/grounding/text_clean.h"

namespace emptor::services {
namespace {

using catalog::EscapeHtml;

/// What a result of a web search shows of a page.
constexpr size_t kMaxSummaryBytes = 200;

std::string Meta(const char* name_of, std::string_view name, std::string_view content) {
  if (content.empty()) return {};
  return fmt::format("<meta {}=\"{}\" content=\"{}\">\n", name_of, name, EscapeHtml(content));
}

std::string Link(const char* relation, std::string_view address) {
  if (address.empty()) return {};
  return fmt::format("<link rel=\"{}\" href=\"{}\">\n", relation, EscapeHtml(address));
}

std::string_view OpenGraphStock(catalog::Availability availability) {
  switch (availability) {
    case catalog::Availability::kInStock:
      return "in stock";
    case catalog::Availability::kOutOfStock:
      return "out of stock";
    case catalog::Availability::kPreorder:
      return "preorder";
    case catalog::Availability::kBackorder:
      return "available for order";
  }
  return {};
}

std::string ProductMeta(const ShownProduct& shown) {
  std::string meta;
  if (shown.price.price) {
    meta += Meta("property", "product:price:amount", catalog::FormatDecimal(*shown.price.price));
    meta += Meta("property", "product:price:currency", shown.price.price->currency);
  }
  meta += Meta("property", "product:availability", OpenGraphStock(shown.product.availability));
  meta += Meta("property", "product:brand", shown.product.brand);
  return meta + Meta("property", "product:retailer_item_id", shown.product.id);
}

}  // namespace

std::string FillTemplate(std::string_view text,
                         std::span<const std::pair<std::string_view, std::string>> values) {
  std::string filled;
  size_t at = 0;
  for (size_t open; (open = text.find("{{", at)) != std::string_view::npos;) {
    const size_t close = text.find("}}", open);
    if (close == std::string_view::npos) break;
    filled += text.substr(at, open - at);
    const std::string_view name = text.substr(open + 2, close - open - 2);
    const auto value = std::find_if(values.begin(), values.end(),
                                    [&](const auto& each) { return each.first == name; });
    if (value != values.end()) filled += value->second;
    at = close + 2;
  }
  return filled += text.substr(at);
}

StaticFile MakePageFile(std::string body) {
  StaticFile file;
  file.content_type = "text/html; charset=utf-8";
  file.etag = EtagOf(body);
  file.body = std::move(body);
  file.is_page = true;
  return file;
}

std::string EncodeSegment(std::string_view text) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~";
  std::string encoded;
  for (const char c : text) {
    if (kPlain.find(c) != std::string_view::npos) {
      encoded += c;
    } else {
      encoded += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return encoded;
}

std::string ProductPath(std::string_view id) { return "/p/" + EncodeSegment(id); }

std::string CategoryPath(std::string_view slug, size_t number) {
  const std::string path = "/c/" + EncodeSegment(slug);
  return number < 2 ? path : fmt::format("{}?page={}", path, number);
}

std::string ProductUrl(const PageContext& page, std::string_view id) {
  return std::string(page.base_url) + ProductPath(id);
}

std::string CategoryUrl(const PageContext& page, std::string_view slug, size_t number) {
  return std::string(page.base_url) + CategoryPath(slug, number);
}

std::string ImageUrl(std::string_view base_url, std::string_view link) {
  if (link.starts_with("//")) return {};
  if (link.starts_with('/')) return std::string(base_url) + std::string(link);
  const bool is_web = link.starts_with("https://") || link.starts_with("http://");
  return is_web ? std::string(link) : std::string();
}

std::vector<std::string> ImageUrls(const PageContext& page, const catalog::Product& product) {
  std::vector<std::string> urls;
  const auto add = [&](const std::string& link) {
    std::string url = ImageUrl(page.base_url, link);
    if (!url.empty()) urls.push_back(std::move(url));
  };
  add(product.image_link);
  for (const std::string& link : product.additional_image_links) add(link);
  return urls;
}

std::string Summary(std::string_view text) {
  std::string line;
  for (const char c : text) {
    const bool is_gap = c == ' ' || c == '\n' || c == '\r' || c == '\t';
    if (!is_gap) line += c;
    if (is_gap && !line.empty() && line.back() != ' ') line += ' ';
  }
  return std::string(CutAtWord(line, kMaxSummaryBytes));
}

std::string HeadHtml(const PageHead& head) {
  std::string html = fmt::format("<title>{}</title>\n", EscapeHtml(head.title));
  html += Meta("name", "description", head.description);
  html += Link("canonical", head.canonical) + Link("prev", head.previous) + Link("next", head.next);
  html += Meta("property", "og:type", head.type) + Meta("property", "og:title", head.title);
  html += Meta("property", "og:description", head.description);
  html += Meta("property", "og:url", head.canonical) + Meta("property", "og:image", head.image);
  if (head.product != nullptr) html += ProductMeta(*head.product);
  for (const std::string& json : head.json_ld) {
    html += fmt::format("<script type=\"application/ld+json\">{}</script>\n", json);
  }
  return html;
}

std::string PictureHtml(const catalog::Product& product, bool is_first) {
  const std::string url = ImageUrl("", product.image_link);
  if (url.empty()) return "<span class=\"picture picture-missing\"></span>";
  return fmt::format(
      "<span class=\"picture\"><img src=\"{}\" alt=\"\" width=\"400\" height=\"400\" "
      "loading=\"{}\" decoding=\"async\" referrerpolicy=\"no-referrer\"></span>",
      EscapeHtml(url), is_first ? "eager" : "lazy");
}

std::string PriceHtml(const PageContext& page, const catalog::PayablePrice& price) {
  if (!price.price) {
    return fmt::format("<span class=\"price price-unknown\">{}</span>", page.words.no_price);
  }
  const auto amount = [&](const catalog::Money& money) {
    return fmt::format("<bdi dir=\"ltr\">{}</bdi>", EscapeHtml(page.format.Money(money)));
  };
  std::string html = fmt::format("<span class=\"price-now\">{}</span>", amount(*price.price));
  if (!price.was_price) return "<span class=\"price\">" + html + "</span>";
  html += fmt::format(" <s class=\"price-was\"><span class=\"spoken\">{} </span>{}</s>",
                      page.words.was, amount(*price.was_price));
  return "<span class=\"price price-sale\">" + html + "</span>";
}

std::string RatingHtml(const PageContext& page, const catalog::Product& product) {
  if (!product.rating || product.rating->count == 0) return {};
  return fmt::format(
      "<span class=\"rating\"><span class=\"star\" aria-hidden=\"true\">★</span>"
      "<span class=\"spoken\">{} </span><span class=\"rating-mean\">{}</span> "
      "<span class=\"rating-count\">({})</span></span>",
      page.words.rated, page.format.Rating(product.rating->value),
      page.format.Count(product.rating->count));
}

std::string StockHtml(const PageContext& page, const catalog::Product& product) {
  return fmt::format("<span class=\"stock stock-{}\">{}</span>", ToString(product.availability),
                     page.words.availability[static_cast<size_t>(product.availability)]);
}

std::string CrumbsHtml(const PageContext& page, std::span<const Crumb> crumbs, bool is_current) {
  if (crumbs.empty()) return {};
  std::string items = fmt::format("<li><a href=\"/\">{}</a></li>", page.words.shop);
  for (const Crumb& crumb : crumbs) {
    const bool is_page = is_current && &crumb == &crumbs.back();
    items += fmt::format("<li><a href=\"{}\" dir=\"auto\"{}>{}</a></li>", CategoryPath(crumb.slug),
                         is_page ? " aria-current=\"page\"" : "", EscapeHtml(crumb.name));
  }
  return fmt::format("<nav class=\"crumbs\" aria-label=\"{}\"><ol>{}</ol></nav>",
                     page.words.breadcrumbs, items);
}

}  // namespace emptor::services
