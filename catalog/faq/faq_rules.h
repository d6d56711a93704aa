// Limits of a FAQ entry, the checks before it is stored, and what makes two questions the same.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "catalog/faq/faq_entry.h"
#include "catalog/text_safety/safe_record.h"

namespace emptor::catalog {

/// Sizes are bytes of UTF-8.
struct FaqLimits {
  static constexpr size_t kQuestions = 64;
  static constexpr size_t kQuestion = 512;
  static constexpr size_t kAnswer = 8192;
  static constexpr size_t kCategory = 128;
  static constexpr size_t kOwner = 128;
};

/// Makes texts plain as those of documents (text_safety/safe_record.h) and drops questions that are
/// empty or repeat an earlier one. Returns warnings about suspicious text. Errors: kInvalidArgument
/// for what a document would be kept in quarantine for: an entry is served or refused.
absl::StatusOr<std::vector<TextWarning>> MakeFaqSafe(ScreenPolicy policy, FaqEntry& entry);

/// Checks the limits, the locale and the form of references. Errors: kInvalidArgument, message
/// "field: what is wrong, what was found".
absl::Status ValidateFaqEntry(const FaqEntry& entry);

/// True from valid_from up to, not including, valid_until.
bool IsFaqValid(const FaqEntry& entry, int64_t now_unix);

/// The question without case, compatibility forms, punctuation and repeated blanks: equal for
/// questions that are the same in writing. Thread-safe.
std::string FoldQuestion(std::string_view question);

/// The id of an entry that names none: words of its first question, and a hash of question and
/// locale. Equal for equal questions, so that the same file can be imported again.
std::string MakeFaqId(std::string_view question, std::string_view locale);

/// SHA-256, in hex, of everything but version and time of change.
std::string FaqDigest(const FaqEntry& entry);

/// RFC 3339, or a date such as 2026-12-24, in UTC: its beginning, or with `is_end` the end of that
/// day. Nothing for other text.
std::optional<int64_t> ParseFaqTime(std::string_view text, bool is_end);

}  // namespace emptor::catalog
