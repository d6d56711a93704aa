// Sets of Unicode code points, and the bytes that write them.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "engine/structure/nfa.h"

namespace emptor::engine {

/// Ranges of code points, ascending, apart from one another, surrogates left out.
class CodePointSet {
 public:
  static constexpr uint32_t kLast = 0x10ffff;

  void Add(uint32_t low, uint32_t high);
  void Add(const CodePointSet& other);
  CodePointSet Complement() const;
  CodePointSet Without(uint32_t low, uint32_t high) const;
  bool Contains(uint32_t point) const;
  bool empty() const { return ranges_.empty(); }
  const std::vector<std::pair<uint32_t, uint32_t>>& ranges() const { return ranges_; }

 private:
  std::vector<std::pair<uint32_t, uint32_t>> ranges_;
};

/// One character of the set in UTF-8; -1 when the set is empty.
NfaStateId AddUtf8(NfaBuilder& builder, const CodePointSet& set, NfaStateId next);

/// One character of the set as it stands within a JSON string: quote, backslash and control
/// characters escaped, in one spelling; -1 when the set is empty.
NfaStateId AddJsonEscaped(NfaBuilder& builder, const CodePointSet& set, NfaStateId next);

}  // namespace emptor::engine
