// Snapshots of segments: an update adds one, and merges those of similar size.
#include "retrieval/cache/faq_index.h"

#include <algorithm>
#include <mutex>
#include <set>
#include <utility>

#include "retrieval/cache/faq_snapshot.h"
#include "retrieval/cache/faq_tuning.h"

namespace emptor::retrieval {
namespace {

constexpr size_t kBatch = 256;  // texts that are embedded together

/// The last of each id, in the order of the ids.
std::vector<std::shared_ptr<const FaqRecord>> ReadRecords(std::span<const FaqPhrasings> entries) {
  std::map<std::string_view, const FaqPhrasings*> by_id;
  for (const FaqPhrasings& entry : entries) by_id[entry.id] = &entry;
  std::vector<std::shared_ptr<const FaqRecord>> records;
  for (const auto& [id, entry] : by_id) {
    if (!entry->phrasings.empty()) records.push_back(ReadFaqRecord(*entry));
  }
  return records;
}

absl::StatusOr<QuantizedRows> EmbedPhrasings(
    const Embedder& embedder, std::span<const std::shared_ptr<const FaqRecord>> records) {
  const auto dimension = static_cast<size_t>(embedder.dimension());
  QuantizedRows rows(embedder.dimension());
  std::vector<std::string> texts;
  std::vector<float> vectors;
  const auto embed = [&]() -> absl::Status {
    vectors.assign(texts.size() * dimension, 0);
    const absl::Status embedded = embedder.EmbedInto(texts, vectors);
    if (!embedded.ok()) return embedded;
    for (size_t i = 0; i < texts.size(); ++i) {
      rows.Add(std::span(vectors).subspan(i * dimension, dimension));
    }
    texts.clear();
    return absl::OkStatus();
  };
  for (const auto& record : records) {
    for (const FaqPhrasing& phrasing : record->phrasings) {
      texts.push_back(phrasing.text);
      if (texts.size() < kBatch) continue;
      if (const absl::Status embedded = embed(); !embedded.ok()) return embedded;
    }
  }
  if (!texts.empty()) {
    if (const absl::Status embedded = embed(); !embedded.ok()) return embedded;
  }
  return rows;
}

/// One segment of the live entries of all views.
FaqSegmentView Merge(std::span<const FaqSegmentView> views, int dimension) {
  std::vector<std::shared_ptr<const FaqRecord>> records;
  QuantizedRows rows(dimension);
  for (const FaqSegmentView& view : views) {
    const FaqSegment& segment = view.segment();
    uint32_t row = 0;
    for (const auto& record : segment.records()) {
      const bool is_alive = view.alive().contains(row);
      if (is_alive) records.push_back(record);
      for (size_t i = 0; i < record->phrasings.size(); ++i, ++row) {
        if (is_alive) rows.AddFrom(segment.vectors().rows(), row);
      }
    }
  }
  auto merged = std::make_shared<const FaqSegment>(std::move(records), std::move(rows));
  const size_t count = merged->row_count();
  return {std::move(merged), RecordSet(count, true)};
}

/// Drops empty views, rewrites those that are mostly dead, and merges the last ones while one is
/// not much smaller than the one before: so there are few, and a row is copied few times.
void Compact(std::vector<FaqSegmentView>& views, int dimension) {
  std::erase_if(views, [](const FaqSegmentView& view) { return view.alive_rows() == 0; });
  for (FaqSegmentView& view : views) {
    if (view.alive_rows() * 2 < view.segment().row_count()) view = Merge({&view, 1}, dimension);
  }
  std::stable_sort(views.begin(), views.end(),
                   [](const auto& a, const auto& b) { return a.alive_rows() > b.alive_rows(); });
  while (views.size() > 1 && views[views.size() - 2].alive_rows() < 4 * views.back().alive_rows()) {
    FaqSegmentView merged = Merge(std::span(views).last(2), dimension);
    views.pop_back();
    views.back() = std::move(merged);
  }
}

/// The view without the entries of these ids.
FaqSegmentView Without(const FaqSegmentView& view, const std::set<std::string_view>& ids) {
  RecordSet alive = view.alive();
  bool has_lost = false;
  for (const std::string_view id : ids) {
    const auto [first, last] = view.segment().RowsOfEntry(id);
    for (uint32_t row = first; row < last; ++row) alive.Erase(row);
    has_lost = has_lost || first < last;
  }
  return has_lost ? FaqSegmentView(view.shared_segment(), std::move(alive)) : view;
}

}  // namespace

struct FaqIndex::Impl {
  explicit Impl(const Embedder& model) : embedder(model) {}

