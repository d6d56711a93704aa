// Reads golden files and compares.
#include "tests/engine/support/golden_logits.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <sstream>

#include "fmt/format.h"
#include "gtest/gtest.h"

namespace emptor::testing {
namespace {

using engine::BlockId;
using engine::Isa;
using engine::SequenceStep;
using engine::Transformer;

constexpr double kMaxRelative = 1e-3;

template <typename T>
std::vector<T> Rest(std::istringstream& line) {
  return std::vector<T>(std::istream_iterator<T>(line), {});
}

double RelativeDistance(std::span<const float> got, std::span<const float> want) {
  double difference = 0, size = 0;
  for (size_t i = 0; i < want.size(); ++i) {
    difference += std::pow(double{got[i]} - double{want[i]}, 2);
    size += std::pow(double{want[i]}, 2);
  }
  return std::sqrt(difference / size);
}

int32_t Best(std::span<const float> logits) {
  return static_cast<int32_t>(std::max_element(logits.begin(), logits.end()) - logits.begin());
}

/// A sequence that is being computed, in blocks of its own.
struct Sequence {
  Sequence(std::vector<int32_t> prompt, int index, int with)
      : tokens(std::move(prompt)), adapter(with) {
    for (int i = 0; i < kGoldenBlocks; ++i) blocks.push_back(BlockId{index * kGoldenBlocks + i});
  }
  /// The step that computes tokens[done .. done + count).
  SequenceStep Step(size_t count, int logit_rows) {
    const SequenceStep step{std::span(tokens).subspan(done, count), static_cast<int>(done), blocks,
                            logit_rows, adapter};
    done += count;
    return step;
  }
  std::vector<int32_t> tokens;
  std::vector<BlockId> blocks;
  int adapter;
  size_t done = 0;
};

/// Computes the prompt up to each golden position, `chunk` tokens at a time, and compares.
void ExpectLogits(const GoldenLogits& golden, Transformer& model, size_t chunk) {
  std::vector<float> logits(static_cast<size_t>(model.vocabulary_size()));
  Sequence sequence(golden.prompt, 0, golden.adapter);
  for (const auto& [position, want] : golden.logits) {
    const auto end = static_cast<size_t>(position) + 1;
    while (sequence.done < end) {
      const size_t count = std::min(chunk, end - sequence.done);
      const bool last = sequence.done + count == end;
      const SequenceStep step = sequence.Step(count, last);
      model.ComputeInto(std::span(&step, 1), last ? std::span(logits) : std::span<float>());
    }
    ASSERT_EQ(want.size(), logits.size());
    EXPECT_LE(RelativeDistance(logits, want), kMaxRelative) << "position " << position;
  }
}

}  // namespace

GoldenLogits GoldenLogits::Read(const std::string& path) {
  std::ifstream file(std::string(EMPTOR_SOURCE_DIR "/tests/golden/") + path);
  GoldenLogits golden;
  for (std::string text; std::getline(file, text);) {
    std::istringstream line(text);
    std::string key, name;
    line >> key;
    if (key == "shape") line >> golden.shape;
    if (key == "seed") line >> golden.seed;
    if (key == "sha256") line >> golden.digest;
    if (key == "tensor" && line >> name) golden.tensors.emplace_back(name, Rest<int64_t>(line));
    if (key == "prompt") golden.prompt = Rest<int32_t>(line);
    if (key == "greedy") golden.greedy = Rest<int32_t>(line);
    int position = 0;
    if (key == "logits" && line >> position) golden.logits[position] = Rest<float>(line);
  }
  return golden;
}

void ExpectGoldenLogits(const GoldenLogits& golden, const ModelMaker& make) {
  for (const Isa isa : engine::AvailableIsas()) {
    const auto model = make(isa, 1);
    ASSERT_NE(model, nullptr);
    for (const size_t chunk : {1u, 7u, 64u}) {
      SCOPED_TRACE(fmt::format("{}, chunks of {}", engine::IsaName(isa), chunk));
      ExpectLogits(golden, *model, chunk);
    }
  }
}

void ExpectGoldenTokens(const GoldenLogits& golden, const ModelMaker& make) {
  for (const Isa isa : engine::AvailableIsas()) {
    const auto model = make(isa, 1);
    ASSERT_NE(model, nullptr);
    std::vector<float> logits(static_cast<size_t>(model->vocabulary_size()));
    Sequence sequence(golden.prompt, 1, golden.adapter);
    std::vector<int32_t> greedy;
    while (greedy.size() < golden.greedy.size()) {
      const SequenceStep step = sequence.Step(sequence.tokens.size() - sequence.done, true);
      model->ComputeInto(std::span(&step, 1), logits);
      greedy.push_back(Best(logits));
      sequence.tokens.push_back(greedy.back());
    }
    EXPECT_EQ(greedy, golden.greedy) << engine::IsaName(isa);
  }
}

void ExpectGoldenTokensInABatch(const GoldenLogits& golden, const ModelMaker& make) {
  for (const Isa isa : engine::AvailableIsas()) {
    const auto model = make(isa, 2);
    ASSERT_NE(model, nullptr);
    const auto vocabulary = static_cast<size_t>(model->vocabulary_size());
    std::vector<int32_t> whole = golden.prompt;
    whole.insert(whole.end(), golden.greedy.begin(), golden.greedy.end());
    const size_t first = golden.prompt.size();
    std::vector<Sequence> sequences;
    for (const size_t more : {0u, 3u, 10u, 20u}) {
      sequences.emplace_back(
          std::vector<int32_t>(whole.begin(), whole.begin() + static_cast<int>(first + more)),
          static_cast<int>(sequences.size()), golden.adapter);
    }
    std::vector<float> logits(sequences.size() * vocabulary);
    for (int round = 0; round < 12; ++round) {
      std::vector<SequenceStep> steps;
      for (Sequence& s : sequences) steps.push_back(s.Step(s.tokens.size() - s.done, true));
      model->ComputeInto(steps, logits);
      for (size_t i = 0; i < sequences.size(); ++i) {
        const int32_t token = Best(std::span(logits).subspan(i * vocabulary, vocabulary));
        ASSERT_EQ(token, whole[sequences[i].done]) << engine::IsaName(isa) << ", sequence " << i;
        sequences[i].tokens.push_back(token);
      }
    }
  }
}

}  // namespace emptor::testing
