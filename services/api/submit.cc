// The refusal of a full queue.
#include "services/api/submit.h"

#include <utility>

#include "services/api/api_errors.h"

namespace emptor::services {

void SubmitOrRefuse(WorkerPool& workers, const std::shared_ptr<Exchange>& exchange,
                    std::function<void()> task) {
  if (workers.TrySubmit(std::move(task))) return;
  const absl::Status full = absl::ResourceExhaustedError("the queue is full");
  exchange->Respond(MakeErrorResponse(full, exchange->request().id));
}

}  // namespace emptor::services
