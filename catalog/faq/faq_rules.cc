// Checks, field by field.
#include "catalog/faq/faq_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "catalog/encoding/fnv.h"
#include "catalog/encoding/sha256.h"
#include "catalog/encoding/timestamp.h"
#include "catalog/encoding/utf8.h"
#include "catalog/faq/faq_answer.h"
#include "catalog/faq/faq_json.h"
#include "catalog/text_safety/folded_words.h"
#include "catalog/text_safety/plain_text.h"
#include "catalog/validation.h"

namespace emptor::catalog {
namespace {

constexpr size_t kSlugBytes = 40;
constexpr int64_t kDay = 86400;

absl::Status Wrong(std::string_view field, std::string_view what) {
  return absl::InvalidArgumentError(fmt::format("{}: {}", field, what));
}

std::string Trimmed(const std::string& text) {
  const size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r\n") - begin + 1);
}

std::string PlainLine(const std::string& text) {
  return Trimmed(MakePlainText(text, TextForm::kLine).text);
}

absl::Status CheckText(std::string_view field, std::string_view text, size_t max_bytes,
                       LineBreaks line_breaks) {
  if (text.size() > max_bytes) {
    return Wrong(field, fmt::format("expected at most {} bytes, found {}", max_bytes, text.size()));
  }
  if (!IsValidUtf8(text)) return Wrong(field, "expected well-formed UTF-8");
  if (const auto at = FindControlCharacter(text, line_breaks)) {
    return Wrong(field, fmt::format("byte {}: a control character", *at));
  }
  return absl::OkStatus();
}

absl::Status CheckQuestions(const FaqEntry& entry) {
  if (entry.questions.empty()) return Wrong("question", "expected at least one, found none");
  if (entry.questions.size() > FaqLimits::kQuestions) {
    return Wrong("question", fmt::format("expected at most {} ways to ask, found {}",
                                         FaqLimits::kQuestions, entry.questions.size()));
  }
  for (const std::string& question : entry.questions) {
    absl::Status status =
        CheckText("question", question, FaqLimits::kQuestion, LineBreaks::kRefused);
    if (!status.ok()) return status;
    if (FoldQuestion(question).empty()) {
      return Wrong("question", fmt::format("expected words, found {:?}", question));
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::vector<TextWarning>> MakeFaqSafe(ScreenPolicy policy, FaqEntry& entry) {
  std::vector<std::string> questions;
  std::set<std::string> seen;
  for (const std::string& question : entry.questions) {
    if (!IsValidUtf8(question)) return Wrong("question", "expected well-formed UTF-8");
    std::string plain = PlainLine(question);
    const std::string folded = FoldQuestion(plain);
    if (folded.empty() || !seen.insert(folded).second) continue;
    questions.push_back(std::move(plain));
  }
  entry.questions = std::move(questions);
  if (!IsValidUtf8(entry.answer)) return Wrong("answer", "expected well-formed UTF-8");
  entry.category = PlainLine(entry.category);
  entry.owner = PlainLine(entry.owner);
  Document document;
  document.kind = "faq";
  document.title = entry.questions.empty() ? "" : entry.questions.front();
  document.text = std::move(entry.answer);
  std::vector<TextWarning> warnings = MakeSafe(policy, document);
  entry.answer = Trimmed(document.text);
  for (TextWarning& each : warnings) each.field = each.field == "text" ? "answer" : "question";
  if (document.quarantine.empty()) return warnings;
  return Wrong("answer", fmt::format("it is refused as text for quarantine ({}): write it in other "
                                     "words",
                                     document.quarantine));
}

absl::Status ValidateFaqEntry(const FaqEntry& entry) {
  if (!IsValidId(entry.id)) {
    return Wrong("id", fmt::format("expected letters, digits, '.', '_' and '-', at most 64, found "
                                   "{:?}",
                                   entry.id.substr(0, 80)));
  }
  if (absl::Status status = CheckQuestions(entry); !status.ok()) return status;
  if (entry.answer.find_first_not_of(" \t\n") == std::string::npos) {
    return Wrong("answer", "expected a text, found none");
  }
  const std::pair<std::string_view, absl::Status> checks[] = {
      {"answer", CheckText("answer", entry.answer, FaqLimits::kAnswer, LineBreaks::kAllowed)},
      {"category",
       CheckText("category", entry.category, FaqLimits::kCategory, LineBreaks::kRefused)},
      {"owner", CheckText("owner", entry.owner, FaqLimits::kOwner, LineBreaks::kRefused)}};
  for (const auto& [field, status] : checks) {
    if (!status.ok()) return status;
  }
  if (!entry.locale.empty() && !IsValidLocale(entry.locale)) {
    return Wrong("locale", fmt::format("expected a BCP 47 tag such as en-US, found {:?}",
                                       entry.locale.substr(0, 40)));
  }
  if (entry.valid_from < 0 || entry.valid_until < 0) {
    return Wrong("valid_from", "expected a time from 1970 on");
  }
  if (entry.valid_until != 0 && entry.valid_until <= entry.valid_from) {
    return Wrong("valid_until",
                 fmt::format("expected a time after valid_from, {}, found {}",
                             FormatRfc3339(entry.valid_from), FormatRfc3339(entry.valid_until)));
  }
  return ParseFaqAnswer(entry.answer).status();
}

bool IsFaqValid(const FaqEntry& entry, int64_t now_unix) {
  return now_unix >= entry.valid_from && (entry.valid_until == 0 || now_unix < entry.valid_until);
}

std::string FoldQuestion(std::string_view question) { return FoldedWords(question); }

std::string MakeFaqId(std::string_view question, std::string_view locale) {
  const std::string folded = FoldQuestion(question);
  std::string slug;
  for (const char c : folded) {
    const bool is_word = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    if (is_word) slug += c;
    if (c == ' ' && !slug.empty() && slug.back() != '-') slug += '-';
    if (slug.size() >= kSlugBytes) break;
  }
  while (slug.ends_with('-')) slug.pop_back();
  if (slug.empty()) slug = "faq";
  return fmt::format("{}-{:016x}", slug, Fnv1a64(folded + '\n' + std::string(locale)));
}

std::string FaqDigest(const FaqEntry& entry) {
  FaqEntry content = entry;
  content.version = 0;
  content.updated_at = 0;
  const std::string bytes = FaqEntryJson(content);
  std::string text;
  for (const uint8_t byte : ComputeSha256(bytes.data(), bytes.size())) {
    text += fmt::format("{:02x}", byte);
  }
  return text;
}

std::optional<int64_t> ParseFaqTime(std::string_view text, bool is_end) {
  constexpr size_t kDateBytes = 10;  // 2026-12-24
  if (text.size() != kDateBytes) return ParseRfc3339(text);
  const auto begin = ParseRfc3339(std::string(text) + "T00:00:00Z");
  if (!begin) return std::nullopt;
  return *begin + (is_end ? kDay : 0);
}

}  // namespace emptor::catalog
