// Load on a running service: N clients ask the questions of a file in a closed loop.
// serve_load assist|search PORT CLIENTS REQUESTS QUESTIONS.jsonl
// Prints one JSON line with the percentiles.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "catalog/encoding/json.h"
#include "tests/support/sse_client.h"

namespace {

using Clock = std::chrono::steady_clock;
using emptor::testing::SseEvent;

double MillisecondsSince(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

struct Sample {
  double products_ms = 0, first_token_ms = 0, total_ms = 0;
  int completion_tokens = 0;
};

/// Shared by the client threads. All members are guarded by mutex, but for the counters.
struct Load {
  bool search = false;
  int port = 0, requests = 0;
  std::vector<std::string> questions;
  std::atomic<int> next{0}, failed{0};
  std::mutex mutex;
  std::vector<Sample> samples;
};

/// Reads "completion_tokens":N out of the `done` event.
int CompletionTokens(const std::string& done) {
  const size_t at = done.find("\"completion_tokens\":");
  return at == std::string::npos ? 0 : std::atoi(done.c_str() + at + 20);
}

std::string RequestBody(const Load& load, int i) {
  const std::string& question = load.questions[static_cast<size_t>(i) % load.questions.size()];
  emptor::catalog::JsonWriter body;
  body.BeginObject().Member(load.search ? "query" : "message", question).EndObject();
  return body.Take();
}

/// One exchange; nothing when it failed.
std::optional<Sample> Ask(const Load& load, int i) {
  Sample sample;
  bool done = load.search;
  const auto start = Clock::now();
  const auto reply =
      emptor::testing::Fetch(load.port, "POST", load.search ? "/v1/search" : "/v1/assist",
                             RequestBody(load, i), [&](const SseEvent& event) {
                               if (event.name == "products")
                                 sample.products_ms = MillisecondsSince(start);
                               if (event.name == "delta" && sample.first_token_ms == 0) {
                                 sample.first_token_ms = MillisecondsSince(start);
                               }
                               if (event.name == "done") {
                                 done = true;
                                 sample.completion_tokens = CompletionTokens(event.data);
                               }
                               return true;
                             });
  sample.total_ms = MillisecondsSince(start);
  if (!done || reply.status != 200) return std::nullopt;
  return sample;
}

void RunClient(Load& load) {
  for (int i; (i = load.next++) < load.requests;) {
    const std::optional<Sample> sample = Ask(load, i);
    if (!sample) {
      ++load.failed;
      continue;
    }
    std::lock_guard lock(load.mutex);
    load.samples.push_back(*sample);
  }
}

double Percentile(std::vector<double> values, double q) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  return values[std::min(values.size() - 1, static_cast<size_t>(q * values.size()))];
}

void Report(const Load& load, int clients, double seconds) {
  std::vector<double> first, total, products;
  long tokens = 0;
  for (const Sample& sample : load.samples) {
    if (sample.first_token_ms > 0) first.push_back(sample.first_token_ms);
    products.push_back(sample.products_ms);
    total.push_back(sample.total_ms);
    tokens += sample.completion_tokens;
  }
  std::printf(
      "{\"clients\":%d,\"answers\":%zu,\"failed\":%d,\"seconds\":%.2f,\"answers_per_s\":%.1f,"
      "\"tokens_per_s\":%.1f,\"products_p50_ms\":%.1f,\"ttft_p50_ms\":%.1f,\"ttft_p99_ms\":%.1f,"
      "\"total_p50_ms\":%.1f,\"total_p99_ms\":%.1f}\n",
      clients, total.size(), load.failed.load(), seconds,
      static_cast<double>(total.size()) / seconds, static_cast<double>(tokens) / seconds,
      Percentile(products, .5), Percentile(first, .5), Percentile(first, .99),
      Percentile(total, .5), Percentile(total, .99));
}

bool ReadQuestions(const char* path, std::vector<std::string>& questions) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    const auto json = emptor::catalog::ParseJson(line);
    if (json.ok() && json->Find("question") != nullptr) {
      questions.push_back(json->Find("question")->as_string());
    }
  }
  return !questions.empty();
}

}  // namespace

int main(int argc, char** argv) {
  Load load;
  if (argc != 6 || !ReadQuestions(argv[5], load.questions)) {
    std::fprintf(stderr, "usage: serve_load assist|search PORT CLIENTS REQUESTS QUESTIONS.jsonl\n");
    return 2;
  }
  load.search = std::string(argv[1]) == "search";
  load.port = std::atoi(argv[2]);
  const int clients = std::atoi(argv[3]);
  load.requests = std::atoi(argv[4]);
  const auto start = Clock::now();
  std::vector<std::thread> threads;
  for (int i = 0; i < clients; ++i) threads.emplace_back([&load] { RunClient(load); });
  for (std::thread& thread : threads) thread.join();
  Report(load, clients, MillisecondsSince(start) / 1000);
  return load.failed == 0 ? 0 : 1;
}
