// Random lives of many requests in virtual time: every answer is that of the request alone, every
// block comes back, no request starves, and each answer ends once. Half of them decode
// speculatively. 500 schedules; 10,000 with EMPTOR_SOAK=20.
#include <cmath>
#include <cstdlib>
#include <map>
#include <random>
#include <string>

#include "engine/batch_runner.h"
#include "engine/sampling/rng.h"
#include "gtest/gtest.h"
#include "tests/support/byte_tokenizer.h"
#include "tests/support/chain_model.h"
#include "tests/support/oracle_drafter.h"

namespace emptor::engine {
namespace {

using ::emptor::testing::ByteTokenizer;
using ::emptor::testing::ChainModel;
using ::emptor::testing::OracleDrafter;
using std::chrono::microseconds;
using Time = std::chrono::steady_clock::time_point;

constexpr int kVocabulary = 257;
constexpr int kContext = 60;
constexpr microseconds kStepTime(1000), kTokenTime(100);

struct AnswerLog {
  std::string text;
  int ends = 0;
  GenerationEnd end;
};

/// A request of the schedule and what became of it.
struct Life {
  PreparedRequest request;
  int arrival = 0;  // turn of the loop
  int cancel = -1;  // turn in which it is cancelled; -1: never
  bool cancelled = false;
  std::vector<AnswerLog> answers;  // by choice

  bool undisturbed() const { return request.deadline == Time::max() && cancel < 0; }
  /// Virtual time is a whole number of microseconds.
  Time start() const {
    const double queued = answers[0].end.usage.queue_seconds;
    return request.submitted + microseconds(std::llround(queued * 1e6));
  }
  bool started() const { return answers[0].end.usage.completion_tokens > 0; }
};

struct Totals {
  uint64_t preemptions = 0, prefix_hits = 0, copies = 0, deadlines = 0, cancels = 0, overtakes = 0;
  uint64_t drafts = 0, accepted = 0;
};

int SoakFactor() {
  const char* factor = std::getenv("EMPTOR_SOAK");
  return factor == nullptr ? 1 : std::max(1, std::atoi(factor));
}

/// One random schedule.
class Simulation {
 public:
  Simulation(uint64_t seed, const Tokenizer& tokenizer) : tokenizer_(tokenizer), random_(seed) {
    limits_ = {.block_tokens = Draw(1, 5),
               .max_running = Draw(1, 8),
               .max_step_tokens = Draw(2, 24),
               .mixed_prefill_tokens = Chance(2) ? Draw(1, 8) : 0,
               .mixed_step_seconds = Chance(3) ? 0.002 : 0,
               .long_prefill_tokens = Chance(2) ? Draw(1, 8) : 0,
               .max_overtakes = Draw(0, 4),
               .reserve = Chance(5),
               .infeasible_factor = Chance(2) ? 2.0 : 0.0};
    // From hardly more than the longest prompt to room for several requests.
    kv_ = {.blocks = BlocksFor(Draw(30, 150), limits_.block_tokens), .prefix_cache = !Chance(4)};
    if (Chance(2)) draft_tokens_ = Draw(1, 6);
    longest_ = std::min(kContext, kv_.blocks * limits_.block_tokens);
    for (std::string& opening : openings_) opening = Letters(Draw(0, 16));
    lives_.resize(static_cast<size_t>(Draw(2, 16)));
    for (size_t i = 0; i < lives_.size(); ++i) Invent(i);
  }

  void Run(Totals& totals) {
    ChainModel model(kVocabulary, kContext, kv_.blocks, limits_.block_tokens);
    model.set_after_step([this](int tokens) { now_ += kStepTime + tokens * kTokenTime; });
    BatchRunner runner(
        model, tokenizer_, limits_, kv_, [this] { return now_; }, MakeSpeculator());
    size_t arrived = 0;
    for (int turn = 0; arrived < lives_.size() || !runner.idle(); ++turn) {
      ASSERT_LT(turn, 5000) << "starved";
      for (; arrived < lives_.size() && lives_[arrived].arrival <= turn; ++arrived) {
        Submit(runner, lives_[arrived]);
      }
      for (size_t i = 0; i < arrived; ++i) CancelAt(turn, runner, lives_[i]);
      const bool computed = runner.Step();
      ASSERT_TRUE(computed || runner.idle()) << "nothing advanced";
      if (!computed) now_ += kStepTime;
      ASSERT_LE(runner.stats().running, limits_.max_running);
    }
    const EngineStats stats = runner.stats();
    EXPECT_EQ(stats.kv_blocks_free, stats.kv_blocks_total);
    EXPECT_EQ(stats.finished + stats.cancelled, lives_.size());
    EXPECT_EQ(stats.backlog_tokens, 0);
    totals.preemptions += stats.preemptions;
    totals.prefix_hits += stats.prefix_hits;
    totals.copies += static_cast<uint64_t>(model.copies());
    totals.drafts += stats.draft_tokens;
    totals.accepted += stats.accepted_draft_tokens;
    if (limits_.reserve && all_alone_fit_ && !mixed_priorities_) {
      EXPECT_EQ(stats.preemptions, 0u);
    }
  }

