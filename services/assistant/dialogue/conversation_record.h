// What of a conversation is shown to its shopper again: whose it is, its title, its answers, and
// what the shopper thought of them. Plain values.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "services/grounding/citation.h"

namespace emptor::services {

/// Times are seconds since the Unix epoch.
struct ConversationHead {
  /// The hash of the shopper's token; empty: whoever knows the id may read it.
  std::string owner = {};
  std::string title = {};  // as the shopper named it, or the beginning of the first question
  int64_t created_unix = 0;
  int64_t used_unix = 0;  // when the last turn ended
  uint32_t answers = 0;   // that were ever given; the oldest may be gone
};

/// A product that an answer showed.
struct ShownCard {
  int n = 0;  // as citations count
  std::string product_id = {};
  std::string why = {};
};

/// A question and its answer. Holds no price of a card: those are read from the records.
struct ConversationAnswer {
  std::string id = {};  // "a_..."
  std::string question = {};
  int64_t asked_unix = 0;
  int64_t answered_unix = 0;
  std::string text = {};
  std::string answer_step = {};  // "model", "code", "mixed"
  std::string model = {};        // "none" where code answered
  std::string locale = {},
              currency = {};  // as they were asked for: they choose among a record's prices
  std::vector<ShownCard> cards = {};
  std::vector<Citation> citations = {};
};

/// What a shopper thought of an answer.
struct AnswerFeedback {
  std::string answer_id = {};
  std::string conversation_id = {};  // empty: the client keeps the conversation
  int64_t made_unix = 0;
  bool is_up = false;
  std::string reason = {};   // "wrong", ... or empty
  std::string comment = {};  // the shopper's words, or empty
};

inline constexpr size_t kMaxTitleBytes = 480;  // 120 characters

/// The beginning of a question, on one line, cut at a word. Pure.
std::string TitleOf(const std::string& question);

}  // namespace emptor::services
