// emptor bench cache: answers that are given again next to answers that are made, and hit rates of
// cache policies on a skewed replay of the same questions.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "catalog/encoding/json.h"
#include "engine/speed/statistics.h"
#include "services/app/service_parts.h"
#include "services/bench/cache_replay.h"
#include "services/cli/commands.h"
#include "services/observability/log.h"

namespace emptor::services {
namespace {

using std::chrono::steady_clock;

struct BenchCacheCommand {
  std::string queries_file;
  int queries = 500;
  int rounds = 3;
  std::vector<int> threads = {1, 4};
  int requests = 200000;  // of each replay
  uint64_t seed = 1;
  bool json = false;
};

/// Waits for the end of one answer.
class EndListener final : public AssistListener {
 public:
  void OnRefused(const absl::Status&) override { End(); }
  bool OnEvent(const AssistEvent& event) override {
    if (const auto* start = std::get_if<StartEvent>(&event)) {
      is_hit = start->age_seconds.has_value();
    }
    if (std::holds_alternative<DoneEvent>(event) || std::holds_alternative<ErrorEvent>(event)) {
      End();
    }
    return true;
  }
  void Wait() {
    std::unique_lock lock(mutex_);
    ended_changed_.wait(lock, [this] { return ended_; });
  }
  bool is_hit = false;

