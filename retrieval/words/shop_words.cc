// Changes are counted under a lock; the dictionary is built outside it.
#include "retrieval/words/shop_words.h"

#include <algorithm>
#include <utility>

#include "retrieval/text/fold.h"
#include "retrieval/words/language.h"

namespace emptor::retrieval {
namespace {

using std::chrono::steady_clock;

constexpr size_t kDescriptionForLanguage = 400;  // bytes that are read to detect the language

// Memory, here and in the dictionary.
constexpr size_t kBytesARecord = 2 * sizeof(std::string) + 128;  // places, id, lists
constexpr size_t kBytesAUse = 2 * sizeof(uint32_t);              // of a word in a record
constexpr size_t kBytesAWord = 400;  // its texts, variants, misspellings

template <typename Visit>
void ForEachWord(std::string_view words, Visit visit) {
  while (!words.empty()) {
    const size_t blank = words.find(' ');
    visit(words.substr(0, blank));
    words.remove_prefix(blank == std::string_view::npos ? words.size() : blank + 1);
  }
}

std::string_view LastElement(std::string_view path) {
  const size_t at = path.rfind('>');
  if (at != std::string_view::npos) path.remove_prefix(at + 1);
  while (path.starts_with(' ')) path.remove_prefix(1);
  while (path.ends_with(' ')) path.remove_suffix(1);
  return path;
}

Language LanguageOf(const catalog::Product& product) {
  if (!product.locale.empty()) return LanguageOfLocale(product.locale);
  return DetectLanguage(product.title + " " +
                        product.description.substr(0, kDescriptionForLanguage));
}

float PopularityOf(const catalog::Product& product) {
  if (product.popularity) return static_cast<float>(*product.popularity);
  return product.rating ? static_cast<float>(product.rating->count) : 0.0f;
}

}  // namespace

uint32_t ShopWords::Names::Intern(const std::string& key, const std::string& text) {
  const auto [at, is_new] = ids.try_emplace(key, static_cast<uint32_t>(texts.size()));
  if (is_new) texts.push_back(text);
  return at->second;
}

void ShopWords::Names::Take(std::vector<std::string> all) {
  texts = std::move(all);
  for (uint32_t i = 0; i < texts.size(); ++i) ids.try_emplace(FoldForComparison(texts[i]), i);
}

ShopWords::ShopWords(const Analyzer& analyzer, ShopWordsOptions options)
    : analyzer_(analyzer),
      options_(options),
      dictionary_(std::make_shared<const Dictionary>(analyzer, DictionarySource{})),
      synonyms_(std::make_shared<const Synonyms>(DefaultSynonyms())) {}

ShopWords::~ShopWords() = default;

/// REQUIRES: mutex_ is held.
void ShopWords::AppendWords(std::string_view text, std::vector<uint32_t>& words) {
  const std::string plain = FoldWords(text);
  const std::string accented = FoldWords(text, true);
  std::string_view shown = accented;
  ForEachWord(plain, [&](std::string_view word) {
    const size_t blank = shown.find(' ');
    const std::string_view display = shown.substr(0, blank);
    shown.remove_prefix(blank == std::string_view::npos ? shown.size() : blank + 1);
    if (word.size() > Analyzer::kMaxTermBytes) return;
    const auto [at, is_new] =
        word_ids_.try_emplace(std::string(word), static_cast<uint32_t>(words_.size()));
    if (is_new) {
      words_.push_back({std::string(word), display == word ? "" : std::string(display)});
    }
    words.push_back(at->second);
  });
}

/// REQUIRES: mutex_ is held.
WordRecord ShopWords::ReadRecord(const catalog::Product& product) {
  Record record{.id = product.id,
                .words = {},
                .categories = {},
                .language = LanguageOf(product),
                .popularity = PopularityOf(product)};
  AppendWords(product.title, record.words);
  record.title_words = static_cast<uint32_t>(record.words.size());
  AppendWords(product.brand, record.words);
  if (!product.brand.empty()) {
    record.brand = brands_.Intern(FoldForComparison(product.brand), product.brand);
  }
  for (const std::string& path : product.categories) {
    const std::string name(LastElement(path));
    if (name.empty()) continue;
    AppendWords(name, record.words);
    record.categories.push_back(categories_.Intern(FoldForComparison(name), name));
  }
  return record;
}

/// REQUIRES: mutex_ is held.
void ShopWords::KeepRecord(Record record) {
  const auto known = positions_.find(record.id);
  if (known != positions_.end()) {
    if (records_[known->second] == record) return;
    word_uses_ += record.words.size();
    word_uses_ -= records_[known->second].words.size();
    records_[known->second] = std::move(record);
    return MarkChanged();
  }
  word_uses_ += record.words.size();
  if (!free_.empty()) {
    positions_[record.id] = free_.back();
    records_[free_.back()] = std::move(record);
    free_.pop_back();
  } else {
    positions_[record.id] = static_cast<uint32_t>(records_.size());
    records_.push_back(std::move(record));
  }
  MarkChanged();
}

void ShopWords::Put(const catalog::Product& product) {
  const std::lock_guard lock(mutex_);
  if (loading_) touched_.insert(product.id);
  KeepRecord(ReadRecord(product));
}

void ShopWords::BeginLoading() {
  const std::lock_guard lock(mutex_);
  loading_ = true;
}

void ShopWords::Load(const catalog::Product& product) {
  const std::lock_guard lock(mutex_);
  if (loading_ && !touched_.contains(product.id)) KeepRecord(ReadRecord(product));
}

void ShopWords::EndLoading() {
  const std::lock_guard lock(mutex_);
  loading_ = false;
  touched_.clear();
  changed_.notify_all();
}

void ShopWords::Remove(std::span<const std::string> ids) {
  const std::lock_guard lock(mutex_);
  bool any = false;
  for (const std::string& id : ids) {
    if (loading_) touched_.insert(id);
    const auto known = positions_.find(id);
    if (known == positions_.end()) continue;
    word_uses_ -= records_[known->second].words.size();
    records_[known->second] = Record();
    free_.push_back(known->second);
    positions_.erase(known);
    any = true;
  }
  if (any) MarkChanged();
}

void ShopWords::CountQuery(std::string_view query) {
  if (query.size() > options_.max_query_bytes) return;
  const std::string words = FoldWords(query);
  if (words.empty()) return;
  const std::shared_ptr<const Dictionary> current = dictionary();
  bool all_known = true;
  ForEachWord(words, [&](std::string_view word) {
    all_known = all_known && current->vocabulary().Find(word).has_value();
  });
  if (!all_known) return;
  const std::lock_guard lock(mutex_);
  const auto known = asked_.find(words);
  if (known != asked_.end()) {
    if (known->second < UINT32_MAX) ++known->second;
  } else if (asked_.size() < options_.max_asked) {
    asked_.emplace(words, 1);
  } else {  // make room: halve all counts and forget queries that reach zero
    absl::erase_if(asked_, [](auto& entry) { return (entry.second /= 2) == 0; });
  }
}

void ShopWords::SetSynonyms(Synonyms synonyms) {
  auto next = std::make_shared<const Synonyms>(std::move(synonyms));
  const std::lock_guard lock(mutex_);
  synonyms_.swap(next);
}

std::shared_ptr<const Dictionary> ShopWords::dictionary() const {
  const std::lock_guard lock(mutex_);
  return dictionary_;
}

std::shared_ptr<const Synonyms> ShopWords::synonyms() const {
  const std::lock_guard lock(mutex_);
  return synonyms_;
}

/// Starts the building thread unless it runs; an idle shop has none. REQUIRES: mutex_ is held.
void ShopWords::MarkChanged() {
  ++wanted_;
  changed_.notify_all();
  if (making_) return;
  making_ = true;
  maker_ = std::jthread([this](const std::stop_token& stop) { MakeDictionaries(stop); });
}

bool ShopWords::WaitUntilCurrent(std::chrono::milliseconds patience) {
  const auto until = steady_clock::now() + patience;
  std::unique_lock lock(mutex_);
  if (!changed_.wait_until(lock, until, [this] { return !loading_; })) return false;
  const uint64_t wanted = wanted_;
  ++waiting_;
  changed_.notify_all();
  const bool made = changed_.wait_until(lock, until, [&] { return made_ >= wanted; });
  --waiting_;
  return made;
}

/// REQUIRES: mutex_ is held.
WordState ShopWords::CopyState() const {
  WordState state;
  state.records.reserve(positions_.size());
  for (const Record& record : records_) {
    if (!record.id.empty()) state.records.push_back(record);
  }
  state.words = words_;
  state.brands = brands_.texts;
  state.categories = categories_.texts;
  return state;
}

std::optional<WordState> ShopWords::state() const {
  const std::lock_guard lock(mutex_);
  if (loading_) return std::nullopt;
  return CopyState();
}

void ShopWords::Restore(WordState state) {
  const std::lock_guard lock(mutex_);
  words_ = std::move(state.words);
  for (uint32_t i = 0; i < words_.size(); ++i) word_ids_.try_emplace(words_[i].text, i);
  brands_.Take(std::move(state.brands));
  categories_.Take(std::move(state.categories));
  records_ = std::move(state.records);
  for (uint32_t i = 0; i < records_.size(); ++i) {
    positions_.try_emplace(records_[i].id, i);
    word_uses_ += records_[i].words.size();
  }
  restored_ = true;
  if (!records_.empty()) MarkChanged();
}

/// REQUIRES: mutex_ is held.
ShopWords::Copy ShopWords::CopyAll() const {
  Copy copy{CopyState(), {}};
  for (const auto& [text, times] : asked_) {
    if (times >= options_.min_asked) copy.queries.push_back({text, times});
  }
  return copy;
}

void ShopWords::MakeDictionaries(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  steady_clock::duration rest = options_.quiet;
  while (true) {
    changed_.wait_for(lock, stop, rest, [this] { return waiting_ > 0 || restored_; });
    changed_.wait(lock, stop, [this] { return !loading_; });
    if (stop.stop_requested() || made_ == wanted_) break;
    const uint64_t changes = wanted_;
    const auto begun = steady_clock::now();
    restored_ = false;
    const Copy copy = CopyAll();
    lock.unlock();
    DictionarySource source{.words = copy.state.words,
                            .records = {},
                            .brands = copy.state.brands,
                            .categories = copy.state.categories,
                            .queries = copy.queries};
    for (const Record& record : copy.state.records) {
      source.records.push_back({.words = {record.words, record.language},
                                .title_words = record.title_words,
                                .id = record.id,
                                .brand = record.brand,
                                .categories = record.categories,
                                .popularity = record.popularity});
    }
    auto next = std::make_shared<const Dictionary>(analyzer_, std::move(source));
    const auto took = steady_clock::now() - begun;
    lock.lock();
    dictionary_.swap(next);
    made_ = changes;
    ++stats_.dictionaries;
    stats_.last_seconds = std::chrono::duration<double>(took).count();
    rest = std::max<steady_clock::duration>(options_.quiet, took * options_.rest_factor);
    changed_.notify_all();
    lock.unlock();
    next.reset();  // the old dictionary, unless a reader still holds it
    lock.lock();
    if (made_ == wanted_) break;
  }
  making_ = false;
}

ShopWords::Stats ShopWords::stats() const {
  const std::lock_guard lock(mutex_);
  Stats stats = stats_;
  stats.records = positions_.size();
  stats.words = words_.size();
  stats.completions_asked = asked_.size();
  stats.bytes = stats.records * kBytesARecord + word_uses_ * kBytesAUse + stats.words * kBytesAWord;
  return stats;
}

}  // namespace emptor::retrieval
