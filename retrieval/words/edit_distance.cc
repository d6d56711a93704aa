// Two dynamic programs over small tables.
#include "retrieval/words/edit_distance.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <cstdlib>

namespace emptor::retrieval {
namespace {

constexpr float kDoubled = 0.5f;
constexpr float kSwapped = 0.6f;
constexpr float kOtherVowel = 0.6f;
constexpr float kSoundsAlike = 0.7f;
constexpr float kNeighbourKey = 0.8f;
constexpr float kLostVowel = 0.8f;
constexpr float kFirstLetter = 0.3f;  // on top of an edit of the first letter

bool IsVowel(char c) { return std::string_view("aeiouy").find(c) != std::string_view::npos; }

bool IsPair(char a, char b, std::string_view pairs) {  // "sckc": s/c and k/c
  for (size_t i = 0; i + 1 < pairs.size(); i += 2) {
    if ((pairs[i] == a && pairs[i + 1] == b) || (pairs[i] == b && pairs[i + 1] == a)) return true;
  }
  return false;
}

/// Position of a letter's key in units of a key's width; row -1 for what is no letter.
struct Key {
  int row = -1;
  float column = 0;
};

constexpr std::array<Key, 26> MakeKeys() {
  constexpr std::array<std::string_view, 3> rows = {"qwertyuiop", "asdfghjkl", "zxcvbnm"};
  std::array<Key, 26> keys = {};
  for (int r = 0; r < 3; ++r) {
    for (size_t c = 0; c < rows[static_cast<size_t>(r)].size(); ++c) {
      const char letter = rows[static_cast<size_t>(r)][c];
      keys[static_cast<size_t>(letter - 'a')] = {
          r, static_cast<float>(c) + 0.5f * static_cast<float>(r)};
    }
  }
  return keys;
}

bool AreNeighbourKeys(char a, char b) {
  static constexpr std::array<Key, 26> kKeys = MakeKeys();
  if (a < 'a' || a > 'z' || b < 'a' || b > 'z') return false;
  if (IsPair(a, b, "zyztzu")) return true;  // QWERTZ
  const Key& x = kKeys[static_cast<size_t>(a - 'a')];
  const Key& y = kKeys[static_cast<size_t>(b - 'a')];
  return std::abs(x.row - y.row) <= 1 && std::abs(x.column - y.column) <= 1.1f;
}

float SubstitutionCost(char typed, char meant) {
  if (typed == meant) return 0;
  if (IsVowel(typed) && IsVowel(meant)) return kOtherVowel;
  if (IsPair(typed, meant, "sckcszfvmn")) return kSoundsAlike;
  return AreNeighbourKeys(typed, meant) ? kNeighbourKey : 1.0f;
}

}  // namespace

int EditDistance(std::string_view a, std::string_view b, int limit) {
  const auto n = static_cast<int>(a.size());
  const auto m = static_cast<int>(b.size());
  if (std::abs(n - m) > limit) return limit + 1;
  constexpr size_t kRow = 128;
  if (b.size() >= kRow) return limit + 1;
  std::array<std::array<int16_t, kRow>, 3> rows;
  auto* before = &rows[0];
  auto* previous = &rows[1];
  auto* current = &rows[2];
  for (int j = 0; j <= m; ++j) (*previous)[static_cast<size_t>(j)] = static_cast<int16_t>(j);
  for (int i = 1; i <= n; ++i) {
    (*current)[0] = static_cast<int16_t>(i);
    int least = i;
    for (int j = 1; j <= m; ++j) {
      const auto at = static_cast<size_t>(j);
      const char x = a[static_cast<size_t>(i - 1)];
      const char y = b[at - 1];
      int best = std::min(
          {(*previous)[at - 1] + (x == y ? 0 : 1), (*previous)[at] + 1, (*current)[at - 1] + 1});
      if (i > 1 && j > 1 && x == b[at - 2] && a[static_cast<size_t>(i - 2)] == y) {
        best = std::min(best, (*before)[at - 2] + 1);
      }
      (*current)[at] = static_cast<int16_t>(best);
      least = std::min(least, best);
    }
    if (least > limit) return limit + 1;
    auto* spare = before;
    before = previous;
    previous = current;
    current = spare;
  }
  return std::min<int>((*previous)[static_cast<size_t>(m)], limit + 1);
}

float WeightedEditDistance(std::string_view typed, std::string_view meant) {
  assert(typed.size() <= kMaxTypedBytes && meant.size() <= kMaxTypedBytes);
  std::array<std::array<float, kMaxTypedBytes + 1>, kMaxTypedBytes + 1> cost;
  for (size_t i = 0; i <= typed.size(); ++i) cost[i][0] = static_cast<float>(i);
  for (size_t j = 0; j <= meant.size(); ++j) cost[0][j] = static_cast<float>(j);
  for (size_t i = 1; i <= typed.size(); ++i) {
    for (size_t j = 1; j <= meant.size(); ++j) {
      const char x = typed[i - 1];
      const char y = meant[j - 1];
      float substitution = SubstitutionCost(x, y);
      if (substitution > 0 && (i == 1 || j == 1)) substitution += kFirstLetter;
      const float extra = i == 1 ? 1 + kFirstLetter : (typed[i - 2] == x ? kDoubled : 1.0f);
      float lost = j == 1 ? 1 + kFirstLetter : (IsVowel(y) ? kLostVowel : 1.0f);
      if (j > 1 && meant[j - 2] == y) lost = kDoubled;
      float best = std::min(
          {cost[i - 1][j - 1] + substitution, cost[i - 1][j] + extra, cost[i][j - 1] + lost});
      if (i > 1 && j > 1 && x != y && x == meant[j - 2] && typed[i - 2] == y) {
        best = std::min(best, cost[i - 2][j - 2] + kSwapped);
      }
      cost[i][j] = best;
    }
  }
  return cost[typed.size()][meant.size()];
}

}  // namespace emptor::retrieval
