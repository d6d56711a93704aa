// The blocked attention that the vector variants share; included by the attention_*.cc files alone,
// each with lanes of its own in an unnamed namespace, so that the linker merges no two of them.
#pragma once

#include <cstdint>

#include "engine/kernels/kernels.h"

namespace emptor::engine {

/// Goes through the positions in blocks of 64, which begin at multiples of 64: widens their keys
/// and values once, then takes all rows (the heads of the group of every token) against them with a
/// running largest score and sum. What a row gets depends on its own positions alone: a position
/// that it does not attend to weighs exactly nothing, a block of such positions changes nothing.
/// Scores are summed along the head in order, outputs along the positions in order: the lanes hold
/// positions in the one case and elements of the head in the other, and no sum crosses them but
/// that of a block's weights. All variants give equal bits.
/// Source: Dao et al. 2022, arXiv:2205.14135; Milakov and Gimelshein 2018, arXiv:1805.02867.
///
/// Lanes: Vector, kCount, kRowTile (rows whose sums fit into registers four vectors wide), and the
/// operations used below.
template <typename Lanes>
class FlashAttention {
 public:
  explicit FlashAttention(const AttentionArgs& args)
      : args_(args),
        rows_(args.tokens * args.group),
        padded_(PaddedHeadDim(args.head_dim)),
        keys_(args.scratch),
        values_(keys_ + int64_t{args.head_dim} * kAttentionBlock),
        queries_(values_ + int64_t{padded_} * kAttentionBlock),
        sums_(queries_ + int64_t{rows_} * padded_),
        weights_(sums_ + int64_t{rows_} * padded_),
        largest_(weights_ + int64_t{rows_} * kAttentionBlock),
        totals_(largest_ + rows_),
        corrections_(totals_ + rows_) {}

  void Run() {
    Begin();
    // A few rows read f16 keys and values as they lie; for many they are widened once.
    const bool paged =
        rows_ <= kPagedRows && args_.block_tokens % kLanes == 0 && args_.kv_type == KvType::kF16;
    const int last = args_.position + args_.tokens - 1;
    for (int base = FirstOf(0) / kAttentionBlock * kAttentionBlock; base <= last;
         base += kAttentionBlock) {
      const int count = Smaller(kAttentionBlock, last + 1 - base);
      // Rows of a tile of queries that attend to something here.
      int begin = 0, end = args_.tokens;
      while (args_.position + begin < base) ++begin;
      while (FirstOf(end - 1) >= base + count) --end;
      if (paged) {
        AttendRows(Paged(args_, base, count), base, begin * args_.group, end * args_.group);
      } else {
        if (args_.kv_type == KvType::kF16) {
          WidenKeys<Half>(base, count);
          WidenValues<Half>(base, count);
        } else {
          WidenKeys<int8_t>(base, count);
          WidenValues<int8_t>(base, count);
        }
        AttendRows(Widened{keys_, values_, padded_}, base, begin * args_.group, end * args_.group);
      }
    }
    Finish();
  }

 private:
  using Vector = typename Lanes::Vector;
  static constexpr int kLanes = Lanes::kCount;
  static constexpr int kVectors = 4;  // that a register tile is wide
  static constexpr int kPagedRows = 8;
  static constexpr float kLowest = -3.0e38f;

  static int Smaller(int a, int b) { return a < b ? a : b; }
  static int Larger(int a, int b) { return a > b ? a : b; }

  /// Keys and values of a block of positions in f32: [head_dim][64] and [64][padded].
  struct Widened {
    const float* keys;
    const float* values;
    int padded;

    /// Element i of the keys of kLanes positions from p on.
    Vector Key(int p, int i) const { return Lanes::Load(keys + i * kAttentionBlock + p); }
    /// kLanes elements of the value of position p, from i on.
    Vector Value(int p, int i) const { return Lanes::Load(values + int64_t{p} * padded + i); }
    void Prefetch(int /*p*/) const {}
  };