  std::shared_ptr<const FaqSnapshot> Snapshot() const {
    const std::lock_guard lock(mutex);
    return snapshot;
  }
  std::shared_ptr<const FaqTuning> Tuning() const {
    const std::lock_guard lock(mutex);
    return tuning;
  }

  FaqMatches Match(std::string_view question, std::string_view locale) const {
    const std::shared_ptr<const FaqSnapshot> now = Snapshot();
    FaqMatches found = now->MatchExactly(question, locale);
    if (found.exact || now->segments().empty() || question.size() > kMaxQuestionBytes) return found;
    std::vector<float> vector(static_cast<size_t>(embedder.dimension()));
    const bool is_embedded = embedder.EmbedQueryInto(std::string(question), vector).ok();
    return now->Match(question, locale,
                      is_embedded ? std::span<const float>(vector) : std::span<const float>());
  }

  const Embedder& embedder;
  mutable std::mutex mutex;
  std::shared_ptr<const FaqSnapshot> snapshot =
      std::make_shared<FaqSnapshot>(std::vector<FaqSegmentView>());  // guarded by mutex
  std::shared_ptr<const FaqTuning> tuning =
      std::make_shared<FaqTuning>(DefaultFaqTuning());  // guarded by mutex
};

FaqIndex::FaqIndex(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
FaqIndex::~FaqIndex() = default;

absl::StatusOr<std::unique_ptr<FaqIndex>> FaqIndex::Create(const Embedder& embedder) {
  if (embedder.dimension() <= 0) {
    return absl::InvalidArgumentError("FAQ index: expected an embedder of at least one dimension");
  }
  return std::unique_ptr<FaqIndex>(new FaqIndex(std::make_unique<Impl>(embedder)));
}

absl::Status FaqIndex::Update(std::span<const FaqPhrasings> entries,
                              std::span<const std::string> removed) {
  std::vector<std::shared_ptr<const FaqRecord>> records = ReadRecords(entries);
  absl::StatusOr<QuantizedRows> rows = EmbedPhrasings(impl_->embedder, records);
  if (!rows.ok()) return rows.status();
  std::set<std::string_view> gone(removed.begin(), removed.end());
  for (const FaqPhrasings& entry : entries) gone.insert(entry.id);
  std::vector<FaqSegmentView> views;
  for (const FaqSegmentView& view : impl_->Snapshot()->segments()) {
    views.push_back(Without(view, gone));
  }
  if (!records.empty()) {
    auto fresh = std::make_shared<const FaqSegment>(std::move(records), *std::move(rows));
    const size_t count = fresh->row_count();
    views.emplace_back(std::move(fresh), RecordSet(count, true));
  }
  Compact(views, impl_->embedder.dimension());
  auto next = std::make_shared<const FaqSnapshot>(std::move(views));
  const std::lock_guard lock(impl_->mutex);
  impl_->snapshot.swap(next);
  return absl::OkStatus();
}

void FaqIndex::Learn() {
  const std::shared_ptr<const FaqSnapshot> now = impl_->Snapshot();
  std::shared_ptr<const LearnedEntries> learned = LearnedEntries::Train(now->segments());
  if (learned == nullptr) return;
  auto next = std::make_shared<const FaqSnapshot>(now->segments(), std::move(learned));
  const std::lock_guard lock(impl_->mutex);
  impl_->snapshot.swap(next);
}

FaqAnswer FaqIndex::Lookup(std::string_view question, std::string_view locale) const {
  const std::shared_ptr<const FaqTuning> tuning = impl_->Tuning();
  return DecideFaq(impl_->Match(question, locale), *tuning);
}

FaqMatches FaqIndex::Match(std::string_view question, std::string_view locale) const {
  return impl_->Match(question, locale);
}

void FaqIndex::SetTuning(FaqTuning tuning) {
  auto next = std::make_shared<const FaqTuning>(std::move(tuning));
  const std::lock_guard lock(impl_->mutex);
  impl_->tuning = std::move(next);
}

size_t FaqIndex::size() const { return impl_->Snapshot()->entry_count(); }

size_t FaqIndex::memory_bytes() const {
  size_t bytes = sizeof(Impl);
  const std::shared_ptr<const FaqSnapshot> now = impl_->Snapshot();
  for (const FaqSegmentView& view : now->segments()) bytes += view.segment().memory_bytes();
  if (now->learned() != nullptr) bytes += now->learned()->memory_bytes();
  return bytes;
}

}  // namespace emptor::retrieval
