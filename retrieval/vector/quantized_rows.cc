// Rounding to two planes, and their inner products.
#include "retrieval/vector/quantized_rows.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>

#include "retrieval/byte_count.h"
#include "retrieval/vector/int8_dot.h"

namespace emptor::retrieval {
namespace {

constexpr int kFineSteps = 256;  // in one coarse step
constexpr float kMaxCoarse = 127;
constexpr size_t kBlock = 64;

float ScaleOf(std::span<const float> vector) {
  float greatest = 0;
  for (const float x : vector) greatest = std::max(greatest, std::abs(x));
  return greatest / kMaxCoarse;
}

struct Code {
  int coarse;
  int fine;
};

/// `x` in steps of the coarse plane.
Code CodeOf(float x) {
  const int steps = static_cast<int>(std::lrint(x * kFineSteps));
  // The shift rounds down; adding half a coarse step first makes that the nearest one.
  const int coarse = std::min((steps + kFineSteps / 2) >> 8, static_cast<int>(kMaxCoarse));
  return {coarse, std::clamp(steps - coarse * kFineSteps, -128, 127)};
}

float InverseOf(float scale) { return scale > 0 ? 1 / scale : 0; }

}  // namespace

QuantizedQuery::QuantizedQuery(std::span<const float> query)
    : coarse(query.size()), fine(query.size()), scale(ScaleOf(query)) {
  const float inverse = InverseOf(scale);
  for (size_t j = 0; j < query.size(); ++j) {
    const Code code = CodeOf(query[j] * inverse);
    coarse[j] = static_cast<int8_t>(code.coarse);
    fine[j] = static_cast<int8_t>(code.fine);
    coarse_sum += code.coarse;
    fine_sum += code.fine;
  }
}

void QuantizedRows::Reserve(size_t rows) {
  coarse_.reserve(rows * dimension_);
  fine_.reserve(rows * dimension_);
  scales_.reserve(rows);
}

void QuantizedRows::Add(std::span<const float> vector) {
  assert(vector.size() == dimension_);
  const float scale = ScaleOf(vector);
  const float inverse = InverseOf(scale);
  for (const float x : vector) {
    const Code code = CodeOf(x * inverse);
    coarse_.push_back(static_cast<uint8_t>(code.coarse + kCodeZero));
    fine_.push_back(static_cast<uint8_t>(code.fine + kCodeZero));
  }
  scales_.push_back(scale);
}

void QuantizedRows::AddFrom(const QuantizedRows& other, size_t row) {
  AddCodes(other.scales_[row], {other.coarse_at(row), other.dimension_},
           {other.fine_at(row), other.dimension_});
}

void QuantizedRows::AddCodes(float scale, std::span<const uint8_t> coarse,
                             std::span<const uint8_t> fine) {
  assert(coarse.size() == dimension_ && fine.size() == dimension_);
  coarse_.insert(coarse_.end(), coarse.begin(), coarse.end());
  fine_.insert(fine_.end(), fine.begin(), fine.end());
  scales_.push_back(scale);
}

void QuantizedRows::ScoreCoarselyInto(const QuantizedQuery& query, size_t row, size_t count,
                                      float* out) const {
  static const Int8DotFunction dot = SelectInt8Dot();
  std::array<int32_t, kBlock> products;
  for (size_t done = 0; done < count;) {
    const size_t n = std::min(kBlock, count - done);
    dot(coarse_at(row + done), n, query.coarse.data(), dimension_, products.data());
    for (size_t i = 0; i < n; ++i) {
      out[done + i] = static_cast<float>(products[i] - kCodeZero * query.coarse_sum) *
                      scales_[row + done + i] * query.scale;
    }
    done += n;
  }
}

float QuantizedRows::Score(const QuantizedQuery& query, size_t row) const {
  static const Int8DotFunction dot = SelectInt8Dot();
  const auto product = [&](const uint8_t* plane, const std::vector<int8_t>& codes, int32_t sum) {
    int32_t raised = 0;
    dot(plane, 1, codes.data(), dimension_, &raised);
    return static_cast<double>(raised - kCodeZero * sum);
  };
  const double whole = product(coarse_at(row), query.coarse, query.coarse_sum);
  const double cross = product(coarse_at(row), query.fine, query.fine_sum) +
                       product(fine_at(row), query.coarse, query.coarse_sum);
  const double least = product(fine_at(row), query.fine, query.fine_sum);
  return static_cast<float>((whole + (cross + least / kFineSteps) / kFineSteps) * scales_[row] *
                            query.scale);
}

void QuantizedRows::DecodeInto(size_t row, std::span<float> out) const {
  assert(out.size() == dimension_);
  const uint8_t* coarse = coarse_at(row);
  const uint8_t* fine = fine_at(row);
  for (size_t j = 0; j < dimension_; ++j) {
    out[j] =
        scales_[row] * (static_cast<float>(coarse[j] - kCodeZero) +
                        static_cast<float>(fine[j] - kCodeZero) / static_cast<float>(kFineSteps));
  }
}

size_t QuantizedRows::byte_size() const {
  return ByteCount(coarse_) + ByteCount(fine_) + ByteCount(scales_);
}

}  // namespace emptor::retrieval