  void Check(Totals& totals) {
    for (size_t i = 0; i < lives_.size(); ++i) {
      SCOPED_TRACE("request " + std::to_string(i));
      CheckAnswers(lives_[i], totals);
      if (lives_[i].undisturbed()) CheckTurn(lives_[i], totals);
    }
  }

 private:
  int Draw(int low, int high) { return std::uniform_int_distribution<int>(low, high)(random_); }
  bool Chance(int of) { return Draw(1, of) == 1; }
  std::string Letters(int n) {
    std::string text(static_cast<size_t>(n), ' ');
    for (char& c : text) c = static_cast<char>('a' + Draw(0, 1));
    return text;
  }

  void Invent(size_t i) {
    Life& life = lives_[i];
    life.arrival = (i == 0 ? 0 : lives_[i - 1].arrival) + (Chance(2) ? 0 : Draw(0, 12));
    PreparedRequest& request = life.request;
    request.handle = i + 1;
    const std::string text = openings_[static_cast<size_t>(Draw(0, 2))] + Letters(Draw(1, 10));
    for (const char c : text) request.prompt.push_back(c);
    request.max_tokens = Draw(1, 16);
    request.n = Chance(3) ? Draw(1, std::min(4, MaxSeqs(limits_))) : 1;
    request.sampling.temperature = Chance(2) ? 1 : 0;
    request.sampling.seed = random_();
    request.priority = Chance(4) ? Priority::kBatch : Priority::kInteractive;
    mixed_priorities_ |= request.priority == Priority::kBatch;
    request.tenant = std::string(1, static_cast<char>('x' + Draw(0, 2)));
    if (Chance(5)) request.cache_salt = "salt";
    if (Chance(5)) deadlines_[i] = Draw(0, 60);
    if (Chance(6)) life.cancel = life.arrival + Draw(0, 20);
    life.answers.resize(static_cast<size_t>(request.n));
    const int most = static_cast<int>(request.prompt.size()) + request.max_tokens;
    all_alone_fit_ &= request.n * BlocksFor(most, limits_.block_tokens) <= kv_.blocks;
  }

  void Submit(BatchRunner& runner, Life& life) {
    life.request.submitted = now_;
    const auto deadline = deadlines_.find(life.request.handle - 1);
    if (deadline != deadlines_.end()) {
      life.request.deadline = now_ + deadline->second * kStepTime;
    }
    PreparedRequest request = life.request;
    request.callbacks.on_text = [&life](const TextPiece& piece) {
      AnswerLog& answer = life.answers.at(static_cast<size_t>(piece.choice));
      EXPECT_EQ(answer.ends, 0);
      answer.text += piece.text;
    };
    request.callbacks.on_end = [&life](const GenerationEnd& end) {
      AnswerLog& answer = life.answers.at(static_cast<size_t>(end.choice));
      ++answer.ends;
      answer.end = end;
    };
    runner.Add(std::move(request));
  }

  /// It guesses each of the answers, three tokens in four right; null when nothing is guessed.
  std::unique_ptr<Speculator> MakeSpeculator() {
    if (draft_tokens_ == 0) return nullptr;
    std::vector<std::vector<int32_t>> texts;
    for (const Life& life : lives_) {
      for (int choice = 0; choice < life.request.n; ++choice) {
        texts.push_back(life.request.prompt);
        for (const char c : Alone(life.request, choice)) texts.back().push_back(c);
      }
    }
    return std::make_unique<Speculator>(
        std::make_unique<OracleDrafter>(std::move(texts), 4, random_()), draft_tokens_);
  }

  static void CancelAt(int turn, BatchRunner& runner, Life& life) {
    if (life.cancel != turn) return;
    for (const AnswerLog& answer : life.answers) life.cancelled |= answer.ends == 0;
    runner.Cancel(life.request.handle);
    for (const AnswerLog& answer : life.answers) EXPECT_EQ(answer.ends, 1);
  }

