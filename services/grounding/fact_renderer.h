// Renders references as facts of the live record.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/product.h"
#include "services/grounding/answer_lexer.h"
#include "services/grounding/fact_formatter.h"
#include "services/grounding/source.h"

namespace emptor::services {

struct RenderOptions {
  std::vector<Source> sources;  // [n - 1]
  /// The live record, or nothing if it is gone. Empty function: the source's copy is used.
  std::function<std::optional<catalog::Product>(const std::string& id)> lookup;
  std::function<int64_t()> now_unix;  // for sale periods; empty: no sale period holds
  std::optional<catalog::Money> budget;
  /// By source: the sentence of its description that `[n:quote]` is.
  std::map<int, std::string> quotes = {};
  /// By source: how many of it are bought, "[1:pieces]" is "3 \u00d7".
  std::map<int, int> pieces = {};
  std::string locale;
  catalog::Market market = {};
  /// By source: what the product does not have of what was asked for, "[1:remark]".
  std::vector<std::string> remarks = {};
  /// What stands behind the value of an attribute that names no unit, or not the one that is asked
  /// for: " g". Empty function: nothing.
  std::function<std::string(const catalog::Attribute&)> unit_behind = {};
  /// Before the first source: the answer goes on behind one with as many, and its first reference
  /// is written as the next number.
  int numbers_before = 0;
  std::string link_base = {};  // before "/p/{id}": "https://shop.example"; empty: relative links
};

/// Thread-safety: none; one answer owns it.
class FactRenderer {
 public:
  explicit FactRenderer(RenderOptions options);

  /// The fact in the answer's subset of Markdown, or nothing if there is no such fact now.
  /// The first title of a product is a link to its page, a later one is bold.
  std::optional<std::string> Render(const Reference& reference);

  /// The same fact without markup, for quotes and for replacement sentences.
  std::optional<std::string> PlainFact(const Reference& reference) const;

  const RenderOptions& options() const { return options_; }
  const FactFormatter& formatter() const { return formatter_; }
  /// Null when `n` names no source.
  const Source* source(int n) const;

  /// True if a product among the sources now costs no more than the shopper's amount.
  bool AnyWithinBudget() const;

  /// The live product of source `n`; nothing for a document or a deleted product.
  std::optional<catalog::Product> LiveProduct(int n) const;

 private:
  /// The text of the shop's documents; for those of others a quotation with its author.
  std::string_view LanguageOfLocale() const;
  std::optional<std::string> DocumentText(const catalog::Document& document) const;
  std::optional<std::string> ProductFact(const catalog::Product& product,
                                         const Reference& reference) const;

  RenderOptions options_;
  FactFormatter formatter_;
  std::vector<std::string> marks_;  // of SetApart, by source; empty for documents
  std::vector<bool> linked_;
};

}  // namespace emptor::services
