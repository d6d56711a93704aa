// The text generator on an engine server, over gRPC.
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "services/models/text_generator.h"

namespace emptor::services {

/// Thread-safety: any thread. Callbacks come on gRPC's threads; what the server refuses (queue
/// full, no model), and a server that cannot be reached, are reported by on_end. A server that
/// restarts is found again by the next request. The destructor stops.
class GrpcTextGenerator final : public TextGenerator {
 public:
  /// Asks the server at `address` ("127.0.0.1:8090") for its models. `model` empty: the one that is
  /// active there now. Waits for a model that is loading. Errors: kUnavailable, kNotFound.
  static absl::StatusOr<std::unique_ptr<GrpcTextGenerator>> Connect(
      const std::string& address, const std::string& model, std::chrono::milliseconds timeout);
  ~GrpcTextGenerator() override;

  std::string model_name() const override;                  // the name in the model's file
  engine::ModelCapabilities capabilities() const override;  // as the server states them
  absl::StatusOr<std::unique_ptr<Generation>> Generate(GeneratorRequest request,
                                                       GeneratorCallbacks callbacks) override;

  /// Cancels the generations that run and waits for their ends; Generate then answers kUnavailable.
  /// For owners whose worker threads take the ends. Idempotent.
  void Stop();

 private:
  struct Impl;
  explicit GrpcTextGenerator(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace emptor::services
