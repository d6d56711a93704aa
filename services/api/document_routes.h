// The route that takes a file as a document.
#pragma once

#include <functional>
#include <vector>

#include "catalog/documents/document_reader.h"
#include "services/api/router.h"
#include "services/shop/shop_writer.h"
#include "services/workers/worker_pool.h"

namespace emptor::services {

/// All are borrowed and outlive the routes.
struct DocumentRoutesParts {
  ShopWriter& shop;
  WorkerPool& imports;  // a PDF takes its time
  std::function<absl::StatusOr<catalog::PdfPages>(std::string_view)> read_pdf;
};

/// POST /v1/catalog/documents?name=manual.pdf with the file as its body: docs/documents.md.
std::vector<Route> MakeDocumentRoutes(const DocumentRoutesParts& parts);

}  // namespace emptor::services
