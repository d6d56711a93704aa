// A question that shoppers ask, with the answer that the shop's staff wrote.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace emptor::catalog {

/// Limits of an entry: docs/formats/faq.md.
struct FaqEntry {
  std::string id;
  /// Ways to ask, at least one; the first is the one that is shown.
  std::vector<std::string> questions;
  /// What shoppers read. References stand for facts, so that nothing in it goes stale: `{product
  /// ID}`,
  /// `{product ID price}` (a field or an attribute key), `{policy ID}`.
  std::string answer;
  std::string locale;    // BCP 47; empty: any
  std::string category;  // for the staff, may be empty
  std::string owner;     // who answers for the text, may be empty
  /// Unix seconds; the entry is served from `valid_from` up to, not including, `valid_until`;
  /// 0: no bound.
  int64_t valid_from = 0;
  int64_t valid_until = 0;
  uint64_t version = 0;    // grows by one with every change; 0 before the entry is stored
  int64_t updated_at = 0;  // Unix seconds
};

}  // namespace emptor::catalog
