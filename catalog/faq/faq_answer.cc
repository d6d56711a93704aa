// Reads references in one pass.
#include "catalog/faq/faq_answer.h"

#include <fmt/format.h>

#include <utility>

#include "catalog/product.h"

namespace emptor::catalog {
namespace {

constexpr size_t kMaxReferenceBytes = 256;

std::string_view Trimmed(std::string_view text) {
  const size_t begin = text.find_first_not_of(" \t\n");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\n") - begin + 1);
}

/// The first word of `text`, which is left with what follows it.
std::string_view TakeWord(std::string_view& text) {
  const size_t end = text.find(' ');
  const std::string_view word = text.substr(0, end);
  text = end == std::string_view::npos ? std::string_view() : Trimmed(text.substr(end));
  return word;
}

absl::Status WrongAt(size_t at, std::string_view found, std::string_view what) {
  return absl::InvalidArgumentError(
      fmt::format("answer: byte {}: {}, found {}; write {{{{ for a brace", at, what, found));
}

/// `inside` is what stands between the braces.
absl::StatusOr<FaqReference> ParseReference(std::string_view inside, size_t at) {
  const std::string shown = fmt::format("{{{}}}", inside);
  std::string_view rest = Trimmed(inside);
  const std::string_view kind = TakeWord(rest);
  if (kind != "product" && kind != "policy") {
    return WrongAt(at, shown, "expected {product ID}, {product ID FIELD} or {policy ID}");
  }
  FaqReference reference;
  reference.kind = kind == "policy" ? FaqReference::Kind::kPolicy : FaqReference::Kind::kProduct;
  reference.id = TakeWord(rest);
  reference.field = rest;
  if (!IsValidId(reference.id)) return WrongAt(at, shown, "expected the id of a record");
  if (kind == "policy" && !rest.empty()) return WrongAt(at, shown, "a policy has no fields");
  return reference;
}

}  // namespace

std::string ToString(const FaqReference& reference) {
  const bool is_product = reference.kind == FaqReference::Kind::kProduct;
  return fmt::format("{{{} {}{}{}}}", is_product ? "product" : "policy", reference.id,
                     reference.field.empty() ? "" : " ", reference.field);
}

absl::StatusOr<std::vector<FaqAnswerPart>> ParseFaqAnswer(std::string_view answer) {
  std::vector<FaqAnswerPart> parts;
  std::string text;
  for (size_t at = 0; at < answer.size();) {
    const char c = answer[at];
    if ((c == '{' || c == '}') && answer.substr(at + 1, 1) == std::string_view(&c, 1)) {
      text += c;
      at += 2;
      continue;
    }
    if (c != '{') {
      text += c;
      ++at;
      continue;
    }
    const size_t end = answer.find_first_of("{}", at + 1);
    if (end == std::string_view::npos || answer[end] == '{' || end - at > kMaxReferenceBytes) {
      return WrongAt(at, "none", "expected a closing brace");
    }
    auto reference = ParseReference(answer.substr(at + 1, end - at - 1), at);
    if (!reference.ok()) return reference.status();
    if (!text.empty()) parts.push_back({std::exchange(text, {}), std::nullopt});
    parts.push_back({"", *std::move(reference)});
    at = end + 1;
  }
  if (!text.empty()) parts.push_back({std::move(text), std::nullopt});
  return parts;
}

std::string EscapeFaqText(std::string_view text) {
  std::string escaped;
  for (const char c : text) escaped.append(c == '{' || c == '}' ? 2 : 1, c);
  return escaped;
}

}  // namespace emptor::catalog
