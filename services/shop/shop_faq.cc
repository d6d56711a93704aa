// The index follows the log of changes, the dates of validity, and the documents.
#include "services/shop/shop_faq.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <ctime>
#include <limits>
#include <map>
#include <mutex>
#include <set>
#include <thread>
#include <utility>

#include "catalog/faq/faq_answer.h"
#include "catalog/faq/faq_rules.h"
#include "retrieval/cache/faq_tuning.h"
#include "services/shop/faq_vectors.h"

namespace emptor::services {
namespace {

constexpr size_t kSlice = 512;  // records that are indexed together
constexpr int64_t kRetrySeconds = 5;
constexpr int64_t kNever = std::numeric_limits<int64_t>::max();

int64_t Now() { return static_cast<int64_t>(std::time(nullptr)); }

bool IsFaq(const catalog::Document& document) {
  return document.kind == "faq" && document.quarantine.empty() && document.product_id.empty() &&
         document.trust == catalog::Trust::kShop;
}

FaqRecord RecordOf(const catalog::Document& document) {
  FaqRecord record{.entry = {}, .is_document = true, .link = document.link};
  record.entry.id = document.id;
  record.entry.questions = {document.title};
  record.entry.answer = catalog::EscapeFaqText(document.text);
  record.entry.locale = document.locale;
  return record;
}

/// The first time after `now` at which the entry begins or ends to be valid.
int64_t NextChange(const catalog::FaqEntry& entry, int64_t now) {
  if (now < entry.valid_from) return entry.valid_from;
  return now < entry.valid_until ? entry.valid_until : kNever;
}

}  // namespace

struct ShopFaq::Impl {
  Impl(const catalog::FaqStore& entries_in, const catalog::ProductStore& products_in,
       std::unique_ptr<FaqVectors> vectors_in, std::unique_ptr<retrieval::FaqIndex> index_in)
      : entries(entries_in),
        products(products_in),
        vectors(std::move(vectors_in)),
        index(std::move(index_in)) {}

  absl::StatusOr<std::optional<FaqRecord>> FindStored(const std::string& id) const;
  absl::Status Fill();
  bool IsBehind(int64_t now) const {
    return entries.last_change() != seen_change || now >= next_due;
  }
  void CatchUp(int64_t now, std::set<std::string> changed = {});
  absl::Status IndexSome(std::set<std::string>& ids, int64_t now);
  void LearnIfChanged();
  void Build(const std::stop_token& stop);
  void Schedule(const std::string& id, int64_t at);
  void SetNextDue(int64_t now);

  const catalog::FaqStore& entries;
  const catalog::ProductStore& products;
  const std::unique_ptr<FaqVectors> vectors;  // the index embeds with it
  const std::unique_ptr<retrieval::FaqIndex> index;

  std::atomic<uint64_t> seen_change{0};   // changes up to this one are in `waiting` or indexed
  std::atomic<int64_t> next_due{kNever};  // when a validity changes, or a retry is due

