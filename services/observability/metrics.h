// The metrics of the service in Prometheus' text format. Names follow OpenTelemetry's GenAI
// conventions where these have one; ours begin with emptor_. No label holds a tenant's text, a
// query or an id.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "services/assistant/assistant.h"
#include "services/ingest/job.h"

namespace emptor::services {

/// A value that another part keeps; it is read on each request for metrics.
struct Sample {
  std::string name, help;
  bool is_counter = false;  // grows only
  double value = 0;
  std::vector<std::pair<std::string, std::string>> labels = {};
};

/// Thread-safety: every method from any thread.
class Metrics {
 public:
  /// `sampler` is called for each /metrics; may be empty.
  explicit Metrics(std::function<std::vector<Sample>()> sampler);
  ~Metrics();
  Metrics(const Metrics&) = delete;
  Metrics& operator=(const Metrics&) = delete;

  /// `route` is the pattern of the route, never the path.
  void CountRequest(const std::string& route, int status, double seconds);
  void CountAnswer(const AnswerRecord& answer);
  void ObserveSearch(double seconds);
  /// `decision`: "hit", "unsure", "none"; `broken`: answers left out as a reference was gone.
  void ObserveFaqLookup(std::string_view decision, size_t broken, double seconds);
  /// `event`: "view", ...; `by`: who wrote the answer that showed the product, or "none".
  void CountShopperEvent(std::string_view event, std::string_view by);
  /// `rating`: "up", "down".
  void CountRating(std::string_view rating);
  /// `tool`: a name of tools/list, or "other".
  void CountMcpCall(std::string_view tool, bool is_error);
  /// A run of a job that began with the sums `before`.
  void CountJob(const Job& job, const catalog::ImportReport& before);

  std::string Text() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace emptor::services