  /// The same as they lie in their pages. Asks for those of the next block as it goes: pages lie
  /// apart, which no hardware foresees.
  struct Paged {
    Paged(const AttentionArgs& args, int base, int count)
        : block_tokens(args.block_tokens),
          head_dim(args.head_dim),
          whole(args.head_dim == PaddedHeadDim(args.head_dim)),
          prefetched(base + kAttentionBlock < args.position + args.tokens ? args.head_dim : 0) {
      const int last = args.position + args.tokens - 1;
      for (int run = 0; run < kAttentionBlock / kLanes; ++run) {
        const int p = run * kLanes < count ? run * kLanes : 0;  // any that can be read
        keys[run] = KeysAt<Half>(args, base + p);
        values[run] = ValueAt<Half>(args, base + p);
        const bool more = base + kAttentionBlock + p <= last;
        next_keys[run] = more ? KeysAt<Half>(args, base + kAttentionBlock + p) : keys[run];
        next_values[run] = more ? ValueAt<Half>(args, base + kAttentionBlock + p) : values[run];
      }
    }

    Vector Key(int p, int i) const {
      return Lanes::Widen(keys[p / kLanes] + int64_t{i} * block_tokens);
    }
    Vector Value(int p, int i) const {
      const Half* value = values[p / kLanes] + int64_t{p % kLanes} * head_dim + i;
      return whole ? Lanes::Widen(value) : Lanes::WidenFirst(value, head_dim - i);
    }
    /// A position's share of the next block.
    void Prefetch(int p) const {
      const int64_t at = int64_t{p % kLanes} * head_dim;
      for (int i = 0; i < prefetched; i += 64 / int{sizeof(Half)}) {
        Lanes::Prefetch(reinterpret_cast<const char*>(next_keys[p / kLanes] + at + i));
        Lanes::Prefetch(reinterpret_cast<const char*>(next_values[p / kLanes] + at + i));
      }
    }

    int block_tokens, head_dim;
    bool whole;      // a head is whole vectors
    int prefetched;  // elements of each position of the next block; 0: there is none
    // Of each run of kLanes positions, here and in the next block.
    const Half *keys[kAttentionBlock / kLanes], *next_keys[kAttentionBlock / kLanes];
    const Half *values[kAttentionBlock / kLanes], *next_values[kAttentionBlock / kLanes];
  };

  /// Elements of a block begin behind its scales, if it has any.
  template <typename Element>
  static const Element* Elements(const AttentionArgs& args, const std::byte* block) {
    const int64_t scales = sizeof(Element) == 1 ? int64_t{args.block_tokens} * 4 : 0;
    return reinterpret_cast<const Element*>(block + scales);
  }
  template <typename Element>
  static const Element* KeysAt(const AttentionArgs& args, int position) {
    return Elements<Element>(args, args.keys[static_cast<size_t>(position / args.block_tokens)]) +
           position % args.block_tokens;
  }
  template <typename Element>
  static const Element* ValueAt(const AttentionArgs& args, int position) {
    const auto* block =
        Elements<Element>(args, args.values[static_cast<size_t>(position / args.block_tokens)]);
    return &block[int64_t{position % args.block_tokens} * args.head_dim];
  }
  /// The scale of a position, the next positions' behind it.
  static const float* ScaleAt(const AttentionArgs& args, std::span<const std::byte* const> blocks,
                              int position) {
    return reinterpret_cast<const float*>(
               blocks[static_cast<size_t>(position / args.block_tokens)]) +
           position % args.block_tokens;
  }

  /// The first position that a token attends to.
  int FirstOf(int token) const {
    return args_.window > 0 ? Larger(0, args_.position + token + 1 - args_.window) : 0;
  }

  void Begin() {
    for (int r = 0; r < rows_; ++r) {
      const float* q =
          args_.q + r / args_.group * args_.stride + int64_t{r % args_.group} * args_.head_dim;
      float* scaled = queries_ + int64_t{r} * padded_;
      for (int i = 0; i < args_.head_dim; ++i) scaled[i] = q[i] * args_.scale;
      float* sums = sums_ + int64_t{r} * padded_;
      for (int i = 0; i < padded_; ++i) sums[i] = 0;
      largest_[r] = kLowest;
      totals_[r] = 0;
    }
  }

