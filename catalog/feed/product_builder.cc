// Single values; product_builder_finish.cc combines values that depend on each other.
#include "catalog/feed/product_builder.h"

#include <algorithm>
#include <utility>

#include "catalog/encoding/timestamp.h"
#include "catalog/encoding/utf8.h"
#include "catalog/feed/vocabulary.h"
#include "catalog/validation.h"
#include "fmt/format.h"

namespace emptor::catalog {
namespace {

using View = std::string_view;

constexpr size_t kMaxProblems = 64;

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

bool IsNumber(View text) { return std::all_of(text.begin(), text.end(), IsDigit); }

// Splits at `mark` and trims the parts.
std::vector<View> SplitAt(View text, char mark) {
  std::vector<View> parts;
  while (true) {
    const size_t end = text.find(mark);
    parts.push_back(Trimmed(text.substr(0, end)));
    if (end == View::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

}  // namespace

ProductBuilder::ProductBuilder(const FeedOptions& options)
    : options_(options),
      style_{options.currency, options.decimal_mark != DecimalMark::kUnknown
                                   ? options.decimal_mark
                                   : DecimalMarkOf(options.locale)} {}

// A hostile row may have thousands of them.
void ProductBuilder::AddProblem(View feed_name, std::string reason) {
  if (problems_.size() >= kMaxProblems) return;
  if (problems_.size() + 1 == kMaxProblems) reason = "and more, which are not listed";
  problems_.push_back({std::string(Utf8Prefix(feed_name, 128)), std::move(reason)});
}

// Sets text_ to `value` without control characters; false if nothing is left.
bool ProductBuilder::Clean(View feed_name, View value, bool one_line) {
  value = Trimmed(value);
  if (value.empty()) return false;
  if (!IsValidUtf8(value)) {
    AddProblem(feed_name, "not well-formed UTF-8");
    return false;
  }
  CleanedText cleaned =
      RemoveControlCharacters(value, one_line ? LineBreaks::kRefused : LineBreaks::kAllowed);
  text_ = std::move(cleaned.text);
  if (cleaned.has_lost) AddProblem(feed_name, "control characters were removed");
  return !text_.empty();
}

// Sets the target to text_ if it is its first value and not too long.
void ProductBuilder::SetText(std::string& target, View feed_name, size_t max_bytes, bool cut) {
  if (!target.empty()) return;
  if (text_.size() > max_bytes) {
    AddProblem(feed_name, fmt::format("{} bytes, at most {} are allowed{}", text_.size(), max_bytes,
                                      cut ? ": cut" : ""));
    if (!cut) return;
    text_ = std::string(Trimmed(Utf8Prefix(text_, max_bytes)));
  }
  target = text_;
}

std::string ProductBuilder::ReadLink(View feed_name, View value) {
  std::string link(value.starts_with("//") ? "https:" : "");
  for (char c : value) {
    if (c == ' ') {
      link += "%20";
    } else {
      link += c;
    }
  }
  if (link.size() <= RecordLimits::kLink && IsValidLink(link)) return link;
  AddProblem(feed_name, fmt::format("expected an http(s) URL or an absolute path of at most {} "
                                    "bytes, found {}",
                                    RecordLimits::kLink, Quoted(value)));
  return {};
}

void ProductBuilder::SetLink(std::string& target, View feed_name) {
  if (target.empty()) target = ReadLink(feed_name, text_);
}

void ProductBuilder::AddImage(View feed_name, View value) {
  if (value.empty()) return;
  std::string link = ReadLink(feed_name, value);
  auto& more = product_.additional_image_links;
  if (link.empty() || link == product_.image_link ||
      std::find(more.begin(), more.end(), link) != more.end()) {
    return;
  }
  if (product_.image_link.empty()) {
    product_.image_link = std::move(link);
  } else if (more.size() < RecordLimits::kAdditionalImages) {
    more.push_back(std::move(link));
  } else if (!std::exchange(too_many_images_, true)) {
    AddProblem(feed_name, fmt::format("more than {} images", RecordLimits::kAdditionalImages + 1));
  }
}

// Links are separated by commas that precede a link; a comma may be part of a link.
void ProductBuilder::AddImages(View feed_name, bool list) {
  const std::string value = text_;
  View rest = value;
  while (list) {
    size_t comma = rest.find(',');
    while (comma != View::npos) {
      const View next = Trimmed(rest.substr(comma + 1));
      if (next.empty() || next.starts_with("http") || next.starts_with("/")) break;
      comma = rest.find(',', comma + 1);
    }
    if (comma == View::npos) break;
    AddImage(feed_name, Trimmed(rest.substr(0, comma)));
    rest.remove_prefix(comma + 1);
  }
  AddImage(feed_name, Trimmed(rest));
}

void ProductBuilder::AddCategory(View feed_name) {
  if (IsNumber(text_)) {
    return AddAttribute(feed_name, "google_product_category", std::string(text_));
  }
  auto& categories = product_.categories;
  if (std::find(categories.begin(), categories.end(), text_) != categories.end()) return;
  if (categories.size() == RecordLimits::kCategories) {
    return AddProblem(feed_name, fmt::format("more than {} categories", RecordLimits::kCategories));
  }
  std::string category;
  SetText(category, feed_name, RecordLimits::kCategory);
  if (!category.empty()) categories.push_back(std::move(category));
}

void ProductBuilder::AddAttribute(View feed_name, View name, View value) {
  if (!Clean(feed_name, name, true)) return;
  std::string clean_name(Trimmed(Utf8Prefix(text_, RecordLimits::kAttributeName)));
  if (!Clean(feed_name, value, false)) return;
  auto& attributes = product_.attributes;
  const auto twin = std::find_if(attributes.begin(), attributes.end(),
                                 [&](const Attribute& a) { return a.name == clean_name; });
  if (twin != attributes.end()) {
    if (twin->value == text_) return;
    if (twin->value.size() + 2 + text_.size() > RecordLimits::kAttributeValue) {
      return AddProblem(feed_name, "its values are too long together: one is left out");
    }
    twin->value += "; " + text_;
  } else if (attributes.size() == RecordLimits::kAttributes) {
    AddProblem(feed_name, fmt::format("more than {} attributes", RecordLimits::kAttributes));
  } else {
    std::string clean;
    SetText(clean, feed_name, RecordLimits::kAttributeValue, true);
    attributes.push_back({std::move(clean_name), std::move(clean)});
  }
}

void ProductBuilder::AddOption(View feed_name, View name) {
  std::string value;
  SetText(value, feed_name, RecordLimits::kAttributeValue);
  if (value.empty() || !Clean(feed_name, name, true)) return;
  auto& options = product_.options;
  std::string label(Trimmed(Utf8Prefix(text_, RecordLimits::kAttributeName)));
  const bool taken = std::any_of(options.begin(), options.end(),
                                 [&](const Attribute& option) { return option.name == label; });
  if (taken || options.size() == RecordLimits::kOptions) {
    return AddProblem(feed_name, taken ? "the option appears twice" : "too many options");
  }
  options.push_back({std::move(label), std::move(value)});
}

// "US:CA:Overnight:16.00 USD,US::Ground:5 USD"; a comma between digits belongs to an amount.
void ProductBuilder::AddShippingList(View feed_name) {
  const std::string value = text_;
  std::string group;
  const auto take = [&] {
    const auto parts = SplitAt(group, ':');
    ShippingParts shipping;
    shipping.country = parts[0];
    if (parts.size() == 2) {
      shipping.price = parts[1];
    } else if (parts.size() == 4 || parts.size() == 8) {
      shipping.region = parts[1];
      shipping.service = parts[2];
      shipping.price = parts[3];
    } else {
      return AddProblem(
          feed_name, fmt::format("expected country:region:service:price, found {}", Quoted(group)));
    }
    if (parts.size() == 8) {
      shipping.min_handling = parts[4];
      shipping.max_handling = parts[5];
      shipping.min_transit = parts[6];
      shipping.max_transit = parts[7];
    }
    AddShipping(feed_name, shipping);
  };
  for (size_t i = 0; i < value.size(); ++i) {
    const bool inside =
        i > 0 && i + 1 < value.size() && IsDigit(value[i - 1]) && IsDigit(value[i + 1]);
    if (value[i] == ',' && !inside) {
      take();
      group.clear();
    } else {
      group += value[i];
    }
  }
  if (!Trimmed(group).empty()) take();
}

void ProductBuilder::AddShipping(View feed_name, const ShippingParts& parts) {
  const bool is_country =
      parts.country.empty() ||
      (parts.country.size() == 2 && std::all_of(parts.country.begin(), parts.country.end(),
                                                [](char c) { return c >= 'A' && c <= 'Z'; }));
  const auto refuse = [&](std::string why) { AddProblem(feed_name, std::move(why)); };
  if (!is_country) {
    return refuse(fmt::format("expected a country code, found {}", Quoted(parts.country)));
  }
  if (!parts.region.empty()) {
    return refuse(fmt::format("holds for a part of a country only: {}", Quoted(parts.region)));
  }
  if (product_.shipping.size() == RecordLimits::kShipping) return refuse("too many of them");
  const auto price = ParseAmount(parts.price, style_);
  if (!price.ok()) return refuse(fmt::format("price: {}", std::string(price.status().message())));
  Shipping shipping;
  shipping.region = parts.country;
  shipping.price = *price;
  if (Clean(feed_name, parts.service, true)) {
    SetText(shipping.service, feed_name, RecordLimits::kName, true);
  }
  const auto days = [](View handling, View transit) -> std::optional<int64_t> {
    const auto first = ParseCount(handling);
    const auto second = ParseCount(transit);
    if (!second || (!Trimmed(handling).empty() && !first)) return std::nullopt;
    const int64_t sum = *second + first.value_or(0);
    return sum > RecordLimits::kMaxShippingDays ? std::nullopt : std::optional(sum);
  };
  shipping.min_days = days(parts.min_handling, parts.min_transit);
  shipping.max_days = days(parts.max_handling, parts.max_transit);
  if (shipping.min_days && shipping.max_days && *shipping.min_days > *shipping.max_days) {
    shipping.min_days.reset();
    shipping.max_days.reset();
    refuse("arrives before it is sent: its days are left out");
  }
  product_.shipping.push_back(std::move(shipping));
}

void ProductBuilder::AddDetail(View section, View name, View value) {
  const View plain = Trimmed(name);
  const auto& attributes = product_.attributes;
  const bool taken = std::any_of(attributes.begin(), attributes.end(),
                                 [&](const Attribute& a) { return a.name == plain; });
  const std::string full = fmt::format("{}: {}", Trimmed(section), plain);
  AddAttribute("product_detail", taken && !Trimmed(section).empty() ? View(full) : plain, value);
}

void ProductBuilder::AddDetailText(View feed_name, View detail) {
  const size_t first = detail.find(':');
  const size_t second = first == View::npos ? first : detail.find(':', first + 1);
  if (second == View::npos) {
    return AddProblem(feed_name,
                      fmt::format("expected section:attribute:value, found {}", Quoted(detail)));
  }
  AddDetail(detail.substr(0, first), detail.substr(first + 1, second - first - 1),
            detail.substr(second + 1));
}

// "General:Display:LCD, 5 inch,General:Battery:AA": text without two colons belongs to the value
// before.
void ProductBuilder::AddDetailList(View feed_name) {
  const std::string value = text_;
  size_t begin = 0;
  for (size_t comma = value.find(','); comma != std::string::npos;) {
    const size_t next = value.find(',', comma + 1);
    const View part = View(value).substr(comma + 1, next == View::npos ? next : next - comma - 1);
    if (std::count(part.begin(), part.end(), ':') >= 2) {
      AddDetailText(feed_name, View(value).substr(begin, comma - begin));
      begin = comma + 1;
    }
    comma = next;
  }
  AddDetailText(feed_name, View(value).substr(begin));
}

void ProductBuilder::SetGtin(View feed_name) {
  if (!product_.gtin.empty()) return;
  std::string digits;
  for (char c : View(text_).substr(0, text_.find(','))) {
    if (c != ' ' && c != '-' && c != '\'') digits += c;
  }
  if (IsNumber(digits) && digits.size() >= 8 && digits.size() <= 14) {
    product_.gtin = std::move(digits);
  } else {
    AddProblem(feed_name, fmt::format("expected 8 to 14 digits, found {}", Quoted(text_)));
  }
}

void ProductBuilder::SetTime(std::optional<int64_t>& target, View feed_name, bool end) {
  target = ReadTime(text_, end);
  if (target) return;
  AddProblem(feed_name, fmt::format("expected a time, found {}", Quoted(text_)));
  sale_name_ = feed_name;  // a sale without its dates would never end
}

void ProductBuilder::SetId(View feed_name) {
  if (!product_.id.empty()) return;
  if (auto id = MapId(text_)) {
    product_.id = *std::move(id);
    if (product_.id != text_) AddAttribute(feed_name, "feed_id", std::string(text_));
  } else {
    AddProblem(feed_name,
               fmt::format("expected an id of at most 512 bytes, found {}", Quoted(text_)));
  }
}

// Fields of a fixed set of words.
void ProductBuilder::SetWords(Field field, View feed_name) {
  if (field == Field::kDelete) {
    const auto deleted = ReadBool(text_);
    if (!deleted) {
      AddProblem(feed_name, fmt::format("expected true or false, found {}", Quoted(text_)));
    }
    deleted_ = deleted.value_or(false);
  } else if (field == Field::kCondition) {
    if (std::exchange(has_condition_, true)) return;
    const auto condition = ReadCondition(text_);
    product_.condition = condition.value_or(Condition::kNew);
    if (!condition) {
      has_condition_ = false;
      AddProblem(feed_name,
                 fmt::format("expected new, refurbished or used, found {}", Quoted(text_)));
    }
  } else if (!std::exchange(has_availability_, true)) {
    const auto availability = ReadAvailability(text_);
    product_.availability = availability.value_or(Availability::kOutOfStock);
    if (!availability) {
      AddProblem(feed_name, fmt::format("expected in_stock, out_of_stock, preorder or backorder, "
                                        "found {}: counts as out_of_stock",
                                        Quoted(text_)));
    }
  }
}

void ProductBuilder::SetNumbers(Field field, View feed_name) {
  const bool sold_out = field == Field::kQuantity && text_.starts_with('-');
  const auto count = sold_out ? std::optional<int64_t>(0) : ParseCount(text_);
  if (!count) {
    AddProblem(feed_name, fmt::format("expected a count, found {}", Quoted(text_)));
  } else if (field == Field::kPopularity) {
    product_.popularity = count;
  } else if (!has_availability_) {
    has_quantity_ = true;
    product_.availability = *count > 0 ? Availability::kInStock : Availability::kOutOfStock;
  }
}

// Fields with a syntax: times, a currency, a tag.
void ProductBuilder::SetForms(Field field, View feed_name) {
  const auto refuse = [&](View expected) {
    AddProblem(feed_name, fmt::format("expected {}, found {}", expected, Quoted(text_)));
  };
  if (field == Field::kCurrency) {
    for (char& c : text_) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c;
    style_.currency = IsKnownCurrency(text_) ? text_ : "";
    if (style_.currency.empty()) refuse("a currency of ISO 4217");
  } else if (field == Field::kSaleInterval) {
    product_.sale_price_effective = ReadInterval(text_);
    if (product_.sale_price_effective) return;
    sale_name_ = feed_name;
    refuse("start/end");
  } else if (field == Field::kLocale) {
    std::replace(text_.begin(), text_.end(), '_', '-');
    if (!IsValidLocale(text_)) return refuse("a tag like en-US");
    SetText(product_.locale, feed_name, text_.size());
  } else if (const auto time = ReadTime(text_)) {
    product_.updated_at = ParseRfc3339(text_) ? text_ : FormatRfc3339(*time);
  } else {
    refuse("a time");
  }
}

// Fields that are plain text, or are parsed later together with others.
bool ProductBuilder::SetTexts(Field field, View feed_name) {
  const auto keep = [&](std::optional<Said>& said) {
    if (!said) said = Said{std::string(feed_name), text_};
  };
  switch (field) {
    case Field::kTitle:
      SetText(product_.title, feed_name, RecordLimits::kTitle, true);
      break;
    case Field::kDescription:
      SetText(product_.description, feed_name, kMaxRecordBytes);
      break;
    case Field::kBrand:
      SetText(product_.brand, feed_name, RecordLimits::kBrand);
      break;
    case Field::kMpn:
      SetText(product_.mpn, feed_name, RecordLimits::kMpn);
      break;
    case Field::kItemGroup:
      SetText(product_.item_group_id, feed_name, RecordLimits::kItemGroupId);
      break;
    case Field::kCategoryLevel:
      levels_ += (levels_.empty() ? "" : " > ") + text_;
      break;
    case Field::kPrice:
      keep(price_);
      break;
    case Field::kSalePrice:
      keep(sale_price_);
      break;
    case Field::kRatingValue:
      keep(rating_);
      break;
    case Field::kRatingCount:
      keep(rating_count_);
      break;
    default:
      return false;
  }
  return true;
}

void ProductBuilder::Add(const FieldName& field, View feed_name, View value) {
  if (field.field == Field::kIgnored) return;
  if (field.field == Field::kAttribute) return AddAttribute(feed_name, field.name, value);
  if (field.field == Field::kLocationStock) return AddLocationStock(feed_name, field.name, value);
  if (field.field == Field::kRegionalPrice || field.field == Field::kRegionalSalePrice) {
    const bool is_sale = field.field == Field::kRegionalSalePrice;
    return AddRegionalPrice(feed_name, field.name, is_sale, value);
  }
  if (!Clean(feed_name, value, field.field != Field::kDescription)) return;
  if (SetTexts(field.field, feed_name)) return;
  switch (field.field) {
    case Field::kId:
      return SetId(feed_name);
    case Field::kGtin:
      return SetGtin(feed_name);
    case Field::kCategory:
      return AddCategory(feed_name);
    case Field::kSaleStart:
      return SetTime(sale_start_, feed_name, false);
    case Field::kSaleEnd:
      return SetTime(sale_end_, feed_name, true);
    case Field::kAvailability:
    case Field::kCondition:
    case Field::kDelete:
      return SetWords(field.field, feed_name);
    case Field::kQuantity:
    case Field::kPopularity:
      return SetNumbers(field.field, feed_name);
    case Field::kLink:
      return SetLink(product_.link, feed_name);
    case Field::kImage:
      return AddImages(feed_name, false);
    case Field::kMoreImages:
      return AddImages(feed_name, true);
    case Field::kShipping:
      return AddShippingList(feed_name);
    case Field::kProductDetail:
      return AddDetailList(feed_name);
    case Field::kOption:
      return AddOption(feed_name, field.name);
    default:
      return SetForms(field.field, feed_name);
  }
}

}  // namespace emptor::catalog