  /// What the choice says when the engine has nothing else to do, no cache and room enough.
  std::string Alone(const PreparedRequest& request, int choice) const {
    const int blocks = BlocksFor(kContext, 16);
    ChainModel model(kVocabulary, kContext, blocks, 16);
    BatchRunner runner(model, tokenizer_, {}, {.blocks = blocks}, [] { return Time(); });
    PreparedRequest alone;
    alone.handle = 1;
    alone.prompt = request.prompt;
    alone.max_tokens =
        std::min(request.max_tokens, longest_ - static_cast<int>(request.prompt.size()));
    alone.sampling = request.sampling;
    if (choice > 0) {
      alone.sampling.seed = RandomBits(request.sampling.seed, ~static_cast<uint64_t>(choice));
    }
    std::string text;
    alone.callbacks.on_text = [&](const TextPiece& piece) { text += piece.text; };
    runner.Add(std::move(alone));
    while (runner.Step()) {
    }
    return text;
  }

  void CheckAnswers(const Life& life, Totals& totals) const {
    for (size_t choice = 0; choice < life.answers.size(); ++choice) {
      const AnswerLog& answer = life.answers[choice];
      ASSERT_EQ(answer.ends, 1);
      const std::string alone = Alone(life.request, static_cast<int>(choice));
      const FinishReason reason = answer.end.reason;
      EXPECT_NE(reason, FinishReason::kError);
      if (reason == FinishReason::kStop || reason == FinishReason::kLength) {
        EXPECT_EQ(answer.text, alone);
        continue;
      }
      EXPECT_EQ(answer.text, alone.substr(0, answer.text.size()));
      if (reason == FinishReason::kCancelled) {
        EXPECT_TRUE(life.cancelled);
        ++totals.cancels;
      } else {
        EXPECT_NE(life.request.deadline, Time::max());
        ++totals.deadlines;
      }
    }
    if (life.started()) {
      EXPECT_LT(life.start(), life.request.deadline);
    }
  }

  /// Its tenant's later requests started before it no oftener than the limits allow, and no batch
  /// work started while it waited if it is interactive.
  void CheckTurn(const Life& life, Totals& totals) const {
    int overtakes = 0;
    for (const Life& other : lives_) {
      if (!other.started() || &other == &life) continue;
      const bool between = other.start() > life.request.submitted && other.start() < life.start();
      if (other.request.priority > life.request.priority) {
        EXPECT_FALSE(between);
      }
      if (other.request.priority == life.request.priority &&
          other.request.tenant == life.request.tenant &&
          other.request.handle > life.request.handle && other.start() < life.start()) {
        ++overtakes;
      }
    }
    EXPECT_LE(overtakes, limits_.max_overtakes);
    totals.overtakes += static_cast<uint64_t>(overtakes);
  }

  const Tokenizer& tokenizer_;
  std::mt19937_64 random_;
  Time now_{std::chrono::seconds(100)};
  SchedulerLimits limits_;
  KvOptions kv_;
  int longest_ = 0;
  int draft_tokens_ = 0;
  bool all_alone_fit_ = true;
  bool mixed_priorities_ = false;
  std::string openings_[3];
  std::map<size_t, int> deadlines_;  // by request, in step times after its arrival
  std::vector<Life> lives_;
};

TEST(SimulationTest, EveryRequestOfEveryScheduleGetsItsOwnAnswerAndEndsOnce) {
  const auto tokenizer = ByteTokenizer();
  Totals totals;
  const uint64_t schedules = 500 * static_cast<uint64_t>(SoakFactor());
  for (uint64_t seed = 1; seed <= schedules; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Simulation simulation(seed, *tokenizer);
    simulation.Run(totals);
    if (::testing::Test::HasFatalFailure()) return;
    simulation.Check(totals);
    if (::testing::Test::HasFailure()) return;
  }
  // The schedules are hard enough to say something.
  EXPECT_GT(totals.preemptions, schedules / 2);
  EXPECT_GT(totals.prefix_hits, schedules * 5);
  EXPECT_GT(totals.copies, schedules / 2);
  EXPECT_GT(totals.deadlines, schedules / 10);
  EXPECT_GT(totals.cancels, schedules / 10);
  EXPECT_GT(totals.overtakes, schedules / 20);
  EXPECT_GT(totals.accepted, schedules * 5);
  EXPECT_GT(totals.drafts, totals.accepted + schedules * 2);
}

}  // namespace
}  // namespace emptor::engine