  void Finish() {
    for (int r = 0; r < rows_; ++r) {
      float* out =
          args_.out + r / args_.group * args_.stride + int64_t{r % args_.group} * args_.head_dim;
      const Vector inverse = Lanes::Set(1.0f / totals_[r]);
      for (int i = 0; i < args_.head_dim; i += kLanes) {
        Lanes::StoreFirst(out + i, args_.head_dim - i,
                          Lanes::Multiply(Lanes::Load(sums_ + int64_t{r} * padded_ + i), inverse));
      }
    }
  }

  /// Keys of positions [base, base + count) to f32: runs of a vector's positions, or single ones
  /// where pages are too short.
  template <typename Element>
  void WidenKeys(int base, int count) {
    const bool runs = args_.block_tokens % kLanes == 0;
    for (int p = 0; p < count; p += runs ? kLanes : 1) {
      const Element* keys = KeysAt<Element>(args_, base + p);
      const float* scales = ScaleAt(args_, args_.keys, base + p);  // read with int8 alone
      for (int i = 0; i < args_.head_dim; ++i, keys += args_.block_tokens) {
        float* to = keys_ + i * kAttentionBlock + p;
        if constexpr (sizeof(Element) == 1) {
          if (runs) {
            Lanes::Store(to, Lanes::Multiply(Lanes::Load(scales), Lanes::Widen(keys)));
          } else {
            *to = *scales * static_cast<float>(*keys);
          }
        } else if (runs) {
          Lanes::Store(to, Lanes::Widen(keys));
        } else {
          *to = Lanes::WidenOne(*keys);
        }
      }
    }
  }

  template <typename Element>
  void WidenValues(int base, int count) {
    for (int p = 0; p < count; ++p) {
      const Element* value = ValueAt<Element>(args_, base + p);
      for (int i = 0; i < args_.head_dim; i += kLanes) {
        Vector wide = Lanes::WidenFirst(value + i, args_.head_dim - i);
        if constexpr (sizeof(Element) == 1) {
          wide = Lanes::Multiply(Lanes::Set(*ScaleAt(args_, args_.values, base + p)), wide);
        }
        Lanes::Store(values_ + int64_t{p} * padded_ + i, wide);
      }
    }
  }

  template <typename Source>
  void AttendRows(const Source& source, int base, int row, int end) {
    constexpr int kTile = Lanes::kRowTile;
    for (; row + kTile <= end; row += kTile) AttendTile<kTile>(source, base, row);
    for (; row + 2 <= end; row += 2) AttendTile<2>(source, base, row);
    if (row < end) AttendTile<1>(source, base, row);
  }

  template <int Rows, typename Source>
  void AttendTile(const Source& source, int base, int row) {
    // The last row reaches farthest.
    const int reach =
        Smaller(kAttentionBlock, args_.position + (row + Rows - 1) / args_.group + 1 - base);
    int p = 0;
    while (p < reach) {
      const int vectors = (reach - p + kLanes - 1) / kLanes;
      if (vectors > 2) {
        Scores<Rows, kVectors>(source, row, p);
        p += kVectors * kLanes;
      } else if (vectors == 2) {
        Scores<Rows, 2>(source, row, p);
        p += 2 * kLanes;
      } else {
        Scores<Rows, 1>(source, row, p);
        p += kLanes;
      }
    }
    for (int r = 0; r < Rows; ++r) Weigh(base, row + r);
    int i = 0;
    for (; i + kVectors * kLanes <= padded_; i += kVectors * kLanes) {
      SumValues<Rows, kVectors>(source, row, i, reach);
    }
    for (; i < padded_; i += kLanes) SumValues<Rows, 1>(source, row, i, reach);
  }

  /// weights_[row + r][p + i] = the scaled scores.
  template <int Rows, int Vectors, typename Source>
  void Scores(const Source& source, int row, int p) {
    Vector sums[Rows][Vectors];
    for (auto& of_row : sums) {
      for (Vector& sum : of_row) sum = Lanes::Set(0);
    }
    const float* q = queries_ + int64_t{row} * padded_;
    for (int i = 0; i < args_.head_dim; ++i, ++q) {
      Vector key[Vectors];
      for (int v = 0; v < Vectors; ++v) key[v] = source.Key(p + v * kLanes, i);
      for (int r = 0; r < Rows; ++r) {
        const Vector factor = Lanes::Set(q[int64_t{r} * padded_]);
        for (int v = 0; v < Vectors; ++v) {
          sums[r][v] = Lanes::MultiplyAdd(key[v], factor, sums[r][v]);
        }
      }
    }
    for (int r = 0; r < Rows; ++r) {
      for (int v = 0; v < Vectors; ++v) {
        Lanes::Store(weights_ + (row + r) * kAttentionBlock + p + v * kLanes, sums[r][v]);
      }
    }
  }

