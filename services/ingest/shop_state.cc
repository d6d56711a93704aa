// Pairs of texts, and of texts and counts.
#include "services/ingest/shop_state.h"

#include <cstdint>
#include <span>
#include <utility>

#include "retrieval/hybrid/byte_codec.h"
#include "retrieval/hybrid/word_state_codec.h"

namespace emptor::services {
namespace {

using Counts = std::unordered_map<std::string, size_t>;

void PutCounts(const Counts& counts, retrieval::ByteWriter& out) {
  out.Put(static_cast<uint32_t>(counts.size()));
  for (const auto& [name, count] : counts) {
    out.PutText(name);
    out.Put(static_cast<uint64_t>(count));
  }
}

Counts GetCounts(retrieval::ByteReader& in) {
  Counts counts;
  for (auto n = in.Get<uint32_t>(); n > 0 && in.ok(); --n) {
    std::string name(in.GetText());
    counts[std::move(name)] = static_cast<size_t>(in.Get<uint64_t>());
  }
  return counts;
}

}  // namespace

std::string EncodeShopState(const ShopProfile& profile, const Counts& currency_counts,
                            const std::optional<retrieval::WordState>& words) {
  retrieval::ByteWriter out;
  out.Put(static_cast<uint32_t>(profile.brands.size()));
  for (const auto& [folded, written] : profile.brands) {
    out.PutText(folded);
    out.PutText(written);
  }
  PutCounts(profile.languages, out);
  PutCounts(currency_counts, out);
  out.PutText(words ? retrieval::EncodeWordState(*words) : std::string());
  return out.Take();
}

std::optional<ShopState> DecodeShopState(std::string_view bytes) {
  retrieval::ByteReader in(std::span(reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()));
  ShopState state;
  for (auto n = in.Get<uint32_t>(); n > 0 && in.ok(); --n) {
    std::string folded(in.GetText());
    state.profile.brands[std::move(folded)] = in.GetText();
  }
  state.profile.languages = GetCounts(in);
  state.currency_counts = GetCounts(in);
  // Words of another version are read anew from the records.
  state.words = retrieval::DecodeWordState(in.GetText());
  if (!in.done()) return std::nullopt;
  return state;
}

}  // namespace emptor::services
