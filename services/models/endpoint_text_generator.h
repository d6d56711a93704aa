// The text generator behind an OpenAI-compatible or an Anthropic-style endpoint.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "services/models/generator_settings.h"
#include "services/models/text_generator.h"

namespace emptor::services {

struct EndpointOptions {
  std::string url;  // as ParseChatUrl takes it
  std::string api_key;
  GeneratorSettings settings;
  std::function<double()> random;  // in [0, 1); null: the system's
};

/// Sends a request again, after a while, where that may help and no text has come yet; a pause that
/// the server asks for is kept if it ends in time. While the endpoint fails, requests end at once
/// with an error but for one now and then that finds out whether it is back. The key leaves in a
/// header to that host and is in no message or log.
/// Thread-safety: any thread. Callbacks come on a thread of its own. The destructor stops.
class EndpointTextGenerator final : public TextGenerator {
 public:
  struct Counts {
    uint64_t requests = 0, failures = 0, retries = 0;  // HTTP requests
    uint64_t refused =
        0;  // generations that were not sent, because the endpoint failed just before
    uint64_t cancelled = 0;  // generations
  };
  struct State {
    std::string url, api, model;
    bool available = true;   // false: it has failed, and is asked now and then
    std::string last_error;  // empty: none so far
    Counts counts;
  };

  /// Asks the endpoint nothing: a service starts while it is away. Errors: kInvalidArgument.
  static absl::StatusOr<std::unique_ptr<EndpointTextGenerator>> Open(EndpointOptions options);
  ~EndpointTextGenerator() override;

  std::string model_name() const override;
  engine::ModelCapabilities capabilities() const override;
  PromptStyle prompt_style() const override;
  /// The ends of on_end: kUnavailable (no connection, 408, 429, 5xx, also after the last attempt; a
  /// limit of the settings), kDeadlineExceeded (the request's), kPermissionDenied (401, 403),
  /// kNotFound, kInvalidArgument (another 4xx), kFailedPrecondition (certificate), kDataLoss (an
  /// answer that is none).
  absl::StatusOr<std::unique_ptr<Generation>> Generate(GeneratorRequest request,
                                                       GeneratorCallbacks callbacks) override;

  State state() const;
  /// Cancels the generations that run and waits for their ends; Generate then answers kUnavailable.
  /// For owners whose worker threads take the ends. Idempotent.
  void Stop();

 private:
  struct Impl;
  explicit EndpointTextGenerator(std::unique_ptr<Impl> impl);
  const std::unique_ptr<Impl> impl_;
};

}  // namespace emptor::services
