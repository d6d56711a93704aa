// Agreement with PyTorch: golden logits and greedy tokens of tests/golden/llama_logits.
#include <openssl/evp.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>

#include "engine/model/gguf_file.h"
#include "engine/model/transformer.h"
#include "engine/random_model.h"
#include "fmt/format.h"
#include "gtest/gtest.h"

namespace emptor::engine {
namespace {

constexpr double kMostRelative = 1e-3;
constexpr int kBlocksEach = 8;  // of 16 tokens, for one sequence

/// What one golden file says.
struct Golden {
  std::string shape, digest;
  uint64_t seed = 0;
  std::vector<int32_t> prompt, greedy;
  std::map<int, std::vector<float>> logits;  // by position
};

template <typename T>
std::vector<T> Rest(std::istringstream& line) {
  return std::vector<T>(std::istream_iterator<T>(line), {});
}

Golden ReadGolden(const std::string& name) {
  std::ifstream file(EMPTOR_SOURCE_DIR "/tests/golden/llama_logits/" + name + ".txt");
  Golden golden;
  for (std::string text; std::getline(file, text);) {
    std::istringstream line(text);
    std::string key;
    line >> key;
    if (key == "shape") line >> golden.shape;
    if (key == "seed") line >> golden.seed;
    if (key == "sha256") line >> golden.digest;
    if (key == "prompt") golden.prompt = Rest<int32_t>(line);
    if (key == "greedy") golden.greedy = Rest<int32_t>(line);
    int position = 0;
    if (key == "logits" && line >> position) golden.logits[position] = Rest<float>(line);
  }
  return golden;
}

std::string Sha256(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(file)), {});
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned size = 0;
  EVP_Digest(bytes.data(), bytes.size(), digest.data(), &size, EVP_sha256(), nullptr);
  std::string hex;
  for (unsigned i = 0; i < size; ++i) hex += fmt::format("{:02x}", digest[i]);
  return hex;
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
  Sequence(std::vector<int32_t> prompt, int index) : tokens(std::move(prompt)) {
    for (int i = 0; i < kBlocksEach; ++i) blocks.push_back(BlockId{index * kBlocksEach + i});
  }
  /// The step that computes tokens[done .. done + count).
  SequenceStep Step(size_t count, bool wants_logits) {
    const SequenceStep step{std::span(tokens).subspan(done, count), static_cast<int>(done), blocks,
                            wants_logits};
    done += count;
    return step;
  }
  std::vector<int32_t> tokens;
  std::vector<BlockId> blocks;
  size_t done = 0;
};

/// The models of the golden files, written once to a temporary folder.
class LlamaLogitsTest : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    golden_ = ReadGolden(GetParam());
    ASSERT_EQ(golden_.logits.size(), 4u);
    const auto shape = ModelShape::Parse(golden_.shape);
    ASSERT_TRUE(shape.ok()) << shape.status();
    path_ = ::testing::TempDir() + "llama_logits_" + GetParam() + "_" +
            ::testing::UnitTest::GetInstance()->current_test_info()->name() + ".gguf";
    std::replace(path_.begin() + static_cast<std::ptrdiff_t>(::testing::TempDir().size()),
                 path_.end(), '/', '_');
    const auto written =
        WriteRandomModel({.shape = *shape, .type = DType::kF32, .seed = golden_.seed}, path_);
    ASSERT_TRUE(written.ok()) << written.status();
    ASSERT_EQ(Sha256(path_), golden_.digest) << "the writer gives another file than before";
    auto file = GgufFile::Load(path_);
    ASSERT_TRUE(file.ok()) << file.status();
    file_ = std::move(*file);
  }
  void TearDown() override { std::filesystem::remove(path_); }

  std::unique_ptr<Transformer> Make(Isa isa, int threads = 1) const {
    auto model =
        Transformer::Create(file_, {.blocks = 8 * kBlocksEach, .threads = threads, .isa = isa});
    EXPECT_TRUE(model.ok()) << model.status();
    return model.ok() ? std::move(*model) : nullptr;
  }

  /// Computes the prompt up to each golden position, `chunk` tokens at a time, and compares.
  void ExpectGoldenLogits(Transformer& model, size_t chunk) const {
    std::vector<float> logits(static_cast<size_t>(model.vocabulary_size()));
    Sequence sequence(golden_.prompt, 0);
    for (const auto& [position, want] : golden_.logits) {
      const auto end = static_cast<size_t>(position) + 1;
      while (sequence.done < end) {
        const size_t count = std::min(chunk, end - sequence.done);
        const bool last = sequence.done + count == end;
        const SequenceStep step = sequence.Step(count, last);
        model.ComputeInto(std::span(&step, 1), last ? std::span(logits) : std::span<float>());
      }
      ASSERT_EQ(want.size(), logits.size());
      const double distance = RelativeDistance(logits, want);
      EXPECT_LE(distance, kMostRelative) << "position " << position;
      RecordProperty(fmt::format("distance_{}", position), fmt::format("{:.2e}", distance));
    }
  }

  Golden golden_;
  std::string path_;
  std::shared_ptr<const GgufFile> file_;
};

