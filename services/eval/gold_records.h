// The records of a shop, as answer cases ask about them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "absl/status/status.h"
#include "catalog/product.h"
#include "services/eval/answer_cases.h"

namespace emptor::services {

/// Three-valued: a record may not say.
enum class Truth { kNo, kYes, kUnknown };

/// The first number of a text, in `unit` where its own unit measures the same ("1.2 kg" in "g" is
/// 1200). Nothing when there is no number.
std::optional<double> NumberIn(std::string_view text, std::string_view unit = "");
/// What a point before exactly three digits means: "10.494" is 10.494 where any notation may be
/// meant, 10494 in German and Spanish.
enum class NumberForm { kAny, kPointGroups };

/// Every number of a text. "1,599.00", "1.599,00" and "1 599" with a no-break blank are read as
/// amounts.
std::vector<double> NumbersIn(std::string_view text, NumberForm form = NumberForm::kAny);

/// Thread-safety: const access from any thread.
class GoldRecords {
 public:
  /// Prices are those payable at `now_unix`.
  GoldRecords(std::vector<catalog::Product> products, CaseTypes types, int64_t now_unix);

  /// Null: no such product. Lifetime: of this.
  const catalog::Product* Find(std::string_view id) const;
  /// True for the same article, also where it has a record in each of two languages (equal GTIN).
  bool IsSame(const catalog::Product& a, const catalog::Product& b) const;
  /// Keys are those of docs/formats/answer_cases.md; empty: the record does not say, nor does that
  /// of the same article in another language.
  std::vector<std::string> Values(const catalog::Product& product, std::string_view key) const;
  bool Meets(const catalog::Product& product, const CaseCondition& condition) const;
  bool MeetsAll(const catalog::Product& product, const std::vector<CaseCondition>& all) const;
  /// kUnknown: the record has no value for the key of the condition.
  Truth Ask(const catalog::Product& product, const CaseCondition& condition) const;
  std::vector<const catalog::Product*> FindAll(const std::vector<CaseCondition>& all) const;
  /// Those of `among` whose number for the key is the least or the greatest; several where equal.
  std::vector<const catalog::Product*> Best(
      std::string_view key, bool is_least, const std::vector<const catalog::Product*>& among) const;
  std::optional<catalog::Money> PriceOf(const catalog::Product& product) const;
  std::optional<catalog::Money> ListPriceOf(const catalog::Product& product) const;

  const std::vector<catalog::Product>& products() const { return products_; }
  /// OK, or which case names an unknown type or a condition that no product meets.
  absl::Status Check(const std::vector<CaseConversation>& cases) const;

 private:
  /// `product` is one of products_.
  bool IsOfType(const catalog::Product& product, const CaseType& type) const;
  std::vector<std::string> OwnAttribute(const catalog::Product& product,
                                        std::string_view name) const;

  const std::vector<catalog::Product> products_;
  const CaseTypes types_;
  const int64_t now_unix_;
  std::unordered_map<std::string_view, size_t> by_id_;  // into products_
  std::vector<std::string> folded_titles_;              // [products_]
  std::vector<std::vector<std::string>> folded_names_;  // of attributes, [products_]
  std::unordered_map<std::string_view, std::vector<size_t>> by_gtin_;
};

}  // namespace emptor::services
