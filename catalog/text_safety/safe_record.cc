// Field by field.
#include "catalog/text_safety/safe_record.h"

#include <algorithm>
#include <array>
#include <utility>

#include "catalog/encoding/utf8.h"
#include "catalog/text_safety/injection_screen.h"
#include "catalog/text_safety/plain_text.h"
#include "catalog/validation.h"
#include "fmt/format.h"

namespace emptor::catalog {
namespace {

constexpr std::array<std::string_view, 3> kPolicies = {"off", "flag", "quarantine"};
// Fewer invisible characters than this come from word processors.
constexpr size_t kManyInvisible = 8;

// Cleans the fields of one record and keeps what it finds.
class Inspector {
 public:
  explicit Inspector(ScreenPolicy policy) : policy_(policy) {}

  void Clean(const std::string& field, TextForm form, std::string& text) {
    if (text.empty()) return;
    PlainText plain = MakePlainText(text, form);
    if (policy_ != ScreenPolicy::kOff) {
      if (plain.tag_letters || plain.invisible >= kManyInvisible) {
        Find(field, ScreenRule::kInvisible,
             fmt::format("{} invisible characters", plain.invisible));
      }
      if (plain.hid_text) {
        warnings_.push_back({field, "text hidden by markup was removed", ScreenRule::kHiddenText});
      }
    }
    text = std::move(plain.text);
  }

  void CleanAndScreen(const std::string& field, TextForm form, std::string& text) {
    Clean(field, form, text);
    if (policy_ == ScreenPolicy::kOff || text.empty() || !IsValidUtf8(text)) return;
    if (const auto found = FindInjection(text)) {
      Find(field, found->rule, fmt::format("{}: \"{}\"", found->reason, found->excerpt));
    }
  }

  std::vector<TextWarning> Finish(std::string& quarantine) {
    if (policy_ == ScreenPolicy::kQuarantine && quarantine.empty() && !first_finding_.empty()) {
      std::string reason = first_finding_;
      std::replace_if(
          reason.begin(), reason.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; },
          ' ');
      quarantine = Utf8Prefix(reason, RecordLimits::kQuarantine);
    }
    return std::move(warnings_);
  }

 private:
  void Find(const std::string& field, ScreenRule rule, const std::string& reason) {
    if (first_finding_.empty()) first_finding_ = field + ": " + reason;
    const bool held = policy_ == ScreenPolicy::kQuarantine;
    warnings_.push_back({field, (held ? "in quarantine: " : "suspicious: ") + reason, rule});
  }

  const ScreenPolicy policy_;
  std::string first_finding_;
  std::vector<TextWarning> warnings_;
};

void CleanAttributes(const std::string& field, std::vector<Attribute>& attributes,
                     Inspector& inspector) {
  for (Attribute& attribute : attributes) {
    inspector.Clean(field, TextForm::kLine, attribute.name);
    inspector.CleanAndScreen(field + "." + attribute.name, TextForm::kParagraphs, attribute.value);
  }
}

}  // namespace

std::string_view ToString(ScreenPolicy policy) { return kPolicies.at(static_cast<size_t>(policy)); }

std::optional<ScreenPolicy> ParseScreenPolicy(std::string_view name) {
  const auto* found = std::find(kPolicies.begin(), kPolicies.end(), name);
  if (found == kPolicies.end()) return std::nullopt;
  return static_cast<ScreenPolicy>(found - kPolicies.begin());
}

std::vector<TextWarning> MakeSafe(ScreenPolicy policy, Product& product) {
  Inspector inspector(policy);
  inspector.CleanAndScreen("title", TextForm::kLine, product.title);
  inspector.CleanAndScreen("description", TextForm::kParagraphs, product.description);
  inspector.Clean("brand", TextForm::kLine, product.brand);
  inspector.Clean("mpn", TextForm::kLine, product.mpn);
  for (std::string& category : product.categories) {
    inspector.Clean("categories", TextForm::kLine, category);
  }
  CleanAttributes("attributes", product.attributes, inspector);
  CleanAttributes("options", product.options, inspector);
  for (Shipping& shipping : product.shipping) {
    inspector.Clean("shipping.service", TextForm::kLine, shipping.service);
  }
  for (LocationStock& stock : product.stock) {
    inspector.Clean("stock.location", TextForm::kLine, stock.location);
  }
  return inspector.Finish(product.quarantine);
}

std::vector<TextWarning> MakeSafe(ScreenPolicy policy, Document& document) {
  Inspector inspector(policy);
  if (document.kind == "faq") {
    inspector.Clean("title", TextForm::kLine, document.title);
  } else {
    inspector.CleanAndScreen("title", TextForm::kLine, document.title);
  }
  const std::string before = document.pages.empty() ? std::string() : document.text;
  inspector.CleanAndScreen("text", TextForm::kSections, document.text);
  if (document.text != before) document.pages.clear();  // they are places in that text
  return inspector.Finish(document.quarantine);
}

bool IsScreenedField(std::string_view field) {
  return field == "title" || field == "description" || field == "brand" || field == "mpn" ||
         field == "categories" || field == "attributes" || field == "options" ||
         field.starts_with("attributes.") || field == "shipping" || field == "stock";
}

}  // namespace emptor::catalog
