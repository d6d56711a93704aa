// Finds text in records that speaks to the assistant instead of to the buyer.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace emptor::catalog {

/// The net in which a text was caught.
enum class ScreenRule {
  kChatMarkup,
  kDataCarrier,
  kEncodedText,
  kRepetition,
  kModel,
  kInvisible,   // characters that nobody sees (safe_record.h)
  kHiddenText,  // text that markup hides; taken out, and no attack by itself (safe_record.h)
};
inline constexpr size_t kScreenRules = 7;
/// "chat_markup", "hidden_text".
std::string_view ToString(ScreenRule rule);

/// What gave a text away.
struct ScreenFinding {
  ScreenRule rule = ScreenRule::kModel;
  std::string reason;   // "chat markup", "reads like an instruction to an assistant"
  std::string excerpt;  // where, at most 120 bytes
};

/// Rules (chat markup, hidden characters, encoded text, endless repetition, pictures that would
/// carry data away), then a linear model over hashed words and word pairs of each sentence, trained
/// by catalog/training on phrases of our own. Text is compared without case, accents of form,
/// invisible characters and look-alike letters.
/// It is a net with holes: docs/safety.md has its measured recall and false alarms, and says what
/// holds when it misses. Pure, thread-safe; about 10 us for a title, 1 ms for 10 kB.
/// REQUIRES: IsValidUtf8(text).
std::optional<ScreenFinding> FindInjection(std::string_view text);

/// The model's score of the worst sentence; FindInjection takes the text as an attack from
/// kScreenThreshold on. For evaluation.
float InjectionScore(std::string_view text);
extern const float kScreenThreshold;

}  // namespace emptor::catalog
