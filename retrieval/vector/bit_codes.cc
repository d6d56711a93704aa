// Rotation, codes and tables.
#include "retrieval/vector/bit_codes.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "retrieval/byte_count.h"

namespace emptor::retrieval {
namespace {

constexpr float kAlwaysScored = std::numeric_limits<float>::infinity();
constexpr size_t kMinWidth = 2 * kGroupBits;  // groups come in pairs

/// Turns `values` ([a power of two]): signs by a fixed sequence, then Walsh and Hadamard's
/// transform, which keeps lengths and products.
void Rotate(std::span<float> values) {
  uint64_t state = 0x9E3779B97F4A7C15u;
  for (float& value : values) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    if (state >> 63 != 0) value = -value;
  }
  for (size_t half = 1; half < values.size(); half *= 2) {
    for (size_t begin = 0; begin < values.size(); begin += 2 * half) {
      for (size_t i = begin; i < begin + half; ++i) {
        const float a = values[i], b = values[i + half];
        values[i] = a + b;
        values[i + half] = a - b;
      }
    }
  }
  const float scale = 1 / std::sqrt(static_cast<float>(values.size()));
  for (float& value : values) value *= scale;
}

std::vector<float> MeanOf(const QuantizedRows& rows) {
  const auto dimension = static_cast<size_t>(rows.dimension());
  std::vector<double> sums(dimension);
  std::vector<float> row(dimension);
  for (uint32_t position = 0; position < rows.size(); ++position) {
    rows.DecodeInto(position, row);
    for (size_t j = 0; j < dimension; ++j) sums[j] += row[j];
  }
  const double count = static_cast<double>(std::max<size_t>(rows.size(), 1));
  std::vector<float> mean(dimension);
  for (size_t j = 0; j < dimension; ++j) mean[j] = static_cast<float>(sums[j] / count);
  return mean;
}

}  // namespace

BitCodes::BitCodes(const QuantizedRows& rows)
    : width_(std::max(std::bit_ceil(static_cast<size_t>(rows.dimension())), kMinWidth)),
      mean_(MeanOf(rows)) {
  const size_t blocks = (rows.size() + kBlockRows - 1) / kBlockRows;
  codes_.resize(blocks * block_bytes());
  factors_.resize(blocks * kBlockRows);
  errors_.resize(blocks);
  std::vector<float> row(width_);
  for (size_t place = 0; place < rows.size(); ++place) {
    rows.DecodeInto(rows.position_at(place), std::span(row).first(mean_.size()));
    for (size_t j = 0; j < mean_.size(); ++j) row[j] -= mean_[j];
    std::fill(row.begin() + static_cast<std::ptrdiff_t>(mean_.size()), row.end(), 0.0f);
    AddRow(place, row, rows.scale_at(place));
  }
}

/// With s the signs of a row y of width w, l1 = <y, s> and l2 = |y|^2: <q, y> is some <q, s> l2 /
/// l1, off by |q| |y| sqrt(w l2 / l1^2 - 1) / sqrt(w) in the mean (the paper's theorem 3.2).
void BitCodes::AddRow(size_t place, std::span<float> row, float coarse_step) {
  Rotate(row);
  double l1 = 0, l2 = 0;
  for (const float value : row) {
    l1 += std::abs(value);
    l2 += double{value} * value;
  }
  const auto width = static_cast<double>(width_);
  const bool told = l1 > 0 && std::isfinite(l2);  // else: at the mean, or too long for floats
  const double spread = told ? std::max(0.0, width * l2 / (l1 * l1) - 1) : 0;
  // What it is held against is a score by coarse codes, which rounds, too.
  const auto error = static_cast<float>(std::sqrt(l2 * spread / width)) + coarse_step;
  const size_t block = place / kBlockRows, i = place % kBlockRows;
  factors_[place] = told ? static_cast<float>(l2 / l1) : 0;
  errors_[block] = std::isfinite(l2) ? std::max(errors_[block], error) : kAlwaysScored;
  uint8_t* codes = &codes_[block * block_bytes()];
  for (size_t g = 0; g < width_ / kGroupBits; ++g) {
    unsigned code = 0;
    for (size_t j = 0; j < kGroupBits; ++j) {
      code |= static_cast<unsigned>(row[g * kGroupBits + j] >= 0) << j;
    }
    const size_t byte = g / 2 * kBlockRows + g % 2 * (kBlockRows / 2) + i % (kBlockRows / 2);
    codes[byte] |= static_cast<uint8_t>(i < kBlockRows / 2 ? code : code << 4);
  }
}

BitCodes::Query BitCodes::Prepare(std::span<const float> query) const {
  Query made;
  std::vector<float> turned(width_);
  std::copy(query.begin(), query.end(), turned.begin());
  double at_mean = 0, squares = 0;
  for (size_t j = 0; j < query.size(); ++j) {
    at_mean += double{query[j]} * mean_[j];
    squares += double{query[j]} * query[j];
  }
  made.at_mean = static_cast<float>(at_mean);
  made.length = static_cast<float>(std::sqrt(squares));
  Rotate(turned);
  const size_t groups = width_ / kGroupBits;
  std::vector<float> reach(groups);  // the greatest sum of a group; the least is its negative
  for (size_t j = 0; j < width_; ++j) reach[j / kGroupBits] += std::abs(turned[j]);
  const float most = *std::max_element(reach.begin(), reach.end());
  const float steps = std::min(255.0f, std::floor(65535.0f / static_cast<float>(groups)));
  made.step = 2 * most / steps;
  const float inverse = most > 0 ? 1 / made.step : 0;
  made.tables.resize(groups * 16);
  for (size_t g = 0; g < groups; ++g) {
    made.offset -= reach[g];
    for (unsigned code = 0; code < 16; ++code) {
      float sum = reach[g];
      for (size_t j = 0; j < kGroupBits; ++j) {
        const float value = turned[g * kGroupBits + j];
        sum += (code >> j & 1) != 0 ? value : -value;
      }
      made.tables[g * 16 + code] =
          static_cast<uint8_t>(std::clamp(std::lround(sum * inverse), 0L, std::lround(steps)));
    }
  }
  return made;
}

size_t BitCodes::byte_size() const {
  return ByteCount(mean_) + ByteCount(codes_) + ByteCount(factors_) + ByteCount(errors_);
}

}  // namespace emptor::retrieval
