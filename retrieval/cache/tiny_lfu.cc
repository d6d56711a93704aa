// Three lists and the contest between what leaves the window and what would have to go.
#include "retrieval/cache/tiny_lfu.h"

#include <algorithm>

namespace emptor::retrieval {
namespace {

size_t ShareOf(double share, size_t bytes) {
  return static_cast<size_t>(std::clamp(share, 0.0, 1.0) * static_cast<double>(bytes));
}

}  // namespace

TinyLfu::TinyLfu(const TinyLfuOptions& options)
    : max_bytes_(options.max_bytes),
      window_bytes_(ShareOf(options.window_share, options.max_bytes)),
      protected_bytes_(ShareOf(options.protected_share, options.max_bytes - window_bytes_)),
      sketch_(options.max_bytes / std::max<size_t>(options.usual_entry_bytes, 1), options.seed) {}

void TinyLfu::Move(Entry& entry, Segment& to) {
  entry.segment->bytes -= entry.bytes;
  to.keys.splice(to.keys.begin(), entry.segment->keys, entry.place);
  entry.segment = &to;
  to.bytes += entry.bytes;
}

void TinyLfu::Touch(uint64_t key) {
  sketch_.Add(key);
  const auto found = entries_.find(key);
  if (found == entries_.end()) return;
  Entry& entry = found->second;
  Move(entry, entry.segment == &window_ ? window_ : protected_);
  while (protected_.bytes > protected_bytes_ && !protected_.keys.empty()) {
    Move(entries_.at(protected_.keys.back()), probation_);
  }
}

std::vector<uint64_t> TinyLfu::Insert(uint64_t key, size_t bytes) {
  Erase(key);
  if (bytes > max_bytes_) return {key};
  window_.keys.push_front(key);
  window_.bytes += bytes;
  entries_.emplace(key, Entry{&window_, window_.keys.begin(), bytes});
  std::vector<uint64_t> dropped;
  Admit(dropped);
  return dropped;
}

void TinyLfu::Erase(uint64_t key) {
  const auto found = entries_.find(key);
  if (found == entries_.end()) return;
  const Entry& entry = found->second;
  entry.segment->bytes -= entry.bytes;
  entry.segment->keys.erase(entry.place);
  entries_.erase(found);
}

void TinyLfu::DropLast(Segment& segment, std::vector<uint64_t>& dropped) {
  const uint64_t key = segment.keys.back();
  dropped.push_back(key);
  Erase(key);
}

TinyLfu::Segment& TinyLfu::VictimSegment() {
  return probation_.keys.empty() ? protected_ : probation_;
}

/// What the window has no room for contends for the main part.
void TinyLfu::Admit(std::vector<uint64_t>& dropped) {
  while (window_.bytes > window_bytes_ && !window_.keys.empty()) {
    const uint64_t candidate = window_.keys.back();
    if (MakeRoomFor(candidate, dropped)) {
      Move(entries_.at(candidate), probation_);
    } else {
      DropLast(window_, dropped);
    }
  }
}

/// Drops what is less frequent, together, than the candidate; nothing where that is not enough.
bool TinyLfu::MakeRoomFor(uint64_t candidate, std::vector<uint64_t>& dropped) {
  const size_t room = max_bytes_ - window_bytes_;
  const size_t wanted = entries_.at(candidate).bytes;
  if (wanted > room) return false;
  const int worth = sketch_.Count(candidate);
  size_t held = probation_.bytes + protected_.bytes;
  int victims_worth = 0;
  size_t victims = 0;
  for (const Segment* segment : {&probation_, &protected_}) {
    for (auto key = segment->keys.rbegin(); key != segment->keys.rend(); ++key) {
      if (held + wanted <= room) break;
      victims_worth += sketch_.Count(*key);
      if (victims_worth >= worth) {
        // It has won, and is not asked again at once.
        Entry& winner = entries_.at(*key);
        Move(winner, *winner.segment);
        return false;
      }
      held -= entries_.at(*key).bytes;
      ++victims;
    }
  }
  while (victims-- > 0) DropLast(VictimSegment(), dropped);
  return true;
}

}  // namespace emptor::retrieval
