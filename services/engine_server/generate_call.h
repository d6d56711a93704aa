// One Generate call: the engine's callbacks on one side, gRPC's on the other.
#pragma once

#include <functional>
#include <memory>

#include "absl/status/status.h"
#include "services/llm_api/llm_job.h"
#include "services/models/model_registry.h"

namespace grpc {
template <class Response>
class ServerWriteReactor;
class CallbackServerContext;
}  // namespace grpc
namespace emptor::engine::v1 {
class GenerateEvent;
class GenerateRequest;
}  // namespace emptor::engine::v1

namespace emptor::services {

/// Begins the generation and gives the reactor that reports it; the reactor owns itself.
grpc::ServerWriteReactor<engine::v1::GenerateEvent>* StartGenerateCall(
    const grpc::CallbackServerContext& context, const engine::v1::GenerateRequest& request,
    ModelRegistry& models);

/// The request in the engine's words. Errors: kInvalidArgument.
absl::StatusOr<engine::GenerationRequest> FromProto(const engine::v1::GenerateRequest& request);

}  // namespace emptor::services