  /// Scores of a row to weights e^(score - largest), nothing where the row does not attend.
  void Weigh(int base, int row) {
    const int token = row / args_.group;
    const int end = Smaller(kAttentionBlock, args_.position + token + 1 - base);
    const int begin = Larger(0, FirstOf(token) - base);
    constexpr int kParts = kAttentionBlock / kLanes;
    float* weights = weights_ + row * kAttentionBlock;
    Vector scores[kParts];
    const int parts = (end + kLanes - 1) / kLanes;  // the others weigh nothing
    Vector most = Lanes::Set(kLowest);
    for (int v = 0; v < parts; ++v) {
      scores[v] = Lanes::Select(begin - v * kLanes, end - v * kLanes,
                                Lanes::Load(weights + v * kLanes), Lanes::Set(-__builtin_inff()));
      most = Lanes::Max(scores[v], most);
    }
    const float before = largest_[row];
    const float in_block = Lanes::MaxLanes(most);
    const float largest = in_block > before ? in_block : before;
    const Vector shift = Lanes::Set(largest);
    for (int v = parts; v < kParts; ++v) {
      scores[v] = Lanes::Set(0);
      Lanes::Store(weights + v * kLanes, scores[v]);
    }
    for (int v = 0; v < parts; ++v) {
      scores[v] = Lanes::Exp(Lanes::Subtract(scores[v], shift));
      Lanes::Store(weights + v * kLanes, scores[v]);
    }
    const float correction =
        largest == before ? 1.0f : Lanes::First(Lanes::Exp(Lanes::Set(before - largest)));
    largest_[row] = largest;
    corrections_[row] = correction;
    totals_[row] = totals_[row] * correction + Lanes::SumBlock(scores);
  }

  /// sums_[row + r][i ...] = them * correction + weights . values.
  template <int Rows, int Vectors, typename Source>
  void SumValues(const Source& source, int row, int i, int count) {
    Vector sums[Rows][Vectors];
    for (int r = 0; r < Rows; ++r) {
      const Vector correction = Lanes::Set(corrections_[row + r]);
      for (int v = 0; v < Vectors; ++v) {
        sums[r][v] = Lanes::Multiply(
            Lanes::Load(sums_ + int64_t{row + r} * padded_ + i + v * kLanes), correction);
      }
    }
    const float* weights = weights_ + row * kAttentionBlock;
    for (int p = 0; p < count; ++p, ++weights) {
      if (Vectors > 1) source.Prefetch(p);
      Vector value[Vectors];
      for (int v = 0; v < Vectors; ++v) value[v] = source.Value(p, i + v * kLanes);
      for (int r = 0; r < Rows; ++r) {
        const Vector weight = Lanes::Set(weights[r * kAttentionBlock]);
        for (int v = 0; v < Vectors; ++v) {
          sums[r][v] = Lanes::MultiplyAdd(value[v], weight, sums[r][v]);
        }
      }
    }
    for (int r = 0; r < Rows; ++r) {
      for (int v = 0; v < Vectors; ++v) {
        Lanes::Store(sums_ + int64_t{row + r} * padded_ + i + v * kLanes, sums[r][v]);
      }
    }
  }

  const AttentionArgs& args_;
  const int rows_;
  const int padded_;      // head_dim, filled up to whole vectors
  float* const keys_;     // [head_dim][64]
  float* const values_;   // [64][padded]
  float* const queries_;  // [rows][padded], scaled
  float* const sums_;     // [rows][padded]
  float* const weights_;  // [rows][64]
  float* const largest_;  // [rows]
  float* const totals_;
  float* const corrections_;
};

}  // namespace emptor::engine
