// Counters in words of 16; each row of a key lies in another word.
#include "retrieval/cache/frequency_sketch.h"

#include <algorithm>
#include <bit>

namespace emptor::retrieval {
namespace {

constexpr size_t kMinWords = 16;
constexpr int kBits = 4;
constexpr uint64_t kMask = 0xf;
constexpr uint64_t kHalfMask = 0x7777777777777777;

/// The finalizer of MurmurHash3: every bit depends on all.
uint64_t Mix(uint64_t x) {
  x ^= x >> 33;
  x *= 0xff51afd7ed558ccd;
  x ^= x >> 33;
  x *= 0xc4ceb9fe1a85ec53;
  return x ^ (x >> 33);
}

}  // namespace

FrequencySketch::FrequencySketch(size_t keys, uint64_t seed)
    : seed_(seed), words_(std::bit_ceil(std::max(keys, kMinWords))) {}

uint64_t FrequencySketch::HashOf(uint64_t key) const { return Mix(key ^ seed_); }

FrequencySketch::Place FrequencySketch::PlaceOf(uint64_t hash, int row) const {
  const uint64_t of_row = Mix(hash + static_cast<uint64_t>(row) * 0x9e3779b97f4a7c15);
  return {static_cast<size_t>(of_row) & (words_.size() - 1),
          static_cast<int>(of_row >> 60) * kBits};
}

void FrequencySketch::Add(uint64_t key) {
  const uint64_t hash = HashOf(key);
  const int least = Count(key);
  if (least < kMaxCount) {
    for (int row = 0; row < kRows; ++row) {
      // Conservative: only the counters that decide.
      const Place place = PlaceOf(hash, row);
      const auto count = static_cast<int>((words_[place.word] >> place.shift) & kMask);
      if (count == least) words_[place.word] += uint64_t{1} << place.shift;
    }
  }
  if (++added_ >= kSamplesPerKey * words_.size()) Halve();
}

int FrequencySketch::Count(uint64_t key) const {
  const uint64_t hash = HashOf(key);
  int least = kMaxCount;
  for (int row = 0; row < kRows; ++row) {
    const Place place = PlaceOf(hash, row);
    least = std::min(least, static_cast<int>((words_[place.word] >> place.shift) & kMask));
  }
  return least;
}

void FrequencySketch::Halve() {
  for (uint64_t& word : words_) word = (word >> 1) & kHalfMask;
  added_ /= 2;
}

}  // namespace emptor::retrieval
