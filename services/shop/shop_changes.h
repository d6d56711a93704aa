// How often a shop has changed: what is derived from its records and kept is valid while the counts
// that it depends on stay.
#pragma once

#include <atomic>
#include <cstdint>

namespace emptor::services {

/// Counts of changes since the shop was opened.
struct ShopChanges {
  /// Records, documents, synonyms and merchandising rules: whatever may change which records a
  /// question finds. A new price is not among them.
  uint64_t content = 0;
  /// List and sale prices of records that had a price in the same currency before.
  uint64_t prices = 0;
  /// Entries of the FAQ.
  uint64_t faq = 0;

  friend bool operator==(const ShopChanges&, const ShopChanges&) = default;
};

/// Counts a change once searches show it and before it is acknowledged. So what was read after the
/// counts were is at least as new as they are, and a count that is unchanged after an
/// acknowledgement means that the change was not of that kind.
/// Thread-safety: any thread.
class ChangeCounter {
 public:
  void CountContent() { content_.fetch_add(1, std::memory_order_release); }
  void CountPrices() { prices_.fetch_add(1, std::memory_order_release); }
  uint64_t content() const { return content_.load(std::memory_order_acquire); }
  uint64_t prices() const { return prices_.load(std::memory_order_acquire); }

 private:
  std::atomic<uint64_t> content_{0}, prices_{0};
};

}  // namespace emptor::services
