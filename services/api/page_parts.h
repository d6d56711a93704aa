// Parts of the pages that the service writes: escaped text, addresses, price, stock, breadcrumbs,
// head. Pure. They use the classes of services/web/base.css and cards.css.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "catalog/product.h"
#include "services/api/category_index.h"
#include "services/api/comparison.h"
#include "services/api/page_words.h"
#include "services/api/static_files.h"
#include "services/grounding/fact_formatter.h"

namespace emptor::services {

/// What all parts of one page share. Lifetime: within the call that writes the page.
struct PageContext {
  std::string_view base_url;  // "https://shop.example"; empty: addresses are paths
  const PageWords& words;
  const FactFormatter& format;  // of the page's language
};

/// The template with each "{{name}}" replaced by its value, once: a value is not searched.
/// A name without a value is replaced by nothing.
std::string FillTemplate(std::string_view text,
                         std::span<const std::pair<std::string_view, std::string>> values);

/// The page as a file, with a validator of its bytes.
StaticFile MakePageFile(std::string body);

/// Percent-encoded for one segment of a path.
std::string EncodeSegment(std::string_view text);

/// "/p/k20" and "/c/kitchen--kettles?page=2": how pages link to each other, whatever name and
/// scheme a proxy in front of the service has.
std::string ProductPath(std::string_view id);
std::string CategoryPath(std::string_view slug, size_t number = 1);
/// The same behind the base address, for those who read the page elsewhere.
std::string ProductUrl(const PageContext& page, std::string_view id);
std::string CategoryUrl(const PageContext& page, std::string_view slug, size_t number = 1);

/// A picture's address, a path behind the base; empty unless it is a path or an address of http or
/// https.
std::string ImageUrl(std::string_view base_url, std::string_view link);
/// The pictures of a product, the main one first, without those that have no such address.
std::vector<std::string> ImageUrls(const PageContext& page, const catalog::Product& product);

/// The start of a description, on one line, cut at a word.
std::string Summary(std::string_view text);

struct PageHead {
  std::string title;
  std::string description;
  std::string canonical;                  // empty: none
  std::string previous, next;             // addresses of a list's other pages; empty: none
  std::string type = "website";           // og:type
  std::string image;                      // empty: none
  std::vector<std::string> json_ld = {};  // each one JSON text of JsonWriter
  const ShownProduct* product = nullptr;  // whose price and stock the head names
};
/// title, description, canonical, Open Graph and structured data.
std::string HeadHtml(const PageHead& head);

std::string PictureHtml(const catalog::Product& product, bool is_first);
std::string PriceHtml(const PageContext& page, const catalog::PayablePrice& price);
std::string RatingHtml(const PageContext& page, const catalog::Product& product);
std::string StockHtml(const PageContext& page, const catalog::Product& product);
/// The way from the shop to a category; empty without crumbs. The last one is the page itself
/// where `is_current`.
std::string CrumbsHtml(const PageContext& page, std::span<const Crumb> crumbs, bool is_current);

}  // namespace emptor::services
