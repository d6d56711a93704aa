// The phrases of a lexicon, of which a message looks at few.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "services/grounding/lexicon_text.h"

namespace emptor::services {

/// Filled once, then read. Thread-safety: readers from any thread.
class PhraseIndex {
 public:
  struct Match {
    uint32_t id = 0;     // what the phrase was added with
    uint32_t place = 0;  // number of the phrase, in the order of Add
    FoldedMessage::Span span;
  };

  /// `phrase`: folded, not empty.
  void Add(std::string_view phrase, uint32_t id) {
    const size_t at =
        phrase.size() < 2 ? FoldedMessage::kBeginnings : FoldedMessage::Beginning(phrase.data());
    by_beginning_[at].push_back({std::string(phrase), id, size_++});
  }

  /// Where phrases stand in the message, by FoldedMessage::Find, in the order of Add.
  std::vector<Match> Find(const FoldedMessage& message) const;

 private:
  struct Phrase {
    std::string text;
    uint32_t id = 0;
    uint32_t place = 0;
  };
  void FindIn(const std::vector<Phrase>& phrases, const FoldedMessage& message,
              std::vector<Match>& found) const;

  std::array<std::vector<Phrase>, FoldedMessage::kBeginnings + 1> by_beginning_;  // last: one byte
  uint32_t size_ = 0;
};

}  // namespace emptor::services
