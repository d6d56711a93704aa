// Finds prompt injections: text in records with instructions to the assistant.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace emptor::catalog {

/// The rule that matched a text.
enum class ScreenRule {
  kChatMarkup,
  kDataCarrier,
  kEncodedText,
  kRepetition,
  kModel,
  kInvisible,   // invisible characters (safe_record.h)
  kHiddenText,  // text hidden by markup; removed, not an attack in itself (safe_record.h)
};
inline constexpr size_t kScreenRules = 7;
/// "chat_markup", "hidden_text".
std::string_view ToString(ScreenRule rule);

/// A match.
struct ScreenFinding {
  ScreenRule rule = ScreenRule::kModel;
  std::string reason;   // "chat markup", "reads like an instruction to an assistant"
  std::string excerpt;  // where, at most 120 bytes
};

/// Rules (chat markup, hidden characters, encoded text, endless repetition, images that would
/// exfiltrate data), then the injection classifier: a linear model over hashed words and word pairs
/// of each sentence, trained by catalog/training on the project's own phrases. Text is compared
/// without case, compatibility forms, invisible characters and look-alike letters. It misses some
/// attacks: docs/safety.md has its recall and false positives, and the defences behind it. Pure,
/// thread-safe; about 10 us for a title, 1 ms for 10 kB. REQUIRES: IsValidUtf8(text).
std::optional<ScreenFinding> FindInjection(std::string_view text);

/// The classifier's score of the worst sentence; from kClassifierThreshold on FindInjection reports
/// the text. For evaluation.
float InjectionScore(std::string_view text);
extern const float kClassifierThreshold;

}  // namespace emptor::catalog
