// Collects an item's elements, then adds them to the product builder, Google's first.
#include "catalog/feed/xml_feed.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "catalog/feed/amount.h"
#include "catalog/feed/fields.h"
#include "catalog/feed/product_builder.h"
#include "catalog/feed/xml_references.h"
#include "catalog/feed/xml_rows.h"
#include "catalog/validation.h"
#include "fmt/format.h"

namespace emptor::catalog {
namespace {

using View = std::string_view;

// Without the scheme and a slash at the end, which feeds write one way or the other.
constexpr View kGoogle = "base.google.com/ns/1.0";
constexpr View kGoogleCustom = "base.google.com/cns/1.0";
constexpr View kContent = "purl.org/rss/1.0/modules/content";
// Conventional prefixes, for feeds that do not bind them.
constexpr std::array<std::pair<View, View>, 3> kWellKnown = {
    {{"g", kGoogle}, {"c", kGoogleCustom}, {"content", kContent}}};
constexpr char kUnknown = '?';  // and the prefix: the namespace of any other that is not bound

constexpr size_t kMaxElements = 4096;

template <size_t n>
bool IsOneOf(View name, const std::array<View, n>& names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::string SpaceOf(const XmlName& name) {
  if (!name.unbound.empty()) {
    for (const auto& [prefix, space] : kWellKnown) {
      if (prefix == name.unbound) return std::string(space);
    }
    return fmt::format("{}{}", kUnknown, name.unbound);
  }
  View space = name.space;
  for (View scheme : {"http://", "https://"}) {
    if (space.starts_with(scheme)) space.remove_prefix(scheme.size());
  }
  if (space.ends_with('/')) space.remove_suffix(1);
  return std::string(space);
}

// One element of an item.
struct Element {
  std::string name;  // as problems call it: "g:price"
  bool is_google = false;
  std::string text;
  std::string whole;              // with that of its children, in order
  std::string label;              // of <param name="Colour">
  std::vector<Element> children;  // one level
};

std::string Child(const Element& element, View name) {
  for (const Element& child : element.children) {
    const View local = View(child.name).substr(child.is_google ? 2 : 0);
    if (local == name) return child.text;
  }
  return {};
}

class XmlReader final : public FeedReader {
 public:
  XmlReader(const FeedOptions& options, RowSink sink)
      : options_(options),
        sink_(std::move(sink)),
        builder_(options_),
        rows_(MakeEvents()),
        references_([this](View text) { return rows_.Push(text); }) {}

  absl::Status Push(View bytes) override { return references_.Push(bytes); }
  absl::Status Finish() override {
    if (absl::Status status = references_.Finish(); !status.ok()) return status;
    if (absl::Status status = rows_.Finish(); !status.ok()) return status;
    if (rows_.is_feed()) return absl::OkStatus();
    return absl::InvalidArgumentError("expected <item>, <entry> or <product> elements, found none");
  }
  FeedFormat format() const override { return FeedFormat::kGoogleXml; }
  View preamble() const override { return rows_.preamble(); }
  View postamble() const override { return XmlRows::postamble(); }
  std::vector<std::string> notes() const override {
    std::vector<std::string> notes = references_.notes();
    for (const auto& [prefix, line] : rows_.unbound_prefixes()) {
      const bool is_known = SpaceOf({{}, {}, prefix}).front() != kUnknown;
      notes.push_back(fmt::format("line {}: the prefix {} is not bound to a namespace: {}", line,
                                  Quoted(prefix),
                                  is_known ? "its elements are read by their usual meaning"
                                           : "its elements have no known meaning"));
    }
    return notes;
  }

 private:
  XmlRowEvents MakeEvents() {
    return {[this](const XmlName& name) { Begin(name); },
            [this](const XmlName& name, const XmlAttributes& attributes, size_t level) {
              StartElement(name, attributes, level);
            },
            [this](View text, size_t level) { Text(text, level); },
            [this](const XmlRow& row) { return End(row); }};
  }

  void Begin(const XmlName& name) {
    item_space_ = SpaceOf(name);
    elements_.clear();
    item_elements_ = 0;
    item_bytes_ = 0;
  }

  // The elements of an item and their children; deeper text belongs to the child.
  void StartElement(const XmlName& name, const XmlAttributes& attributes, size_t level) {
    if (level > 2 || ++item_elements_ > kMaxElements) return;
    const std::string space = SpaceOf(name);
    const bool is_google = space == kGoogle || space == kGoogleCustom;
    const bool is_plain = space.empty() || space == item_space_;
    Element element;
    element.is_google = is_google;
    element.name = fmt::format("{}{}", is_google ? "g:" : "", name.local);
    if (space == kContent && name.local == "encoded") {
      element.name = "description";
    } else if (!is_google && !is_plain) {
      element.name.clear();  // of no known meaning
    }
    for (const auto& [key, value] : attributes) {
      if (key == "name" || key == "label") element.label = value;
      if (key == "href" && name.local == "link") element.text = value;
      if (key == "rel" && name.local == "link" && value != "alternate") element.name.clear();
      item_bytes_ += value.size();
    }
    auto& siblings = level == 1 ? elements_ : elements_.back().children;
    siblings.push_back(std::move(element));
  }

  void Text(View text, size_t level) {
    if (level == 0 || elements_.empty()) return;
    item_bytes_ += text.size();
    if (item_bytes_ > kMaxRecordBytes) return;
    Element& element = elements_.back();
    element.whole += text;
    const bool is_child = level > 1 && !element.children.empty();
    (is_child ? element.children.back() : element).text += text;
  }

  absl::Status End(const XmlRow& place) {
    FeedRow row = place.fault.empty() ? MakeRow() : Unusable(place.fault);
    row.line = place.line;
    row.end_line = place.end_line;
    row.end_offset = place.end_offset;
    if (std::holds_alternative<std::monostate>(row.record)) row.raw = rows_.TakeRaw();
    return sink_(std::move(row));
  }

  // Without an id, because malformed text may hold several.
  static FeedRow Unusable(std::string reason) {
    FeedRow row;
    row.problems.push_back({"row", std::move(reason)});
    return row;
  }

  FeedRow MakeRow() {
    if (item_bytes_ > kMaxRecordBytes || item_elements_ > kMaxElements) {
      return Unusable(
          fmt::format("longer than {} bytes or {} elements", kMaxRecordBytes, kMaxElements));
    }
    for (const bool google : {true, false}) {
      for (const Element& element : elements_) {
        if (element.is_google == google && !element.name.empty()) AddElement(element);
      }
    }
    return builder_.Finish();
  }

  void AddElement(const Element& element) {
    constexpr std::array<View, 3> kLabelled = {"param", "attribute", "property"};
    const Field field = FieldOf(element.name).field;
    if (field == Field::kTitle || field == Field::kDescription) {
      // Markup that was not escaped is text all the same.
      return builder_.Add({field, {}}, element.name, element.whole);
    }
    if (!element.children.empty()) return AddStructure(element);
    if (!element.label.empty() && IsOneOf(element.name, kLabelled)) {
      return builder_.Add({Field::kAttribute, element.label}, element.name, element.text);
    }
    builder_.Add(FieldOf(element.name), element.name, element.text);
  }

  void AddStructure(const Element& element) {
    constexpr std::array<View, 7> kIgnored = {"installment", "subscription_cost", "loyalty_program",
                                              "tax",         "certification",     "author",
                                              "source"};
    const View name = View(element.name).substr(element.is_google ? 2 : 0);
    if (name == "shipping") {
      return builder_.AddShipping(
          element.name, {Child(element, "country"), Child(element, "region"),
                         Child(element, "service"), Child(element, "price"),
                         Child(element, "min_handling_time"), Child(element, "max_handling_time"),
                         Child(element, "min_transit_time"), Child(element, "max_transit_time")});
    }
    if (name == "product_detail") {
      return builder_.AddDetail(Child(element, "section_name"), Child(element, "attribute_name"),
                                Child(element, "attribute_value"));
    }
    if (IsOneOf(name, kIgnored)) return;
    if (name == "structured_title" || name == "structured_description") {
      const Field field = name == "structured_title" ? Field::kTitle : Field::kDescription;
      return builder_.Add({field, {}}, element.name, Child(element, "content"));
    }
    const bool images = name.find("image") != View::npos;
    for (const Element& child : element.children) {
      if (images) {
        builder_.Add({Field::kMoreImages, {}}, child.name, child.text);
      } else if (!child.name.empty()) {
        const std::string label = child.label.empty() ? child.name : child.label;
        builder_.Add({Field::kAttribute, label}, child.name, child.text);
      }
    }
  }

  const FeedOptions options_;
  const RowSink sink_;
  ProductBuilder builder_;
  XmlRows rows_;
  XmlReferences references_;  // in front of them
  std::string item_space_;
  std::vector<Element> elements_;
  size_t item_elements_ = 0;
  size_t item_bytes_ = 0;
};

}  // namespace

std::unique_ptr<FeedReader> MakeXmlReader(const FeedOptions& options, RowSink sink) {
  return std::make_unique<XmlReader>(options, std::move(sink));
}

}  // namespace emptor::catalog