  std::mutex mutex;
  std::condition_variable built;
  std::set<std::string> waiting;                  // to be indexed; guarded by mutex
  std::map<std::string, int64_t> due_of;          // guarded by mutex
  std::set<std::pair<int64_t, std::string>> due;  // guarded by mutex
  std::atomic<bool> is_deferred{false};  // the index is brought up to date by look-ups alone
  bool is_unlearned = false;             // the index has changed since it learned; guarded by mutex
  bool is_loaded = false;    // all that was stored at the start is indexed; guarded by mutex
  bool has_failed = false;   // the embedder, the last time; guarded by mutex
  bool is_building = false;  // on `builder`; guarded by mutex
  std::jthread builder;
};

absl::StatusOr<std::optional<FaqRecord>> ShopFaq::Impl::FindStored(const std::string& id) const {
  auto entry = entries.Find(id);
  if (!entry.ok()) return entry.status();
  if (*entry) return std::optional<FaqRecord>(FaqRecord{.entry = **std::move(entry)});
  const auto document = products.FindDocument(id);
  if (!document.ok()) return document.status();
  if (!*document || !IsFaq(**document)) return std::nullopt;
  return std::optional<FaqRecord>(RecordOf(**document));
}

/// Everything that both stores hold waits to be indexed.
absl::Status ShopFaq::Impl::Fill() {
  seen_change = entries.last_change();
  absl::Status status = entries.Visit([this](const catalog::FaqEntry& entry) {
    waiting.insert(entry.id);
    return true;
  });
  if (!status.ok()) return status;
  return products.ScanDocuments([this](const catalog::Document& document, std::string_view) {
    if (IsFaq(document)) waiting.insert(document.id);
    return true;
  });
}

void ShopFaq::Impl::Schedule(const std::string& id, int64_t at) {
  if (const auto known = due_of.find(id); known != due_of.end()) {
    due.erase({known->second, id});
    due_of.erase(known);
  }
  if (at == kNever) return;
  due_of[id] = at;
  due.insert({at, id});
}

void ShopFaq::Impl::SetNextDue(int64_t now) {
  const int64_t validity = due.empty() ? kNever : due.begin()->first;
  const bool retries = !waiting.empty() && !is_building;
  next_due = std::min(validity, retries ? now + kRetrySeconds : kNever);
}

/// Indexes some of the records and takes their ids away. REQUIRES: the caller holds the mutex.
absl::Status ShopFaq::Impl::IndexSome(std::set<std::string>& ids, int64_t now) {
  std::vector<retrieval::FaqPhrasings> found;
  std::vector<std::string> removed, taken;
  std::vector<std::pair<std::string, int64_t>> changes;
  for (auto next = ids.begin(); next != ids.end() && taken.size() < kSlice; ++next) {
    auto record = FindStored(*next);
    if (!record.ok()) return record.status();
    taken.push_back(*next);
    const bool is_served = *record && catalog::IsFaqValid((*record)->entry, now);
    changes.emplace_back(*next, *record ? NextChange((*record)->entry, now) : kNever);
    if (is_served) {
      catalog::FaqEntry& entry = (*record)->entry;
      found.push_back({entry.id, std::move(entry.locale), std::move(entry.questions)});
    } else {
      removed.push_back(*next);
    }
  }
  if (absl::Status status = index->Update(found, removed); !status.ok()) return status;
  is_unlearned = true;
  for (const std::string& id : taken) ids.erase(id);
  if (!is_loaded && waiting.empty()) {
    is_loaded = true;
    vectors->EndLoading();
  }
  for (const auto& [id, at] : changes) Schedule(id, at);
  return absl::OkStatus();
}

/// REQUIRES: the caller holds the mutex.
void ShopFaq::Impl::LearnIfChanged() {
  if (!is_unlearned || is_building) return;
  index->Learn();
  is_unlearned = false;
}

/// Indexes what has changed; what waits, too, unless the builder does that. REQUIRES: the caller
/// holds the mutex.
void ShopFaq::Impl::CatchUp(int64_t now, std::set<std::string> changed) {
  absl::Status status;
  // Part of the log that was not seen has been dropped.
  if (seen_change + 1 < entries.first_change()) status = Fill();
  if (status.ok())
    status = entries.VisitChanges(seen_change, [&](const catalog::FaqChange& change) {
      changed.insert(change.id);
      seen_change = change.number;
      return true;
    });
  for (; !due.empty() && due.begin()->first <= now; due.erase(due.begin())) {
    changed.insert(due.begin()->second);
    due_of.erase(due.begin()->second);
  }
  if (!is_building) changed.merge(waiting);
  while (status.ok() && !changed.empty()) status = IndexSome(changed, now);
  waiting.merge(changed);
  if (!status.ok() && !has_failed) {
    spdlog::warn("faq: {} records are not indexed: {}; look-ups retry", waiting.size(),
                 status.ToString());
  }
  has_failed = !status.ok();
  LearnIfChanged();
  SetNextDue(now);
}

void ShopFaq::Impl::Build(const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    const std::lock_guard lock(mutex);
    absl::Status status = waiting.empty() ? absl::OkStatus() : IndexSome(waiting, Now());
    has_failed = !status.ok();
    if (status.ok() && !waiting.empty()) continue;
    if (!status.ok()) spdlog::warn("faq: {}; look-ups retry", status.ToString());
    break;
  }
  const std::lock_guard lock(mutex);
  is_building = false;
  LearnIfChanged();
  SetNextDue(Now());
  built.notify_all();
}

