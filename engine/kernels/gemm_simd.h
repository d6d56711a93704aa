// The product of two row-major f32 matrices for one instruction set; included by the
// encoder_kernels_*.cc files alone, each with lanes of its own in an unnamed namespace.
#pragma once

#include <cstdint>

#include "engine/kernels/encoder_kernels.h"

namespace emptor::engine {

/// Lanes: Vector, kWidth, Mask, FirstOf(n), Zero(), Broadcast(float), Load(p), Load(p, mask),
/// Store(p, v), Store(p, v, mask), MultiplyAdd(a, b, c); kRows, the rows of a tile whose sums fit
/// into registers twice. Each sum is taken in the order of the inner dimension, whatever the tile.
template <typename Lanes>
class Gemm {
 public:
  static void Run(const GemmArgs& args) {
    int row = 0;
    for (; row + Lanes::kRows <= args.rows; row += Lanes::kRows) Columns<Lanes::kRows>(args, row);
    Rest<Lanes::kRows - 1>(args, row, args.rows - row);
  }

 private:
  using Vector = typename Lanes::Vector;

  template <int Count>
  static void Rest(const GemmArgs& args, int row, int count) {
    if constexpr (Count > 0) {
      if (count == Count) return Columns<Count>(args, row);
      Rest<Count - 1>(args, row, count);
    }
  }

  template <int Rows>
  static void Columns(const GemmArgs& args, int row) {
    int column = 0;
    for (; column + 2 * Lanes::kWidth <= args.columns; column += 2 * Lanes::kWidth) {
      Tile<Rows, 2, false>(args, row, column, Lanes::FirstOf(Lanes::kWidth));
    }
    for (; column < args.columns; column += Lanes::kWidth) {
      const int left = args.columns - column;
      Tile<Rows, 1, true>(args, row, column,
                          Lanes::FirstOf(left < Lanes::kWidth ? left : Lanes::kWidth));
    }
  }

  template <int Rows, int Vectors, bool Masked>
  static void Tile(const GemmArgs& args, int row, int column, typename Lanes::Mask mask) {
    const float* a = args.a + row * args.a_stride;
    const float* b = args.b + column;
    Vector sums[Rows][Vectors];
    for (auto& of_row : sums) {
      for (Vector& sum : of_row) sum = Lanes::Zero();
    }
    for (int i = 0; i < args.inner; ++i, b += args.b_stride) {
      Vector right[Vectors];
      for (int v = 0; v < Vectors; ++v) {
        const float* from = b + v * Lanes::kWidth;
        right[v] = Masked ? Lanes::Load(from, mask) : Lanes::Load(from);
      }
      for (int r = 0; r < Rows; ++r) {
        const Vector left = Lanes::Broadcast(a[r * args.a_stride + i]);
        for (int v = 0; v < Vectors; ++v) {
          sums[r][v] = Lanes::MultiplyAdd(left, right[v], sums[r][v]);
        }
      }
    }
    for (int r = 0; r < Rows; ++r) {
      for (int v = 0; v < Vectors; ++v) {
        float* to = args.out + (row + r) * args.out_stride + column + v * Lanes::kWidth;
        if (Masked) {
          Lanes::Store(to, sums[r][v], mask);
        } else {
          Lanes::Store(to, sums[r][v]);
        }
      }
    }
  }
};

}  // namespace emptor::engine
