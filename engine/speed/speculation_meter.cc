// Two runners on one model take turns.
#include "engine/speed/speculation_meter.h"

#include <algorithm>
#include <chrono>
#include <fstream>
#include <iterator>
#include <memory>
#include <optional>
#include <random>
#include <span>
#include <utility>

#include "engine/batch_runner.h"
#include "engine/json/json_tree.h"
#include "engine/loading/model_loader.h"
#include "engine/model/tensor_parallel.h"
#include "engine/speculation/prompt_lookup.h"
#include "engine/speed/roofline.h"
#include "engine/speed/written_text.h"
#include "fmt/format.h"

namespace emptor::engine {
namespace {

constexpr int kBlockTokens = 16;
constexpr int kQuoted = 24, kBetween = 6;  // tokens

/// What is asked in one round.
struct Question {
  std::vector<int32_t> prompt;
  std::vector<int32_t> answer = {};  // that is written; empty: the model's own
  std::optional<std::vector<std::string>> references = {};
};

/// What came of it.
struct Answered {
  double seconds = 0;  // after the first tokens
  uint64_t tokens = 0;
  std::vector<std::vector<int32_t>> answers;  // of each sequence
};

class Meter {
 public:
  static absl::StatusOr<std::unique_ptr<Meter>> Create(const std::string& path,
                                                       const SpeculationMeterOptions& options);

  absl::StatusOr<SpeculationCell> Measure(const std::string& name,
                                          const std::vector<std::vector<Question>>& rounds);
  absl::StatusOr<std::vector<std::vector<Question>>> ReadQuestions() const;
  absl::StatusOr<std::vector<std::vector<Question>>> ReadText();
  std::vector<std::vector<Question>> MakeUp(bool quoting);
  int context() const { return loaded_.config.context; }

 private:
  Meter(const SpeculationMeterOptions& options, LoadedModel loaded)
      : options_(options), loaded_(std::move(loaded)), random_(options.seed) {}

  absl::StatusOr<Question> ParseQuestion(std::string_view line) const;
  std::vector<int32_t> NewTokens(int count);
  absl::StatusOr<Answered> Ask(BatchRunner& runner, const Question& question);
  absl::Status Run(const std::vector<Question>& questions, SpeculationCell& cell);

