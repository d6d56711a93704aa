// Requests that are answered by workers, not on the threads of HTTP.
#pragma once

#include <functional>
#include <memory>

#include "services/http/exchange.h"
#include "services/workers/worker_pool.h"

namespace emptor::services {

/// Hands the work of a request to the workers; with a full queue the exchange is answered so.
void SubmitOrRefuse(WorkerPool& workers, const std::shared_ptr<Exchange>& exchange,
                    std::function<void()> task);

}  // namespace emptor::services