INSTANTIATE_TEST_SUITE_P(Models, LlamaLogitsTest, ::testing::Values("mha", "gqa"),
                         [](const auto& tested) { return std::string(tested.param); });

TEST_P(LlamaLogitsTest, EveryInstructionSetAndChunkAgreesWithPyTorch) {
  for (const Isa isa : AvailableIsas()) {
    const auto model = Make(isa);
    ASSERT_NE(model, nullptr);
    for (const size_t chunk : {1u, 7u, 64u}) {
      SCOPED_TRACE(fmt::format("{}, chunks of {}", IsaName(isa), chunk));
      ExpectGoldenLogits(*model, chunk);
    }
  }
}

TEST_P(LlamaLogitsTest, GreedyTokensAreIdentical) {
  for (const Isa isa : AvailableIsas()) {
    const auto model = Make(isa);
    ASSERT_NE(model, nullptr);
    std::vector<float> logits(static_cast<size_t>(model->vocabulary_size()));
    Sequence sequence(golden_.prompt, 1);
    std::vector<int32_t> greedy;
    while (greedy.size() < golden_.greedy.size()) {
      const SequenceStep step = sequence.Step(sequence.tokens.size() - sequence.done, true);
      model->ComputeInto(std::span(&step, 1), logits);
      greedy.push_back(Best(logits));
      sequence.tokens.push_back(greedy.back());
    }
    EXPECT_EQ(greedy, golden_.greedy) << IsaName(isa);
  }
}

// Prompts cut short at different lengths decode together; each must go on as PyTorch does alone.
TEST_P(LlamaLogitsTest, GreedyTokensOfABatchAreIdentical) {
  for (const Isa isa : AvailableIsas()) {
    const auto model = Make(isa, 2);
    ASSERT_NE(model, nullptr);
    const auto vocabulary = static_cast<size_t>(model->vocabulary_size());
    std::vector<int32_t> whole = golden_.prompt;
    whole.insert(whole.end(), golden_.greedy.begin(), golden_.greedy.end());
    const size_t first = golden_.prompt.size();
    std::vector<Sequence> sequences;
    for (const size_t more : {0u, 3u, 10u, 20u}) {
      sequences.emplace_back(
          std::vector<int32_t>(whole.begin(), whole.begin() + static_cast<int>(first + more)),
          static_cast<int>(sequences.size()));
    }
    std::vector<float> logits(sequences.size() * vocabulary);
    for (int round = 0; round < 12; ++round) {
      std::vector<SequenceStep> steps;
      for (Sequence& s : sequences) steps.push_back(s.Step(s.tokens.size() - s.done, true));
      model->ComputeInto(steps, logits);
      for (size_t i = 0; i < sequences.size(); ++i) {
        const int32_t token = Best(std::span(logits).subspan(i * vocabulary, vocabulary));
        ASSERT_EQ(token, whole[sequences[i].done]) << IsaName(isa) << ", sequence " << i;
        sequences[i].tokens.push_back(token);
      }
    }
  }
}

}  // namespace
}  // namespace emptor::engine
