// Bounded regular expressions; constructs that are not regular are refused.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/structure/code_points.h"
#include "engine/structure/nfa.h"

namespace emptor::engine {

/// A parsed expression: literals, `.`, classes, `\d \w \s` (of ASCII) and their complements,
/// groups,
/// `|`, `* + ? {m} {m,} {m,n}` (lazy marks change nothing). It must match the whole text; `^` and
/// `$` may stand at the ends of a top-level alternative and say nothing new.
class Regex {
 public:
  /// Errors: kInvalidArgument, message `byte 17: what is wrong`: bad syntax, not UTF-8, more than
  /// 16 KiB, groups deeper than 64, counts above 4096, look-around, back references, \b, inline
  /// flags, Unicode properties.
  static absl::StatusOr<Regex> Parse(std::string_view pattern);

  enum class Spelling { kPlain, kJsonString };
  /// The automaton of the expression in front of `next`, each character written in `spelling`. When
  /// the builder is full, the result is invalid.
  NfaStateId BuildInto(NfaBuilder& builder, Spelling spelling, NfaStateId next) const;

 private:
  friend class RegexParser;
  struct Node {
    enum class Kind { kSet, kConcat, kAlternate, kRepeat };
    Kind kind = Kind::kConcat;
    CodePointSet set;
    std::vector<size_t> children;
    int low = 0, high = -1;  // of kRepeat; -1: without end
  };
  Regex() = default;
  NfaStateId Build(NfaBuilder& builder, Spelling spelling, size_t node, NfaStateId next) const;
  NfaStateId BuildRepeat(NfaBuilder& builder, Spelling spelling, const Node& node,
                         NfaStateId next) const;

  std::vector<Node> nodes_;
  size_t root_ = 0;
};

}  // namespace emptor::engine
