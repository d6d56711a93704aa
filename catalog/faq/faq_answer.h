// The answer of a FAQ entry: text, and references to records that stand for facts.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace emptor::catalog {

/// A fact of a record, such as `{product kettle-1 price}`.
struct FaqReference {
  enum class Kind { kProduct, kPolicy };
  Kind kind = Kind::kProduct;
  std::string id;     // of the product, or of the document
  std::string field;  // of a product: a field or the key of an attribute; empty: the title

  friend bool operator==(const FaqReference&, const FaqReference&) = default;
};

/// As it is written in an answer: "{product kettle-1 price}".
std::string ToString(const FaqReference& reference);

/// A piece of an answer: a text, or a reference where there is one.
struct FaqAnswerPart {
  std::string text;
  std::optional<FaqReference> reference;
};

/// `{product ID}`, `{product ID FIELD}` and `{policy ID}` are references; `{{` and `}}` are braces.
/// Errors: kInvalidArgument, message "answer: byte 17: what is wrong", for any other `{`.
absl::StatusOr<std::vector<FaqAnswerPart>> ParseFaqAnswer(std::string_view answer);

/// `text` with its braces doubled, so that ParseFaqAnswer gives the text back.
std::string EscapeFaqText(std::string_view text);

}  // namespace emptor::catalog
