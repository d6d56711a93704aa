// The OpenAI-compatible routes: chat completions, completions, embeddings, models.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "services/api/router.h"
#include "services/assistant/assistant.h"
#include "services/models/model_registry.h"

namespace emptor::services {

/// What the generation routes need; all is borrowed and outlives them.
struct LlmRoutesParts {
  ModelRegistry& models;
  WorkerPool& workers;
  Assistant* assistant = nullptr;  // the model "emptor-assistant"; null: there is none
  std::function<int64_t()> now_unix;
  std::chrono::milliseconds default_timeout{600000};  // of requests that name none
  int max_concurrent = 320;     // requests that run or wait before more are refused; for /info
  std::string shop = {};        // the shop whose routes these are; empty: none
  std::string public_url = {};  // begins the assistant's links; empty: the request's Host header
};

/// POST /v1/chat/completions, /v1/completions, /v1/embeddings; GET /v1/models, /v1/models/{id}.
std::vector<Route> MakeOpenAiRoutes(const LlmRoutesParts& parts);

}  // namespace emptor::services
