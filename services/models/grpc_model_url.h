// The setting `model` for a model that runs in another process: grpc://HOST:PORT or
// grpc://HOST:PORT/NAME.
#pragma once

#include <string>
#include <string_view>

#include "absl/status/statusor.h"

namespace emptor::services {

struct GrpcModelUrl {
  std::string address;  // "127.0.0.1:8090", as gRPC takes it
  std::string model;    // empty: the model that is active there
};

/// True for a text that begins with "grpc://".
bool IsGrpcModelUrl(std::string_view text);

/// Errors: kInvalidArgument. Messages begin with "model: ".
absl::StatusOr<GrpcModelUrl> ParseGrpcModelUrl(std::string_view text);

}  // namespace emptor::services