ShopFaq::ShopFaq(std::shared_ptr<catalog::FaqStore> entries, std::unique_ptr<Impl> impl)
    : entries_(std::move(entries)), impl_(std::move(impl)) {}

ShopFaq::~ShopFaq() {
  impl_->builder.request_stop();
  if (impl_->builder.joinable()) impl_->builder.join();
}

absl::StatusOr<std::unique_ptr<ShopFaq>> ShopFaq::Open(std::shared_ptr<catalog::FaqStore> entries,
                                                       const catalog::ProductStore& products,
                                                       const retrieval::Embedder& embedder,
                                                       const std::string& vectors_file) {
  auto vectors = std::make_unique<FaqVectors>(vectors_file, embedder);
  auto index = retrieval::FaqIndex::Create(*vectors);
  if (!index.ok()) return index.status();
  auto impl = std::make_unique<Impl>(*entries, products, std::move(vectors), *std::move(index));
  if (absl::Status status = impl->Fill(); !status.ok()) return status;
  std::unique_ptr<ShopFaq> faq(new ShopFaq(std::move(entries), std::move(impl)));
  Impl& parts = *faq->impl_;
  const std::lock_guard lock(parts.mutex);
  if (parts.waiting.size() <= kAtOnce) {
    parts.CatchUp(Now());
  } else {
    parts.is_building = true;
    parts.builder = std::jthread([&parts](const std::stop_token& stop) { parts.Build(stop); });
  }
  return faq;
}

retrieval::FaqAnswer ShopFaq::Lookup(std::string_view question, std::string_view locale,
                                     int64_t now_unix) const {
  if (impl_->IsBehind(now_unix)) {
    // Whoever holds the lock is about to bring the index up to date.
    const std::unique_lock lock(impl_->mutex, std::try_to_lock);
    if (lock.owns_lock() && !impl_->is_building) impl_->CatchUp(now_unix);
  }
  return impl_->index->Lookup(question, locale);
}

absl::StatusOr<std::optional<FaqRecord>> ShopFaq::Find(const std::string& id,
                                                       int64_t now_unix) const {
  auto record = impl_->FindStored(id);
  const bool is_hidden = record.ok() && *record && !catalog::IsFaqValid((*record)->entry, now_unix);
  if (is_hidden) return std::optional<FaqRecord>();
  return record;
}

absl::StatusOr<std::vector<catalog::FaqPutResult>> ShopFaq::Write(std::vector<catalog::FaqPut> puts,
                                                                  const std::string& who,
                                                                  bool dry_run) {
  if (dry_run) return entries_->Check(std::move(puts));
  auto results = entries_->Write(std::move(puts), who);
  if (!results.ok() || impl_->is_deferred) return results;
  const std::lock_guard lock(impl_->mutex);
  impl_->CatchUp(Now());
  return results;
}

absl::Status ShopFaq::Delete(std::string_view id, const catalog::FaqMatch& match,
                             const std::string& who) {
  if (absl::Status status = entries_->Delete(id, match, who); !status.ok()) return status;
  const std::lock_guard lock(impl_->mutex);
  impl_->CatchUp(Now());
  return absl::OkStatus();
}

void ShopFaq::DeferIndexing() { impl_->is_deferred = true; }

void ShopFaq::NoteDocuments(std::span<const std::string> ids) {
  if (ids.empty()) return;
  const std::lock_guard lock(impl_->mutex);
  impl_->CatchUp(Now(), {ids.begin(), ids.end()});
}

void ShopFaq::SetTuning(retrieval::FaqTuning tuning) { impl_->index->SetTuning(std::move(tuning)); }

int64_t ShopFaq::SettledUntil(int64_t now_unix) const {
  const std::unique_lock lock(impl_->mutex, std::try_to_lock);
  if (!lock.owns_lock() || impl_->is_building || !impl_->waiting.empty()) return 0;
  return impl_->IsBehind(now_unix) ? 0 : impl_->next_due.load();
}

void ShopFaq::WaitUntilBuilt() const {
  std::unique_lock lock(impl_->mutex);
  impl_->built.wait(lock, [this] { return !impl_->is_building; });
}

size_t ShopFaq::indexed() const { return impl_->index->size(); }
size_t ShopFaq::memory_bytes() const { return impl_->index->memory_bytes(); }

}  // namespace emptor::services
