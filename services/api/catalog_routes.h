// Routes that change a catalog: imports, jobs, single products.
#pragma once

#include <functional>
#include <vector>

#include "services/api/router.h"
#include "services/ingest/jobs.h"
#include "services/shop/shop_writer.h"
#include "services/workers/worker_pool.h"

namespace emptor::services {

/// All are borrowed and outlive the routes.
struct CatalogRoutesParts {
  ShopWriter& shop;
  Jobs& jobs;
  WorkerPool& changes;  // of single products, and what asks about jobs
  WorkerPool& imports;  // one thread: feeds, one after the other
};

/// POST /v1/catalog/import, POST and GET /v1/jobs, GET and DELETE /v1/jobs/{id}, GET
/// /v1/jobs/{id}/results and /v1/jobs/{id}/dead_letters, PUT, PATCH and DELETE
/// /v1/catalog/products/{id}.
std::vector<Route> MakeCatalogRoutes(const CatalogRoutesParts& parts);

/// Queues the jobs that were running when the last process ended.
void ResumeJobs(Jobs& jobs, WorkerPool& imports);

}  // namespace emptor::services