  SpeculationMeterOptions options_;
  LoadedModel loaded_;
  std::mt19937_64 random_;
  Clock clock_;
  std::unique_ptr<Model> model_;
  std::unique_ptr<WrittenText> writer_;
  std::unique_ptr<BatchRunner> plain_, speculative_;  // their KV memory is the model's
};

absl::StatusOr<std::unique_ptr<Meter>> Meter::Create(const std::string& path,
                                                     const SpeculationMeterOptions& options) {
  absl::StatusOr<LoadedModel> loaded = LoadModel(path);
  if (!loaded.ok()) return loaded.status();
  std::unique_ptr<Meter> meter(new Meter(options, *std::move(loaded)));
  const int blocks = options.sequences * (meter->loaded_.config.context / kBlockTokens + 1);
  absl::StatusOr<std::unique_ptr<Model>> model =
      CreateModel(meter->loaded_.source, {.blocks = blocks,
                                          .block_tokens = kBlockTokens,
                                          .threads = options.threads,
                                          .release_file = true});
  if (!model.ok()) return model.status();
  meter->model_ = *std::move(model);
  meter->writer_ = std::make_unique<WrittenText>(*meter->model_);
  const Stopwatch watch(options.processor_time, options.threads);
  meter->clock_ = [watch] {
    const std::chrono::duration<double> seconds(watch.Seconds());
    return std::chrono::steady_clock::time_point(
        std::chrono::duration_cast<std::chrono::steady_clock::duration>(seconds));
  };
  const auto make = [&](std::unique_ptr<Speculator> speculator) {
    return std::make_unique<BatchRunner>(
        *meter->writer_, *meter->loaded_.tokenizer, SchedulerLimits{.block_tokens = kBlockTokens},
        KvOptions{.blocks = blocks}, meter->clock_, std::move(speculator));
  };
  meter->plain_ = make(nullptr);
  meter->speculative_ =
      make(std::make_unique<Speculator>(std::make_unique<PromptLookup>(), options.draft_tokens));
  return meter;
}

/// Random tokens that do not end an answer.
std::vector<int32_t> Meter::NewTokens(int count) {
  std::uniform_int_distribution<int32_t> draw(0, loaded_.config.vocabulary - 1);
  std::vector<int32_t> tokens;
  while (std::ssize(tokens) < count) {
    const int32_t token = draw(random_);
    if (!loaded_.tokenizer->IsEnd(token)) tokens.push_back(token);
  }
  return tokens;
}

std::vector<std::vector<Question>> Meter::MakeUp(bool quoting) {
  std::vector<std::vector<Question>> rounds;
  for (int round = 0; round < options_.rounds; ++round) {
    Question question{.prompt = NewTokens(options_.prompt)};
    while (std::ssize(question.answer) < options_.tokens) {
      const std::vector<int32_t> fresh = NewTokens(kBetween);
      question.answer.insert(question.answer.end(), fresh.begin(), fresh.end());
      const int last = options_.prompt - kQuoted;
      if (!quoting || last < 0) continue;
      const auto from = question.prompt.begin() + std::uniform_int_distribution(0, last)(random_);
      question.answer.insert(question.answer.end(), from, from + kQuoted);
    }
    question.answer.resize(static_cast<size_t>(options_.tokens));
    rounds.push_back({std::move(question)});
  }
  return rounds;
}

absl::StatusOr<std::vector<std::vector<Question>>> Meter::ReadText() {
  std::ifstream file(options_.text, std::ios::binary);
  if (!file) return absl::NotFoundError(options_.text + ": cannot be read");
  const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  std::vector<int32_t> tokens;
  loaded_.tokenizer->EncodeInto(text, tokens);
  const auto size = static_cast<size_t>(options_.prompt) + static_cast<size_t>(options_.tokens);
  if (tokens.size() < size) {
    return absl::InvalidArgumentError(fmt::format("{}: expected at least {} tokens, found {}",
                                                  options_.text, size, tokens.size()));
  }
  std::vector<std::vector<Question>> rounds;
  for (int round = 0; round < options_.rounds; ++round) {
    const auto at = static_cast<std::ptrdiff_t>(
        std::uniform_int_distribution<size_t>(0, tokens.size() - size)(random_));
    const auto from = tokens.begin() + at, middle = from + options_.prompt;
    rounds.push_back({{.prompt = {from, middle}, .answer = {middle, middle + options_.tokens}}});
  }
  return rounds;
}

absl::StatusOr<Question> Meter::ParseQuestion(std::string_view line) const {
  const absl::StatusOr<JsonTree> json = JsonTree::Parse(line);
  if (!json.ok()) return json.status();
  const auto messages = json->root().Find("messages");
  if (!messages || !messages->is_array()) {
    return absl::InvalidArgumentError("messages: expected a list");
  }
  std::vector<ChatTurn> turns;
  for (const JsonView& message : messages->Items()) {
    const auto role = message.Find("role"), content = message.Find("content");
    if (!role || !role->is_string() || !content || !content->is_string()) {
      return absl::InvalidArgumentError("messages: expected {role, content}");
    }
    turns.push_back({role->as_string(), content->as_string()});  // of json
  }
  absl::StatusOr<std::vector<TokenId>> prompt =
      loaded_.chat_template.Encode(*loaded_.tokenizer, turns);
  if (!prompt.ok()) return prompt.status();
  Question question{.prompt = *std::move(prompt)};
  if (std::ssize(question.prompt) + 1 >= loaded_.config.context) {
    return absl::InvalidArgumentError(fmt::format("expected fewer than {} tokens, found {}",
                                                  loaded_.config.context, question.prompt.size()));
  }
  const auto references = json->root().Find("references");
  if (!references || !references->is_array()) return question;
  question.references.emplace();
  for (const JsonView& reference : references->Items()) {
    if (reference.is_string()) question.references->emplace_back(reference.as_string());
  }
  return question;
}

absl::StatusOr<std::vector<std::vector<Question>>> Meter::ReadQuestions() const {
  std::ifstream file(options_.questions);
  if (!file) return absl::NotFoundError(options_.questions + ": cannot be read");
  std::vector<Question> all;
  std::string line;
  for (int number = 1; std::getline(file, line); ++number) {
    absl::StatusOr<Question> question = ParseQuestion(line);
    if (!question.ok()) {
      return absl::InvalidArgumentError(fmt::format("{}:{}: {}", options_.questions, number,
                                                    std::string(question.status().message())));
    }
    all.push_back(*std::move(question));
  }
  if (all.empty()) return absl::InvalidArgumentError(options_.questions + ": holds no question");
  return std::vector(static_cast<size_t>(options_.rounds), all);
}

absl::StatusOr<Answered> Meter::Ask(BatchRunner& runner, const Question& question) {
  std::vector<int32_t> text = question.prompt;
  text.insert(text.end(), question.answer.begin(), question.answer.end());
  writer_->set_text(question.answer.empty() ? std::vector<int32_t>() : std::move(text));
  Answered answered;
  answered.answers.resize(static_cast<size_t>(options_.sequences));
  absl::Status status;
  for (int i = 0; i < options_.sequences; ++i) {
    PreparedRequest request;
    request.handle = static_cast<uint64_t>(i) + 1;
    request.prompt = question.prompt;
    request.max_tokens = options_.tokens;
    request.references = question.references;
    request.submitted = clock_();
    request.callbacks.on_text =
        [&answer = answered.answers[static_cast<size_t>(i)]](const TextPiece& piece) {
          for (const SampledToken& token : piece.tokens) answer.push_back(token.id);
        };
    request.callbacks.on_end = [&](const GenerationEnd& end) {
      if (!end.status.ok()) status = end.status;
      answered.tokens += static_cast<uint64_t>(end.usage.completion_tokens - 1);
      answered.seconds =
          std::max(answered.seconds, end.usage.total_seconds - end.usage.ttft_seconds);
    };
    runner.Add(std::move(request));
  }
  while (runner.Step()) {
  }
  if (!status.ok()) return status;
  return answered;
}

absl::Status Meter::Run(const std::vector<Question>& questions, SpeculationCell& cell) {
  double seconds[2] = {0, 0};
  uint64_t tokens[2] = {0, 0};
  for (const Question& question : questions) {
    std::optional<std::vector<std::vector<int32_t>>> want;
    for (const int speculates : {0, 1, 1, 0}) {
      const auto answered = Ask(speculates != 0 ? *speculative_ : *plain_, question);
      if (!answered.ok()) return answered.status();
      seconds[speculates] += answered->seconds;
      tokens[speculates] += answered->tokens;
      if (!want) want = answered->answers;
      cell.answers += answered->answers.size();
      for (size_t i = 0; i < want->size(); ++i) {
        cell.different += answered->answers[i] == (*want)[i] ? 0 : 1;
      }
    }
  }
  if (seconds[0] <= 0 || seconds[1] <= 0) {
    return absl::InvalidArgumentError("bench engine: the answers have one token");
  }
  cell.plain.push_back(static_cast<double>(tokens[0]) / seconds[0]);
  cell.speculative.push_back(static_cast<double>(tokens[1]) / seconds[1]);
  return absl::OkStatus();
}

absl::StatusOr<SpeculationCell> Meter::Measure(const std::string& name,
                                               const std::vector<std::vector<Question>>& rounds) {
  SpeculationCell cell{.text = name};
  const EngineStats before = speculative_->stats();
  for (const std::vector<Question>& questions : rounds) {
    const absl::Status status = Run(questions, cell);
    if (!status.ok()) return status;
  }
  const EngineStats after = speculative_->stats();
  cell.steps = after.steps - before.steps;
  cell.tokens = after.generated_tokens - before.generated_tokens;
  cell.draft_tokens = after.draft_tokens - before.draft_tokens;
  cell.accepted = after.accepted_draft_tokens - before.accepted_draft_tokens;
  return cell;
}

absl::Status CheckNumber(const char* field, int found, int least, int most) {
  if (found >= least && found <= most) return absl::OkStatus();
  return absl::InvalidArgumentError(
      fmt::format("bench engine: {}: expected {} to {}, found {}", field, least, most, found));
}

}  // namespace

Summary SpeculationCell::Ratio() const {
  std::vector<double> ratios;
  for (size_t i = 0; i < plain.size(); ++i) ratios.push_back(speculative[i] / plain[i]);
  return Summarize(std::move(ratios));
}

absl::StatusOr<SpeculationReport> MeasureSpeculation(const std::string& path,
                                                     const SpeculationMeterOptions& options) {
  for (const absl::Status& status : {CheckNumber("rounds", options.rounds, 1, 10'000),
                                     CheckNumber("threads with processor time", options.threads,
                                                 options.processor_time ? 1 : 0, 1024),
                                     CheckNumber("together", options.sequences, 1, 64),
                                     CheckNumber("draft-tokens", options.draft_tokens, 1, 64),
                                     CheckNumber("tokens", options.tokens, 2, 1 << 20),
                                     CheckNumber("prompt", options.prompt, kQuoted, 1 << 20)}) {
    if (!status.ok()) return status;
  }
  auto meter = Meter::Create(path, options);
  if (!meter.ok()) return meter.status();
  const int context = (*meter)->context();
  const absl::Status fits =
      CheckNumber("prompt and tokens", options.prompt + options.tokens, 1, context);
  if (!fits.ok()) return fits;
  SpeculationReport report{.model = path,
                           .threads = options.threads,
                           .sequences = options.sequences,
                           .draft_tokens = options.draft_tokens};
  const auto measure = [&](const std::string& name, const auto& rounds) {
    if (!rounds.ok()) return rounds.status();
    absl::StatusOr<SpeculationCell> cell = (*meter)->Measure(name, *rounds);
    if (cell.ok()) report.cells.push_back(*std::move(cell));
    return cell.status();
  };
  using Rounds = absl::StatusOr<std::vector<std::vector<Question>>>;
  absl::Status status = measure("quoting", Rounds((*meter)->MakeUp(true)));
  if (status.ok()) status = measure("new", Rounds((*meter)->MakeUp(false)));
  if (status.ok() && !options.text.empty()) status = measure(options.text, (*meter)->ReadText());
  if (status.ok() && !options.questions.empty()) {
    status = measure(options.questions, (*meter)->ReadQuestions());
  }
  if (!status.ok()) return status;
  return report;
}

}  // namespace emptor::engine
