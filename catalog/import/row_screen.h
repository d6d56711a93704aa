// Makes the text of imported rows plain and screens it for injections.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "absl/status/status.h"
#include "catalog/feed/feed_row.h"
#include "catalog/product.h"
#include "catalog/product_store.h"
#include "catalog/text_safety/safe_record.h"

namespace emptor::catalog {

/// Gets the warnings of each screened record (mostly none).
using ScreenSink = std::function<void(std::span<const TextWarning>)>;

/// Rules: text_safety/safe_record.h; releases from quarantine: import/release.h.
/// Thread-safety: that of `sink`. Lifetime: the store outlives it.
class RowScreen {
 public:
  /// An empty sink gets nothing.
  RowScreen(const ProductStore& store, ScreenPolicy policy, ScreenSink sink)
      : store_(store), policy_(policy), sink_(std::move(sink)) {}

  /// Makes a whole record safe and adds its warnings to the row's problems; a patch is screened
  /// with the record that it changes. True when the screen, not the shop, quarantined the record.
  bool MakeSafe(FeedRow& row) const;
  /// Releases the row's record from quarantine if its text was released before. Errors: of the
  /// store.
  absl::Status LetOut(FeedRow& row) const;
  /// Both for a stored product whose text a patch changed. Errors: of the store.
  absl::Status ScreenPatched(Product& product, std::vector<FeedProblem>& problems) const;

 private:
  template <typename Record>
  bool Screen(Record& record, std::vector<FeedProblem>& problems) const;
  template <typename Record>
  absl::Status LetRecordOut(Record& record, std::vector<FeedProblem>& problems) const;

  const ProductStore& store_;
  const ScreenPolicy policy_;
  const ScreenSink sink_;
};

}  // namespace emptor::catalog