 private:
  void End() {
    const std::lock_guard lock(mutex_);
    ended_ = true;
    ended_changed_.notify_all();
  }
  std::mutex mutex_;
  std::condition_variable ended_changed_;
  bool ended_ = false;
};

struct Asked {
  double milliseconds = 0;
  bool is_hit = false;
};

Asked Ask(Assistant& assistant, const std::string& question, CacheControl control) {
  AssistRequest request;
  request.message = question;
  request.is_stored = false;
  request.cache_control = control;
  const auto listener = std::make_shared<EndListener>();
  const auto begun = steady_clock::now();
  assistant.Ask(std::move(request), listener);
  listener->Wait();
  const auto took = steady_clock::now() - begun;
  return {std::chrono::duration<double, std::milli>(took).count(), listener->is_hit};
}

struct Throughput {
  int threads = 0;
  double per_second = 0;
};

struct CacheSpeed {
  size_t questions = 0, kept = 0;
  engine::Summary made, given_again;  // milliseconds
  std::vector<Throughput> hits, uncached;
  std::vector<size_t> entry_bytes;
};

Throughput MeasureThroughput(Assistant& assistant, const std::vector<std::string>& questions,
                             int threads, CacheControl control) {
  std::atomic<size_t> next{0};
  std::vector<std::thread> clients;
  const size_t all = questions.size() * (control == CacheControl::kUse ? 4 : 1);
  const auto begun = steady_clock::now();
  for (int t = 0; t < threads; ++t) {
    clients.emplace_back([&] {
      for (size_t i = next++; i < all; i = next++) {
        Ask(assistant, questions[i % questions.size()], control);
      }
    });
  }
  for (std::thread& client : clients) client.join();
  const std::chrono::duration<double> took = steady_clock::now() - begun;
  return {threads, static_cast<double>(all) / took.count()};
}

/// Every question once for nobody, so that types are learned; then made and given again in turns.
CacheSpeed MeasureCache(ServiceParts& parts, const std::vector<std::string>& questions,
                        const BenchCacheCommand& command) {
  Assistant& assistant = *parts.assistant;
  CacheSpeed speed;
  speed.questions = questions.size();
  for (const std::string& each : questions) Ask(assistant, each, CacheControl::kNoStore);
  std::vector<std::string> kept;
  for (const std::string& each : questions) {
    const int64_t before = parts.cache_counters->bytes;
    Ask(assistant, each, CacheControl::kUse);
    const int64_t bytes = parts.cache_counters->bytes - before;
    if (bytes <= 0) continue;
    kept.push_back(each);
    speed.entry_bytes.push_back(static_cast<size_t>(bytes));
  }
  speed.kept = kept.size();
  std::vector<double> made, again;
  for (int round = 0; round < command.rounds; ++round) {
    for (const std::string& each : kept) {
      made.push_back(Ask(assistant, each, CacheControl::kNoStore).milliseconds);
      const Asked asked = Ask(assistant, each, CacheControl::kUse);
      if (asked.is_hit) again.push_back(asked.milliseconds);
    }
  }
  speed.made = engine::Summarize(std::move(made));
  speed.given_again = engine::Summarize(std::move(again));
  for (const int threads : command.threads) {
    if (kept.empty()) break;
    speed.hits.push_back(MeasureThroughput(assistant, kept, threads, CacheControl::kUse));
    speed.uncached.push_back(MeasureThroughput(assistant, kept, threads, CacheControl::kNoStore));
  }
  return speed;
}

const std::vector<ReplayWorkload> kWorkloads = {
    {.name = "skew 0.7", .skew = 0.7},
    {.name = "skew 0.9", .skew = 0.9},
    {.name = "skew 1.1", .skew = 1.1},
    {.name = "skew 0.9, shifting", .skew = 0.9, .shift_every = 20000},
    {.name = "skew 0.9, 30 % asked once", .skew = 0.9, .once_share = 0.3}};
constexpr double kBudgets[] = {0.02, 0.05, 0.1, 0.25};

struct ReplayRow {
  std::string workload;
  double budget = 0;
  std::vector<ReplayHits> hits;
};

std::vector<ReplayRow> ReplayAll(const std::vector<size_t>& measured, size_t questions,
                                 const BenchCacheCommand& command) {
  ReplayOptions options;
  options.requests = static_cast<size_t>(command.requests);
  options.seed = command.seed;
  for (size_t i = 0; i < questions; ++i) {
    options.entry_bytes.push_back(measured[i % measured.size()]);
  }
  std::vector<ReplayRow> rows;
  for (const ReplayWorkload& workload : kWorkloads) {
    for (const double budget : kBudgets) {
      options.budget_share = budget;
      rows.push_back({workload.name, budget, ReplayPolicies(workload, options)});
    }
  }
  return rows;
}

std::string Table(const CacheSpeed& speed, const std::vector<ReplayRow>& rows) {
  std::string text = fmt::format(
      "{} questions, {} kept, {:.1f} KiB each\n\n{:<24}{:>10}{:>10}{:>10}\n", speed.questions,
      speed.kept,
      [&] {
        double sum = 0;
        for (const size_t bytes : speed.entry_bytes) sum += static_cast<double>(bytes);
        return speed.kept == 0 ? 0 : sum / 1024 / static_cast<double>(speed.kept);
      }(),
      "answers, ms", "number", "p50", "p99");
  for (const auto& [name, of] :
       {std::pair("made", &speed.made), std::pair("given again", &speed.given_again)}) {
    text += fmt::format("{:<24}{:>10}{:>10.3f}{:>10.3f}\n", name, of->count, of->p50, of->p99);
  }
  text += fmt::format("\n{:<24}{:>14}{:>14}\n", "answers a second", "made", "given again");
  for (size_t i = 0; i < speed.hits.size(); ++i) {
    text +=
        fmt::format("{:<24}{:>14.0f}{:>14.0f}\n", fmt::format("{} clients", speed.hits[i].threads),
                    speed.uncached[i].per_second, speed.hits[i].per_second);
  }
  if (rows.empty()) return text;
  text += fmt::format("\n{:<28}{:>8}", "hit rate", "bytes");
  for (const ReplayHits& each : rows.front().hits) text += fmt::format("  {:>22}", each.policy);
  for (const ReplayRow& row : rows) {
    text += fmt::format("\n{:<28}{:>7.0f}%", row.workload, row.budget * 100);
    for (const ReplayHits& each : row.hits) text += fmt::format("  {:>22.4f}", each.hit_rate);
  }
  return text + "\n";
}

std::string Json(const CacheSpeed& speed, const std::vector<ReplayRow>& rows) {
  catalog::JsonWriter out;
  out.BeginObject().Member("questions", static_cast<int64_t>(speed.questions));
  out.Member("kept", static_cast<int64_t>(speed.kept));
  for (const auto& [name, of] :
       {std::pair("made", &speed.made), std::pair("given_again", &speed.given_again)}) {
    out.Key(name).BeginObject().Member("number", static_cast<int64_t>(of->count));
    out.Member("p50_ms", of->p50).Member("p99_ms", of->p99).EndObject();
  }
  out.Key("throughput").BeginArray();
  for (size_t i = 0; i < speed.hits.size(); ++i) {
    out.BeginObject().Member("clients", speed.hits[i].threads);
    out.Member("made_per_second", speed.uncached[i].per_second);
    out.Member("given_again_per_second", speed.hits[i].per_second).EndObject();
  }
  out.EndArray().Key("replays").BeginArray();
  for (const ReplayRow& row : rows) {
    for (const ReplayHits& each : row.hits) {
      out.BeginObject().Member("workload", row.workload).Member("budget_share", row.budget);
      out.Member("policy", each.policy).Member("hit_rate", each.hit_rate);
      out.Member("byte_hit_rate", each.byte_hit_rate).EndObject();
    }
  }
  out.EndArray().EndObject();
  return out.Take() + "\n";
}

/// The non-empty lines of a file.
absl::StatusOr<std::vector<std::string>> ReadQuestions(const std::string& path) {
  auto text = ReadFile(path);
  if (!text.ok()) return text.status();
  std::vector<std::string> lines;
  for (size_t begin = 0; begin < text->size();) {
    const size_t end = std::min(text->find('\n', begin), text->size());
    if (end > begin) lines.push_back(text->substr(begin, end - begin));
    begin = end + 1;
  }
  if (lines.empty()) return absl::InvalidArgumentError(path + ": expected questions, found none");
  return lines;
}

int RunBenchCache(Config config, const BenchCacheCommand& command) {
  SetLogLevel("off");
  auto questions = ReadQuestions(command.queries_file);
  if (!questions.ok()) return Fail(questions.status());
  if (config.answer_cache_megabytes == 0) {
    return Fail(absl::InvalidArgumentError("answer_cache_megabytes: 0: there is no cache"));
  }
  config.answer_cache_megabytes = 1024;  // speed is measured of what is kept
  config.answer_cache_seconds = 86400;
  auto parts = OpenServiceParts(config, /*create_if_missing=*/false);
  if (!parts.ok()) return FailForShop(config, parts.status());
  const size_t all = questions->size();
  const auto asked = std::min<size_t>(all, static_cast<size_t>(command.queries));
  questions->resize(asked);
  const CacheSpeed speed = MeasureCache(**parts, *questions, command);
  std::vector<ReplayRow> rows;
  if (!speed.entry_bytes.empty()) rows = ReplayAll(speed.entry_bytes, all, command);
  const std::string text = command.json ? Json(speed, rows) : Table(speed, rows);
  std::fputs(text.c_str(), stdout);
  return speed.kept == 0 ? 1 : 0;
}

}  // namespace

void AddBenchCacheCommand(Command bench, SettingFlags& settings) {
  const auto options = std::make_shared<BenchCacheCommand>();
  const Command command = bench.AddCommand(
      "cache", "answers given again next to answers made, and hit rates of cache policies");
  settings.AddForData(command);
  settings.AddShop(command);
  settings.Add(command, "model");
  command.Add("--queries-file", options->queries_file, "one question per line").Required();
  command.Add("--queries", options->queries, "questions that are answered").Range(1, 1 << 20);
  command.Add("--rounds", options->rounds, "times that each is made and given again")
      .Range(1, 1000);
  command.Add("--threads", options->threads, "clients at once: 1,4").Delimiter(',').Range(1, 256);
  command.Add("--requests", options->requests, "requests of each replay of all questions")
      .Range(1000, 1 << 28);
  command.Add("--seed", options->seed, "seed of the replays");
  command.AddSwitch("--json", options->json, "print JSON in place of the tables");
  settings.OnRun(command,
                 [options](const Config& config) { return RunBenchCache(config, *options); });
}

}  // namespace emptor::services
