// Repairs each field to the limit that validation.cc checks.
#include "catalog/repair.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "catalog/encoding/timestamp.h"
#include "catalog/encoding/utf8.h"
#include "catalog/money.h"
#include "catalog/validation.h"
#include "fmt/format.h"

namespace emptor::catalog {
namespace {

constexpr std::string_view kBlanks = " \t\r\n";

enum class TooLong { kCut, kLeaveOut, kKeep };

bool IsDigits(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

bool IsRegion(std::string_view text) {
  return text.empty() || (text.size() == 2 && std::all_of(text.begin(), text.end(), [](char c) {
                            return c >= 'A' && c <= 'Z';
                          }));
}

bool IsAmount(const Money& money) {
  return IsCurrencyCode(money.currency) && money.amount >= 0 && money.amount <= kMaxAmount;
}

bool IsStorable(std::string_view link) {
  return link.size() <= RecordLimits::kLink && IsValidLink(link) && IsValidUtf8(link) &&
         !FindControlCharacter(link, LineBreaks::kRefused);
}

bool IsCount(const std::optional<int64_t>& count, int64_t max = RecordLimits::kMaxCount) {
  return !count || (*count >= 0 && *count <= max);
}

void Trim(std::string& text) {
  text.erase(text.find_last_not_of(kBlanks) + 1);
  text.erase(0, std::min(text.find_first_not_of(kBlanks), text.size()));
}

// Repairs values and collects what it did.
class Repairer {
 public:
  explicit Repairer(std::vector<FieldProblem>& problems) : problems_(problems) {}

  void Report(std::string_view field, std::string reason) {
    problems_.push_back({std::string(field), std::move(reason)});
  }

  /// Afterwards the text is valid, maybe empty.
  void Text(std::string_view field, std::string& text, size_t max_bytes, TooLong too_long,
            LineBreaks line_breaks = LineBreaks::kRefused) {
    if (!IsValidUtf8(text)) {
      text.clear();
      return Report(field, "not well-formed UTF-8: left out");
    }
    if (FindControlCharacter(text, line_breaks)) {
      CleanedText cleaned = RemoveControlCharacters(text, line_breaks);
      text = std::move(cleaned.text);
      Trim(text);
      if (cleaned.has_lost) Report(field, "control characters were removed");
    }
    if (text.size() <= max_bytes || too_long == TooLong::kKeep) return;
    const bool cut = too_long == TooLong::kCut;
    Report(field, fmt::format("{} bytes, at most {} are allowed: {}", text.size(), max_bytes,
                              cut ? "cut" : "left out"));
    text = cut ? std::string(Utf8Prefix(text, max_bytes)) : "";
    Trim(text);
  }

  void Link(std::string_view field, std::string& link) {
    if (link.empty() || IsStorable(link)) return;
    std::string repaired(link.starts_with("//") ? "https:" : "");
    Trim(link);
    for (const char c : link) repaired += c == ' ' ? std::string("%20") : std::string(1, c);
    const bool is_valid = IsStorable(repaired);
    Report(field, is_valid ? "blanks or a missing scheme: repaired"
                           : fmt::format("expected an http(s) URL or an absolute path of at most "
                                         "{} bytes: left out",
                                         RecordLimits::kLink));
    link = is_valid ? std::move(repaired) : "";
  }

  template <typename T>
  void AtMost(std::string_view field, std::vector<T>& values, size_t max) {
    if (values.size() <= max) return;
    Report(field, fmt::format("{} values, at most {} are allowed: the others are left out",
                              values.size(), max));
    values.resize(max);
  }

  /// Removes the values that `is_bad`, with one problem for all of them.
  template <typename T, typename IsBad>
  void LeaveOut(std::string_view field, std::vector<T>& values, std::string_view reason,
                IsBad is_bad) {
    if (std::erase_if(values, is_bad) > 0) Report(field, fmt::format("{}: left out", reason));
  }

 private:
  std::vector<FieldProblem>& problems_;
};

void RepairNamed(const std::string& field, std::vector<Attribute>& values, size_t max,
                 Repairer& repairer) {
  std::unordered_set<std::string> names;
  for (Attribute& each : values) {
    repairer.Text(field, each.name, RecordLimits::kAttributeName, TooLong::kCut);
    if (each.name.find_first_not_of(kBlanks) == std::string::npos) each.name.clear();
    repairer.Text(fmt::format("{}.{}", field, each.name), each.value, RecordLimits::kAttributeValue,
                  TooLong::kCut, LineBreaks::kAllowed);
    if (names.contains(each.name)) {
      repairer.Report(fmt::format("{}.{}", field, each.name), "appears twice: left out");
      each.name.clear();
      each.value.clear();
    } else if (!each.name.empty()) {
      names.insert(each.name);
    }
  }
  repairer.LeaveOut(field, values, "a value without a name",
                    [](const Attribute& each) { return each.name.empty() && !each.value.empty(); });
  std::erase_if(values, [](const Attribute& each) { return each.name.empty(); });
  repairer.AtMost(field, values, max);
}

void RepairGtin(std::string& gtin, Repairer& repairer) {
  if (gtin.empty()) return;
  std::string digits = gtin;
  std::erase_if(digits, [](char c) { return c == ' ' || c == '-'; });
  if (IsDigits(digits) && digits.size() >= 8 && digits.size() <= 14) {
    gtin = std::move(digits);
    return;
  }
  repairer.Report("gtin", "expected 8 to 14 digits: left out");
  gtin.clear();
}

void RepairLists(Product& product, Repairer& repairer) {
  for (std::string& category : product.categories) {
    repairer.Text("categories", category, RecordLimits::kCategory, TooLong::kLeaveOut);
  }
  std::erase_if(product.categories, [](const std::string& category) {
    return category.find_first_not_of(kBlanks) == std::string::npos;
  });
  repairer.AtMost("categories", product.categories, RecordLimits::kCategories);
  for (std::string& link : product.additional_image_links) {
    repairer.Link("additional_image_links", link);
  }
  std::erase(product.additional_image_links, "");
  repairer.AtMost("additional_image_links", product.additional_image_links,
                  RecordLimits::kAdditionalImages);
  RepairNamed("attributes", product.attributes, RecordLimits::kAttributes, repairer);
  RepairNamed("options", product.options, RecordLimits::kOptions, repairer);
}

void RepairShipping(std::vector<Shipping>& shipping, Repairer& repairer) {
  repairer.LeaveOut("shipping", shipping, "an entry without a valid region, price or days",
                    [](const Shipping& each) {
                      const bool ordered =
                          !each.min_days || !each.max_days || *each.min_days <= *each.max_days;
                      return !IsRegion(each.region) || !IsAmount(each.price) || !ordered ||
                             !IsCount(each.min_days, RecordLimits::kMaxShippingDays) ||
                             !IsCount(each.max_days, RecordLimits::kMaxShippingDays);
                    });
  for (Shipping& each : shipping) {
    repairer.Text("shipping.service", each.service, RecordLimits::kName, TooLong::kLeaveOut);
  }
  repairer.AtMost("shipping", shipping, RecordLimits::kShipping);
}

void RepairStock(std::vector<LocationStock>& stock, Repairer& repairer) {
  std::unordered_set<std::string> locations;
  for (LocationStock& each : stock) {
    repairer.Text("stock.location", each.location, RecordLimits::kName, TooLong::kLeaveOut);
    const bool is_blank = each.location.find_first_not_of(kBlanks) == std::string::npos;
    const bool is_valid = !is_blank && IsCount(each.quantity);
    if (!is_valid || !locations.insert(each.location).second) each.location.clear();
  }
  repairer.LeaveOut("stock", stock, "an entry without a location or count of its own",
                    [](const LocationStock& each) { return each.location.empty(); });
  repairer.AtMost("stock", stock, RecordLimits::kStock);
}

// A sale whose dates are invalid is left out: without them it would never end.
void RepairSale(const std::string& prefix, const std::optional<Money>& price,
                std::optional<Money>& sale, std::optional<TimeRange>& dates, Repairer& repairer) {
  const std::string field = prefix + "sale_price";
  const auto leave_out = [&](std::string_view why) {
    repairer.Report(field, fmt::format("{}: left out", why));
    sale.reset();
  };
  if (!sale && dates) {
    repairer.Report(prefix + "sale_price_effective_date", "there is no sale price: left out");
  }
  if (sale && !IsAmount(*sale)) leave_out("expected an amount of minor units with its currency");
  if (sale && !price) leave_out("there is no price");
  if (sale && price->currency != sale->currency) leave_out("not in the currency of the price");
  if (sale && dates && dates->start && dates->end && *dates->start >= *dates->end) {
    leave_out("its dates end before they start");
  }
  if (!sale) dates.reset();
}

void RepairRegionalPrices(Product& product, Repairer& repairer) {
  std::unordered_set<std::string> markets;
  const auto is_bad = [&](RegionalPrice& each) {
    if (!IsRegion(each.region) || !IsAmount(each.price)) return true;
    if (each.region.empty() && product.price && product.price->currency == each.price.currency) {
      return true;
    }
    return !markets.insert(each.region + " " + each.price.currency).second;
  };
  repairer.LeaveOut("regional_prices", product.regional_prices,
                    "an entry without a valid region and price of its own", is_bad);
  for (RegionalPrice& each : product.regional_prices) {
    RepairSale("regional_prices.", each.price, each.sale_price, each.sale_price_effective,
               repairer);
  }
  repairer.AtMost("regional_prices", product.regional_prices, RecordLimits::kRegionalPrices);
}

void RepairRating(std::optional<Rating>& rating, Repairer& repairer) {
  if (!rating) return;
  if (std::isfinite(rating->value) && rating->value >= 0 && rating->value <= 5 &&
      rating->count >= 0) {
    return;
  }
  repairer.Report("rating", "expected a value from 0 to 5 and a count: left out");
  rating.reset();
}

void RepairTags(std::string& locale, std::string& updated_at, Repairer& repairer) {
  if (!locale.empty() && !IsValidLocale(locale)) {
    repairer.Report("locale", "expected a tag like en-US: left out");
    locale.clear();
  }
  if (!updated_at.empty() && !ParseRfc3339(updated_at)) {
    repairer.Report("updated_at", "expected an RFC 3339 time: left out");
    updated_at.clear();
  }
}

void RepairFields(Product& product, Repairer& repairer) {
  repairer.Text("title", product.title, RecordLimits::kTitle, TooLong::kCut);
  repairer.Text("description", product.description, RecordLimits::kDescription, TooLong::kCut,
                LineBreaks::kAllowed);
  repairer.Text("brand", product.brand, RecordLimits::kBrand, TooLong::kLeaveOut);
  repairer.Text("mpn", product.mpn, RecordLimits::kMpn, TooLong::kLeaveOut);
  repairer.Text("item_group_id", product.item_group_id, RecordLimits::kItemGroupId,
                TooLong::kLeaveOut);
  RepairGtin(product.gtin, repairer);
  repairer.Link("link", product.link);
  repairer.Link("image_link", product.image_link);
  RepairLists(product, repairer);
  RepairRating(product.rating, repairer);
  RepairShipping(product.shipping, repairer);
  RepairStock(product.stock, repairer);
  if (!IsCount(product.popularity)) {
    repairer.Report("popularity", "expected a count: left out");
    product.popularity.reset();
  }
  repairer.Text("quarantine", product.quarantine, RecordLimits::kQuarantine, TooLong::kCut);
  RepairTags(product.locale, product.updated_at, repairer);
}

}  // namespace

void RepairProductFields(Product& product, std::vector<FieldProblem>& problems) {
  Repairer repairer(problems);
  RepairFields(product, repairer);
}

absl::Status RepairProduct(Product& product, std::vector<FieldProblem>& problems) {
  if (ValidateProduct(product).ok()) return absl::OkStatus();
  Repairer repairer(problems);
  RepairFields(product, repairer);
  RepairSale("", product.price, product.sale_price, product.sale_price_effective, repairer);
  RepairRegionalPrices(product, repairer);
  return ValidateProduct(product);
}

absl::Status RepairDocument(Document& document, std::vector<FieldProblem>& problems) {
  if (ValidateDocument(document).ok()) return absl::OkStatus();
  Repairer repairer(problems);
  repairer.Text("title", document.title, RecordLimits::kTitle, TooLong::kCut);
  const size_t bytes = document.text.size();
  repairer.Text("text", document.text, RecordLimits::kDocumentText, TooLong::kKeep,
                LineBreaks::kAllowed);
  repairer.Link("link", document.link);
  RepairTags(document.locale, document.updated_at, repairer);
  if (document.version < 1) {
    repairer.Report("version", "expected 1 or more: counts as 1");
    document.version = 1;
  }
  if (!document.product_id.empty() && !IsValidId(document.product_id)) {
    repairer.Report("product_id", "expected an id: left out");
    document.product_id.clear();
  }
  if (document.kind == "review") document.trust = Trust::kUntrusted;
  repairer.Text("quarantine", document.quarantine, RecordLimits::kQuarantine, TooLong::kCut);
  const bool has_moved = document.text.size() != bytes;
  const std::vector<uint32_t>& pages = document.pages;
  if (has_moved || pages.size() > RecordLimits::kPages ||
      !std::is_sorted(pages.begin(), pages.end()) ||
      (!pages.empty() && pages.back() > document.text.size())) {
    if (!pages.empty()) repairer.Report("pages", "they do not fit the text: left out");
    document.pages.clear();
  }
  return ValidateDocument(document);
}

}  // namespace emptor::catalog
