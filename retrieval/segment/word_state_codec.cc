// Version (4) | words | brands | categories | records, each list behind its length.
#include "retrieval/segment/word_state_codec.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "retrieval/byte_codec.h"

namespace emptor::retrieval {
namespace {

/// Raise it when the words that are taken from a record change.
constexpr uint32_t kVersion = 1;

void PutTexts(const std::vector<std::string>& texts, ByteWriter& out) {
  out.Put(static_cast<uint64_t>(texts.size()));
  for (const std::string& text : texts) out.PutText(text);
}

std::vector<std::string> GetTexts(ByteReader& in) {
  std::vector<std::string> texts;
  for (auto n = in.Get<uint64_t>(); n > 0 && in.ok(); --n) texts.emplace_back(in.GetText());
  return texts;
}

bool AllBelow(const std::vector<uint32_t>& numbers, size_t end) {
  return std::all_of(numbers.begin(), numbers.end(), [end](uint32_t each) { return each < end; });
}

bool IsSound(const WordRecord& record, const WordState& state) {
  return !record.id.empty() && AllBelow(record.words, state.words.size()) &&
         record.title_words <= record.words.size() &&
         (record.brand == UINT32_MAX || record.brand < state.brands.size()) &&
         AllBelow(record.categories, state.categories.size()) &&
         static_cast<size_t>(record.language) <= static_cast<size_t>(Language::kSpanish) &&
         std::isfinite(record.popularity);
}

WordRecord GetRecord(ByteReader& in) {
  WordRecord record;
  record.id = in.GetText();
  record.words = in.GetArray<uint32_t>();
  record.title_words = in.Get<uint32_t>();
  record.brand = in.Get<uint32_t>();
  record.categories = in.GetArray<uint32_t>();
  record.language = static_cast<Language>(in.Get<uint8_t>());
  record.popularity = in.Get<float>();
  return record;
}

}  // namespace

std::string EncodeWordState(const WordState& state) {
  ByteWriter out;
  out.Put(kVersion);
  out.Put(static_cast<uint64_t>(state.words.size()));
  for (const VocabularyWord& word : state.words) {
    out.PutText(word.text);
    out.PutText(word.display);
  }
  PutTexts(state.brands, out);
  PutTexts(state.categories, out);
  out.Put(static_cast<uint64_t>(state.records.size()));
  for (const WordRecord& record : state.records) {
    out.PutText(record.id);
    out.PutArray(record.words);
    out.Put(record.title_words);
    out.Put(record.brand);
    out.PutArray(record.categories);
    out.Put(static_cast<uint8_t>(record.language));
    out.Put(record.popularity);
  }
  return out.Take();
}

std::optional<WordState> DecodeWordState(std::string_view bytes) {
  ByteReader in(std::span(reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()));
  if (in.Get<uint32_t>() != kVersion) return std::nullopt;
  WordState state;
  for (auto n = in.Get<uint64_t>(); n > 0 && in.ok(); --n) {
    std::string text(in.GetText());
    state.words.push_back({std::move(text), std::string(in.GetText())});
  }
  state.brands = GetTexts(in);
  state.categories = GetTexts(in);
  for (auto n = in.Get<uint64_t>(); n > 0 && in.ok(); --n) {
    state.records.push_back(GetRecord(in));
    if (!IsSound(state.records.back(), state)) return std::nullopt;
  }
  if (!in.done()) return std::nullopt;
  return state;
}

}  // namespace emptor::retrieval
