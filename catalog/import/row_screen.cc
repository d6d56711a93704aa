// Screens first; looks up releases only for records that were quarantined.
#include "catalog/import/row_screen.h"

#include <string_view>
#include <utility>
#include <variant>

#include "catalog/import/release.h"

namespace emptor::catalog {

/// True when the record was not held before and is now.
template <typename Record>
bool RowScreen::Screen(Record& record, std::vector<FeedProblem>& problems) const {
  const bool was_held = !record.quarantine.empty();  // by the shop itself
  std::vector<TextWarning> warnings = catalog::MakeSafe(policy_, record);
  if (policy_ != ScreenPolicy::kOff && sink_) sink_(warnings);
  for (TextWarning& warning : warnings) {
    problems.push_back({std::move(warning.field), std::move(warning.reason)});
  }
  return !was_held && !record.quarantine.empty();
}

/// Releases a record from quarantine if its text was released before. Errors: of the store.
template <typename Record>
absl::Status RowScreen::LetRecordOut(Record& record, std::vector<FeedProblem>& problems) const {
  const auto released = WasReleased(store_, record);
  if (!released.ok() || !*released) return released.status();
  record.quarantine.clear();
  for (FeedProblem& problem : problems) {
    constexpr std::string_view kHeld = "in quarantine: ";
    if (!problem.reason.starts_with(kHeld)) continue;
    problem.reason.replace(0, kHeld.size(), "released before: ");
  }
  return absl::OkStatus();
}

bool RowScreen::MakeSafe(FeedRow& row) const {
  if (auto* product = std::get_if<Product>(&row.record)) return Screen(*product, row.problems);
  if (auto* document = std::get_if<Document>(&row.record)) return Screen(*document, row.problems);
  return false;
}

absl::Status RowScreen::LetOut(FeedRow& row) const {
  if (auto* product = std::get_if<Product>(&row.record)) {
    return LetRecordOut(*product, row.problems);
  }
  if (auto* document = std::get_if<Document>(&row.record)) {
    return LetRecordOut(*document, row.problems);
  }
  return absl::OkStatus();
}

absl::Status RowScreen::ScreenPatched(Product& product, std::vector<FeedProblem>& problems) const {
  return Screen(product, problems) ? LetRecordOut(product, problems) : absl::OkStatus();
}

}  // namespace emptor::catalog
