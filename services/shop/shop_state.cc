// Pairs of texts, of texts and counts, of ids and hashes.
#include "services/shop/shop_state.h"

#include <cstdint>
#include <span>
#include <utility>

#include "retrieval/byte_codec.h"
#include "retrieval/segment/word_state_codec.h"

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

std::string EncodeShopState(const ShopState& state) {
  retrieval::ByteWriter out;
  out.Put(static_cast<uint32_t>(state.profile.brands.size()));
  for (const auto& [folded, written] : state.profile.brands) {
    out.PutText(folded);
    out.PutText(written);
  }
  PutCounts(state.profile.languages, out);
  PutCounts(state.currency_counts, out);
  out.PutText(state.store);
  out.Put(static_cast<uint64_t>(state.prints.size()));
  for (const RecordPrint& print : state.prints) {
    out.PutText(print.id);
    out.Put(print.hash);
  }
  out.PutText(state.words ? retrieval::EncodeWordState(*state.words) : std::string());
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
  state.store = in.GetText();
  for (auto n = in.Get<uint64_t>(); n > 0 && in.ok(); --n) {
    RecordPrint& print = state.prints.emplace_back();
    print.id = in.GetText();
    print.hash = in.Get<uint64_t>();
    const bool ascends = state.prints.size() == 1 || (state.prints.end() - 2)->id < print.id;
    if (!ascends) return std::nullopt;
  }
  // Words of another version are read anew from the records.
  state.words = retrieval::DecodeWordState(in.GetText());
  if (!in.done()) return std::nullopt;
  return state;
}

absl::StatusOr<RecordPrints> RecordPrints::Read(const catalog::ProductStore& store) {
  RecordPrints prints;
  const absl::Status scanned = store.ScanProductHashes([&](std::string_view id, uint64_t hash) {
    prints.prints_.push_back({prints.ids_.size(), hash});
    prints.ids_ += id;
    return true;
  });
  if (!scanned.ok()) return scanned;
  return prints;
}

std::vector<RecordPrint> RecordPrints::Without(const std::set<std::string>& touched) const {
  std::vector<RecordPrint> all;
  all.reserve(prints_.size() + touched.size());
  auto next = touched.begin();
  for (size_t i = 0; i < prints_.size(); ++i) {
    const size_t end = i + 1 < prints_.size() ? prints_[i + 1].begin : ids_.size();
    const auto id = std::string_view(ids_).substr(prints_[i].begin, end - prints_[i].begin);
    for (; next != touched.end() && *next < id; ++next) all.push_back({*next});
    const bool is_touched = next != touched.end() && *next == id;
    all.push_back({id, is_touched ? RecordPrint::kUnsure : prints_[i].hash});
    if (is_touched) ++next;
  }
  for (; next != touched.end(); ++next) all.push_back({*next});
  return all;
}

absl::StatusOr<StoreDifference> CompareWithStore(const std::vector<RecordPrint>& prints,
                                                 const catalog::ProductStore& store) {
  StoreDifference difference;
  auto next = prints.begin();
  const absl::Status scanned = store.ScanProductHashes([&](std::string_view id, uint64_t hash) {
    for (; next != prints.end() && next->id < id; ++next) {
      difference.removed.emplace_back(next->id);
    }
    const bool is_held = next != prints.end() && next->id == id;
    const bool is_same = is_held && next->hash == hash && hash != RecordPrint::kUnsure;
    if (!is_same) difference.changed.emplace_back(id);
    if (is_held) ++next;
    return true;
  });
  if (!scanned.ok()) return scanned;
  for (; next != prints.end(); ++next) difference.removed.emplace_back(next->id);
  return difference;
}

}  // namespace emptor::services
