// An embedder behind an OpenAI-compatible endpoint: POST {url}/v1/embeddings.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "retrieval/embedding/embedder.h"
#include "services/client/retry_policy.h"
#include "services/embedding/embedder_settings.h"

namespace emptor::services {

struct RemoteEmbedderOptions {
  std::string url;  // "https://host", ".../v1" or ".../v1/embeddings"
  std::string api_key;
  EmbedderSettings settings;
  RetryOptions retries;  // `attempts` is that of the settings
  // Null: the system's.
  std::function<std::chrono::steady_clock::time_point()> now;
  std::function<void(std::chrono::milliseconds)> sleep;
  std::function<double()> random;  // in [0, 1)
};

/// Passages go in batches, and again after a while where that may help. A query is asked once, with
/// a short deadline; while the endpoint fails, queries fail at once but for one now and then that
/// tries whether it is back. The key leaves in a header to that host and is in no message or log.
/// Thread-safety: any thread. Calls do not wait for each other.
class RemoteEmbedder final : public retrieval::Embedder {
 public:
  struct Counts {
    uint64_t requests = 0, failures = 0, retries = 0;
    uint64_t texts = 0;
    uint64_t queries_refused = 0;  // not asked, because the endpoint failed just before
    double seconds = 0;            // that requests took
  };

  /// Asks for the dimension when the settings do not say it. Errors: kInvalidArgument (URL, model),
  /// those of EmbedInto.
  static absl::StatusOr<std::unique_ptr<RemoteEmbedder>> Open(RemoteEmbedderOptions options);
  ~RemoteEmbedder() override;

  int dimension() const override;
  const std::string& model_id() const override;
  bool is_slow() const override { return true; }
  /// Errors, all beginning with "embedder: " and the URL: kUnavailable (no connection, 429, 5xx,
  /// also after the last attempt), kPermissionDenied (401, 403), kNotFound, kInvalidArgument
  /// (another 4xx), kDataLoss (a reply that is not what was asked for). Nothing is written then.
  absl::Status EmbedInto(std::span<const std::string> texts, std::span<float> out) const override;
  absl::Status EmbedQueryInto(const std::string& query, std::span<float> out) const override;

  Counts counts() const;

 private:
  struct Impl;
  explicit RemoteEmbedder(std::unique_ptr<Impl> impl);
  const std::unique_ptr<Impl> impl_;
};

}  // namespace emptor::services
