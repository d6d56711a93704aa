// The rotation, the codes and the look-up tables.
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

/// Rotates `values` ([a power of two]): signs of a fixed pseudo-random sequence, then the
/// Walsh-Hadamard transform, which keeps lengths and products.
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
  std::vector<float> values(dimension);
  for (uint32_t row = 0; row < rows.size(); ++row) {
    rows.DecodeInto(row, values);
    for (size_t j = 0; j < dimension; ++j) sums[j] += values[j];
  }
  const double count = static_cast<double>(std::max<size_t>(rows.size(), 1));
  std::vector<float> mean(dimension);
  for (size_t j = 0; j < dimension; ++j) mean[j] = static_cast<float>(sums[j] / count);
  return mean;
}

}  // namespace

BitCodes::BitCodes(const QuantizedRows& rows)
    : width_(std::max(std::bit_ceil(static_cast<size_t>(rows.dimension())), kMinWidth)),
      centred_rows_(rows.size()),
      centre_(MeanOf(rows)) {
  Extend(rows);
}

void BitCodes::Extend(const QuantizedRows& rows) {
  const size_t blocks = (rows.size() + kBlockRows - 1) / kBlockRows;
  codes_.resize(blocks * block_bytes());
  factors_.resize(blocks * kBlockRows);
  errors_.resize(blocks);
  std::vector<float> values(width_);
  for (; rows_ < rows.size(); ++rows_) {
    rows.DecodeInto(static_cast<uint32_t>(rows_), std::span(values).first(centre_.size()));
    for (size_t j = 0; j < centre_.size(); ++j) values[j] -= centre_[j];
    std::fill(values.begin() + static_cast<std::ptrdiff_t>(centre_.size()), values.end(), 0.0f);
    AddRow(rows_, values, rows.scale_at(rows_));
  }
}

/// With s the signs of a row y of width w, l1 = <y, s> and l2 = |y|^2: <q, y> is estimated as
/// <q, s> l2 / l1, with a standard error of |q| |y| sqrt(w l2 / l1^2 - 1) / sqrt(w) (theorem 3.2 of
/// the paper).
void BitCodes::AddRow(size_t row, std::span<float> values, float coarse_step) {
  Rotate(values);
  double l1 = 0, l2 = 0;
  for (const float value : values) {
    l1 += std::abs(value);
    l2 += double{value} * value;
  }
  const auto width = static_cast<double>(width_);
  // Not known for a row at the centre, or one too long for floats.
  const bool is_known = l1 > 0 && std::isfinite(l2);
  const double spread = is_known ? std::max(0.0, width * l2 / (l1 * l1) - 1) : 0;
  // The estimate is compared with a score of int8 codes, which rounds too.
  const auto error = static_cast<float>(std::sqrt(l2 * spread / width)) + coarse_step;
  const size_t block = row / kBlockRows, i = row % kBlockRows;
  factors_[row] = is_known ? static_cast<float>(l2 / l1) : 0;
  errors_[block] = std::isfinite(l2) ? std::max(errors_[block], error) : kAlwaysScored;
  uint8_t* codes = &codes_[block * block_bytes()];
  for (size_t g = 0; g < width_ / kGroupBits; ++g) {
    unsigned code = 0;
    for (size_t j = 0; j < kGroupBits; ++j) {
      code |= static_cast<unsigned>(values[g * kGroupBits + j] >= 0) << j;
    }
    const size_t byte = g / 2 * kBlockRows + g % 2 * (kBlockRows / 2) + i % (kBlockRows / 2);
    codes[byte] |= static_cast<uint8_t>(i < kBlockRows / 2 ? code : code << 4);
  }
}

BitCodes::Query BitCodes::Prepare(std::span<const float> query) const {
  Query made;
  std::vector<float> rotated(width_);
  std::copy(query.begin(), query.end(), rotated.begin());
  double at_centre = 0, squares = 0;
  for (size_t j = 0; j < query.size(); ++j) {
    at_centre += double{query[j]} * centre_[j];
    squares += double{query[j]} * query[j];
  }
  made.at_centre = static_cast<float>(at_centre);
  made.length = static_cast<float>(std::sqrt(squares));
  Rotate(rotated);
  const size_t groups = width_ / kGroupBits;
  std::vector<float> reach(groups);  // the largest sum of a group; the smallest is its negative
  for (size_t j = 0; j < width_; ++j) reach[j / kGroupBits] += std::abs(rotated[j]);
  const float max_reach = *std::max_element(reach.begin(), reach.end());
  const float steps = std::min(255.0f, std::floor(65535.0f / static_cast<float>(groups)));
  made.step = 2 * max_reach / steps;
  const float inverse = max_reach > 0 ? 1 / made.step : 0;
  made.tables.resize(groups * 16);
  for (size_t g = 0; g < groups; ++g) {
    made.offset -= reach[g];
    for (unsigned code = 0; code < 16; ++code) {
      float sum = reach[g];
      for (size_t j = 0; j < kGroupBits; ++j) {
        const float value = rotated[g * kGroupBits + j];
        sum += (code >> j & 1) != 0 ? value : -value;
      }
      made.tables[g * 16 + code] =
          static_cast<uint8_t>(std::clamp(std::lround(sum * inverse), 0L, std::lround(steps)));
    }
  }
  return made;
}

size_t BitCodes::byte_size() const {
  return ByteCount(centre_) + ByteCount(codes_) + ByteCount(factors_) + ByteCount(errors_);
}

}  // namespace emptor::retrieval
