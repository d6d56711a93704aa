// Ranges of sorted keys, and the best of several ranges through a tree of winners.
#include "retrieval/words/completions.h"

#include <algorithm>
#include <queue>
#include <tuple>

#include "retrieval/text/fold.h"

namespace emptor::retrieval {
namespace {

constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyz0123456789 ";
constexpr uint32_t kNone = UINT32_MAX;

/// The folded form, with the blank at its end that says "this word is finished".
std::string KeyOf(std::string_view typed) {
  std::string key = FoldWords(typed);
  const bool ends_in_blank = !typed.empty() && (typed.back() == ' ' || typed.back() == '\t');
  if (ends_in_blank && !key.empty()) key += ' ';
  return key;
}

}  // namespace

std::string_view ToString(CompletionKind kind) {
  switch (kind) {
    case CompletionKind::kBrand:
      return "brand";
    case CompletionKind::kCategory:
      return "category";
    case CompletionKind::kQuery:
      return "query";
    case CompletionKind::kPhrase:
      return "phrase";
    case CompletionKind::kProduct:
      return "product";
  }
  return "";
}

Completions::Completions(std::vector<Completion> entries) {
  entries_.reserve(entries.size());
  for (Completion& entry : entries) {
    std::string key = FoldWords(entry.text);
    if (!key.empty()) entries_.push_back({std::move(key), std::move(entry)});
  }
  std::sort(entries_.begin(), entries_.end(), [](const Entry& a, const Entry& b) {
    return std::tie(a.key, a.completion.kind, a.completion.text, a.completion.id) <
           std::tie(b.key, b.completion.kind, b.completion.text, b.completion.id);
  });
  // A brand that is also a phrase is proposed once, as the brand.
  const auto repeated = std::unique(entries_.begin(), entries_.end(), [](Entry& a, Entry& b) {
    if (a.key != b.key) return false;
    a.completion.popularity = std::max(a.completion.popularity, b.completion.popularity);
    return true;
  });
  entries_.erase(repeated, entries_.end());
  const size_t n = entries_.size();
  winners_.resize(2 * n, kNone);
  for (size_t i = 0; i < n; ++i) winners_[n + i] = static_cast<uint32_t>(i);
  for (size_t i = n; i-- > 1;) {
    const uint32_t left = winners_[2 * i];
    const uint32_t right = winners_[2 * i + 1];
    winners_[i] = IsBefore(right, left) ? right : left;
  }
}

/// By popularity; equal ones in the order of the keys.
bool Completions::IsBefore(size_t a, size_t b) const {
  const float x = entries_[a].completion.popularity;
  const float y = entries_[b].completion.popularity;
  return x != y ? x > y : a < b;
}

size_t Completions::MostPopular(Range range) const {
  size_t best = range.first;
  const size_t n = entries_.size();
  for (size_t left = range.first + n, right = range.second + n; left < right;
       left /= 2, right /= 2) {
    if (left % 2 == 1) {
      const size_t winner = winners_[left++];
      if (IsBefore(winner, best)) best = winner;
    }
    if (right % 2 == 1) {
      const size_t winner = winners_[--right];
      if (IsBefore(winner, best)) best = winner;
    }
  }
  return best;
}

/// The part of `range` whose keys go on with `letters` behind their first `depth` bytes.
/// REQUIRES: the keys of `range` agree in those.
Completions::Range Completions::Narrow(Range range, size_t depth, std::string_view letters) const {
  const auto at = [&](size_t i) { return entries_.begin() + static_cast<std::ptrdiff_t>(i); };
  const auto begin = std::partition_point(at(range.first), at(range.second), [&](const Entry& e) {
    return std::string_view(e.key).substr(depth, letters.size()) < letters;
  });
  const auto end = std::partition_point(begin, at(range.second), [&](const Entry& e) {
    return std::string_view(e.key).substr(depth, letters.size()) == letters;
  });
  return {static_cast<size_t>(begin - entries_.begin()),
          static_cast<size_t>(end - entries_.begin())};
}

/// [i]: the keys that begin with the first i bytes of `key`; ends with the first empty range.
std::vector<Completions::Range> Completions::RangesByDepth(std::string_view key) const {
  std::vector<Range> ranges = {{0, entries_.size()}};
  for (size_t i = 0; i < key.size() && ranges.back().first < ranges.back().second; ++i) {
    ranges.push_back(Narrow(ranges.back(), i, key.substr(i, 1)));
  }
  return ranges;
}

/// The keys that begin with `key` after one edit, not in a last word of a few letters: every word
/// is near to "sony h". An edit at byte i can only help where keys begin with the i bytes before
/// it, so the search ends soon.
std::vector<Completions::Range> Completions::NearRanges(std::string_view key) const {
  std::vector<Range> found;
  const std::vector<Range> exact = RangesByDepth(key);
  const auto keep = [&](size_t i, std::string_view letters) {
    const Range range = Narrow(exact[i], i, letters);
    if (range.first < range.second) found.push_back(range);
  };
  const size_t blank = key.rfind(' ');
  const bool is_short = blank != std::string_view::npos && key.size() - blank <= kTolerantFrom;
  const size_t end = is_short ? blank + 1 : key.size();
  std::string tail;
  for (size_t i = 0; i < end && i < exact.size(); ++i) {
    if (exact[i].first == exact[i].second) break;
    const std::string_view rest = key.substr(i + 1);
    if (!rest.empty()) {
      keep(i, rest);  // key[i] is too many
      tail.assign({rest[0], key[i]});
      tail += rest.substr(1);
      keep(i, tail);  // swapped with its neighbour
    }
    for (const char letter : kLetters) {
      const Range next = Narrow(exact[i], i, {&letter, 1});
      if (next.first == next.second || letter == key[i]) continue;
      for (const std::string_view after : {rest, key.substr(i)}) {  // key[i] wrong, or one missing
        const Range range = Narrow(next, i + 1, after);
        if (range.first < range.second) found.push_back(range);
      }
    }
  }
  return found;
}

/// Adds the most popular entries of the ranges together until `found` has `limit`; ranges may
/// overlap.
void Completions::Collect(std::span<const Range> ranges, size_t limit,
                          std::vector<size_t>& found) const {
  struct Part {
    size_t best;
    Range range;
  };
  const auto later = [this](const Part& a, const Part& b) { return IsBefore(b.best, a.best); };
  std::priority_queue<Part, std::vector<Part>, decltype(later)> parts(later);
  const auto push = [&](Range range) {
    if (range.first < range.second) parts.push({MostPopular(range), range});
  };
  for (const Range& range : ranges) push(range);
  while (!parts.empty() && found.size() < limit) {
    const Part part = parts.top();
    parts.pop();
    push({part.range.first, part.best});
    push({part.best + 1, part.range.second});
    const bool is_new = std::find(found.begin(), found.end(), part.best) == found.end();
    if (is_new) found.push_back(part.best);
  }
}

std::vector<Completion> Completions::Complete(std::string_view typed, size_t limit) const {
  const std::string key = KeyOf(typed);
  std::vector<Completion> completions;
  if (key.empty() || key.size() > kMaxTypedBytes || limit == 0) return completions;
  std::vector<size_t> found;
  const Range exact = Narrow({0, entries_.size()}, 0, key);
  Collect({&exact, 1}, limit, found);
  const auto characters = static_cast<size_t>(std::count_if(key.begin(), key.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  }));
  if (found.size() < limit && characters >= kTolerantFrom) {
    Collect(NearRanges(key), limit, found);
  }
  for (const size_t i : found) completions.push_back(entries_[i].completion);
  return completions;
}

}  // namespace emptor::retrieval
