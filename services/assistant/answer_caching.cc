// An answer that was given before is given again: its choice of records and a model's text are
// taken from the cache, and everything that is a fact is read, planned, checked and filled in as of
// now, by the same code as in an answer that is made.
#include <algorithm>
#include <utility>

#include "services/assistant/answer.h"
#include "services/assistant/cache/answer_cache.h"
#include "services/assistant/types/type_catalog.h"
#include "services/shop/shop_faq.h"

namespace emptor::services {
namespace {

using std::chrono::steady_clock;

/// Sales begin and end by the clock, so a choice by prices is looked at again.
constexpr int64_t kPricesHoldSeconds = 60;
constexpr size_t kPieceBytes = 48;  // of a text that is streamed again, at least

/// The beginning of the text, up to a blank.
std::string_view FirstPiece(std::string_view text) {
  const size_t blank =
      text.size() <= kPieceBytes ? std::string_view::npos : text.find(' ', kPieceBytes);
  return text.substr(0, blank == std::string_view::npos ? blank : blank + 1);
}

/// The choice without the records.
Retrieved WithoutRecords(Retrieved retrieved) {
  for (Source& source : retrieved.sources) {
    if (const catalog::Product* product = source.product()) {
      catalog::Product bare;
      bare.id = product->id;
      source.record = std::move(bare);
    }
  }
  return retrieved;
}

}  // namespace

/// Looks for an answer to an equal first question. True: this is it, and nothing is to be
/// understood, searched or generated.
bool Answer::Recall() {
  AnswerCache* const cache = parts_.answers.get();
  if (cache == nullptr) return false;
  const bool begins = turns_.empty() && request_.history.empty();
  key_model_ = ModelName();
  if (begins && request_.cache_control != CacheControl::kNoStore) {
    key_ = ComputeAnswerKey({.shop = parts_.shop_name,
                             .model = key_model_,
                             .prompt_version = kPromptVersion,
                             .default_locale = options_.default_locale},
                            request_);
  }
  if (!key_) {
    cache->Count(CacheOutcome::kBypass);
    return false;
  }
  changes_ = parts_.shop.changes();
  AnswerCache::Found found;
  if (request_.cache_control == CacheControl::kUse) {
    found = cache->Find(*key_, changes_, asked_unix_);
  }
  if (found.fresh != nullptr && Restore(*found.fresh)) {
    recalled_ = std::move(found.fresh);
    cache->Count(CacheOutcome::kHit);
    return true;
  }
  if (found.fresh != nullptr) cache->Drop(*key_);
  stale_ = std::move(found.stale);
  faq_settled_until_ = parts_.shop.faq().SettledUntil(asked_unix_);
  failed_embeddings_ = CountFailedEmbeddings();
  return false;
}

/// False, and nothing is restored, where a record that was chosen is gone or the records now call
/// for another way to answer.
bool Answer::Restore(const CachedAnswer& cached) {
  understanding_ = cached.understanding;
  retrieved_ = cached.retrieved;
  none_beyond_ = cached.none_beyond;
  prompt_.hash = cached.prompt_hash;
  prompt_.sources = cached.prompt_sources;
  ChooseLocale();
  if (cached.basis.table_fingerprint != 0) table_ = TableOf(*understanding_.type);
  const uint64_t members = table_ == nullptr ? 0 : table_->fingerprint;
  bool is_good = members == cached.basis.table_fingerprint && RestoreSources();
  if (is_good) {
    OpenPage(*parts_.shop.profile());
    units_ = parts_.types->UnitsOf(parts_.shop);
    PlanFromRecords();
    is_good = UsesModel() == cached.is_of_model;
  }
  if (!is_good) {
    ForgetChoice();
    return false;
  }
  // What is asked for often is proposed to others who type it.
  if (!retrieved_.why.empty()) parts_.shop.CountQuery(understanding_.search_text);
  MakeHydrator();
  if (cached.is_of_model) MakeGate();
  timings_.retrieve = Milliseconds(begun_, steady_clock::now());
  return true;
}

/// Reads the products again. False: one is gone.
bool Answer::RestoreSources() {
  return std::all_of(retrieved_.sources.begin(), retrieved_.sources.end(), [this](Source& source) {
    if (source.product() == nullptr) return true;
    auto live = parts_.shop.FindProduct(source.id());
    if (!live.ok() || !*live) return false;
    source.record = **std::move(live);
    return true;
  });
}

/// What Prepare sets, as before it.
void Answer::ForgetChoice() {
  turns_.clear();  // of a product page
  understanding_ = {};
  retrieved_ = {};
  none_beyond_ = false;
  prompt_ = {};
  tables_.clear();
  table_ = nullptr;
  units_ = nullptr;
  shortcomings_ = {};
  plan_.reset();
  asked_key_.clear();
  winner_.clear();
  quotes_.clear();
  is_computed_ = false;
}

/// After the choice was made, before an event leaves: the same prompt gets the text that the model
/// wrote for it, and what everybody who asks the same would get is kept once it is whole.
void Answer::NoteChoice() {
  if (!key_) return;
  const bool was_looked_up = request_.cache_control == CacheControl::kUse;
  if (was_looked_up && stale_ != nullptr && UsesModel() && stale_->prompt_hash == prompt_.hash) {
    recalled_ = stale_;
  }
  is_shared_ = IsChoiceShared();
  const std::optional<ChoiceBasis> basis = is_shared_ ? MakeBasis() : std::nullopt;
  // A text is of use with the prompt alone.
  if (basis || (is_shared_ && UsesModel())) {
    kept_ = std::make_shared<CachedAnswer>();
    kept_->basis = basis.value_or(ChoiceBasis());
    kept_->is_of_model = UsesModel();
    kept_->understanding = understanding_;
    kept_->understanding.rules = nullptr;
    kept_->understanding.goods.clear();
    kept_->retrieved = WithoutRecords(retrieved_);
    kept_->none_beyond = none_beyond_;
    kept_->prompt_hash = prompt_.hash;
    kept_->prompt_sources = prompt_.sources;
  }
  const CacheOutcome made =
      was_looked_up && is_shared_ ? CacheOutcome::kMiss : CacheOutcome::kBypass;
  parts_.answers->Count(recalled_ != nullptr ? CacheOutcome::kReused : made);
}

/// Nothing where it is not known until when the choice holds: it was made from tables that were
/// learned before the latest change, or while the FAQ was being indexed.
std::optional<ChoiceBasis> Answer::MakeBasis() {
  const bool is_old = std::any_of(tables_.begin(), tables_.end(), [this](const auto& each) {
    return each.second->content_changes < changes_.content;
  });
  if (is_old) return std::nullopt;
  ChoiceBasis basis;
  basis.changes = changes_;
  basis.uses_prices = ChoiceUsesPrices(understanding_, retrieved_);
  basis.uses_faq = understanding_.asks_policy || !understanding_.policy_part.empty();
  basis.until_unix = parts_.shop.RulesHoldUntil(asked_unix_);
  if (basis.uses_faq) basis.until_unix = std::min(basis.until_unix, faq_settled_until_);
  if (basis.uses_prices) {
    basis.until_unix = std::min(basis.until_unix, asked_unix_ + kPricesHoldSeconds);
  }
  if (basis.until_unix <= asked_unix_) return std::nullopt;
  if (table_ == nullptr) return basis;
  const bool is_of_type = understanding_.type && TableOf(*understanding_.type) == table_;
  basis.table_fingerprint = table_->fingerprint;
  if (!is_of_type) return std::nullopt;  // Restore would not find it
  return basis;
}

/// As the generator would hand it on.
void Answer::RepeatText(const CachedAnswer& cached) {
  if (cached.is_of_model) OnText(cached.text);
  OnEnd("stop", {}, absl::OkStatus());
}

/// Piece by piece, so that it is streamed as it was.
void Answer::HydrateAgain(std::string_view text) {
  while (!text.empty()) {
    const std::string_view piece = FirstPiece(text);
    Hydrate(piece);
    text.remove_prefix(piece.size());
  }
}

std::string Answer::ModelName() const {
  return parts_.generator == nullptr ? "none" : parts_.generator->model_name();
}

/// Of searches that went on by words alone, because the embedder failed.
uint64_t Answer::CountFailedEmbeddings() const {
  return parts_.shop.search_stats().words_only_searches +
         parts_.shop.document_stats().words_only_searches;
}

/// Whether the choice is one for everybody who asks the same: no order, hand-over or other act of
/// the service desk, nothing of the FAQ's, whose facts are filled in already, and no search by
/// words alone because the embedder failed.
bool Answer::IsChoiceShared() const {
  if (understanding_.desk != DeskAct::kNone || retrieved_.cache == CacheUse::kHit) return false;
  if (CountFailedEmbeddings() != failed_embeddings_) return false;
  const auto is_entry = [this](const Source& source) {
    if (source.product() != nullptr) return false;
    const auto entry = parts_.shop.faq().entries().Find(source.id());
    return !entry.ok() || entry->has_value();
  };
  return std::none_of(retrieved_.sources.begin(), retrieved_.sources.end(), is_entry);
}

void Answer::NoteCacheUse(StartEvent& start) const {
  start.cache = retrieved_.cache;
  if (start.cache == CacheUse::kHit || parts_.answers == nullptr) return;
  start.cache = CacheUse::kBypass;
  if (recalled_ != nullptr) {
    start.cache = CacheUse::kHit;
    start.cache_source = CacheSource::kAnswers;
    const auto age = parts_.answers->Now() - recalled_->made;
    start.age_seconds = std::chrono::duration_cast<std::chrono::seconds>(age).count();
  } else if (is_shared_ && request_.cache_control == CacheControl::kUse) {
    start.cache = CacheUse::kMiss;
  }
}

/// Keeps a whole answer for whoever asks the same.
void Answer::Keep(const End& end) {
  const bool is_whole = end.status.ok() && end.finish_reason == "stop";
  const bool has_text = kept_ != nullptr && (!kept_->is_of_model || !model_text_.empty());
  if (!is_whole || !has_text || ModelName() != key_model_) return;
  kept_->made = recalled_ == nullptr ? parts_.answers->Now() : recalled_->made;
  kept_->text = std::move(model_text_);
  parts_.answers->Put(*key_, std::move(kept_));
}

}  // namespace emptor::services
