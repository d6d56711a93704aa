// Checks, then one row a file.
#include "services/cli/ingest_documents.h"

#include <fmt/format.h>

#include <map>

#include "catalog/documents/document_reader.h"
#include "catalog/documents/pdf_process.h"
#include "catalog/product_json.h"

namespace emptor::services {
namespace {

std::string OptionOf(const IngestCommand& command, std::string_view wanted) {
  std::string last;
  for (const auto& [name, value] : command.options) {
    if (name == wanted) last = value;
  }
  return last;
}

}  // namespace

absl::StatusOr<std::string> DocumentRow(const IngestCommand& command, const std::string& file,
                                        std::string_view bytes) {
  const auto format = catalog::DetectDocumentFormat(bytes, file);
  if (!format) {
    return absl::InvalidArgumentError(file + ": expected .html, .md, .txt or .pdf as a document");
  }
  catalog::DocumentOptions options{.name = file, .format = *format};
  if (!command.kind.empty()) options.kind = command.kind;
  options.product_id = command.product;
  options.locale = OptionOf(command, "locale");
  options.read_pdf = [](std::string_view pdf) { return catalog::ReadPdfInChild(pdf); };
  const auto document = catalog::ReadDocument(bytes, options);
  if (!document.ok()) return document.status();
  return catalog::ToJson(*document) + "\n";
}

absl::Status CheckDocumentCommand(const IngestCommand& command) {
  if (command.documents.empty()) {
    const bool is_stray = !command.kind.empty() || !command.product.empty();
    if (!is_stray) return absl::OkStatus();
    return absl::InvalidArgumentError("--kind and --product: expected --documents with them");
  }
  if (!command.files.empty() || !command.retry.empty()) {
    return absl::InvalidArgumentError("--documents: expected no feed and no --retry with it");
  }
  if (OptionOf(command, "mode") == "replace") {
    return absl::InvalidArgumentError("--mode replace: documents replace no catalog");
  }
  for (const char* name : {"format", "columns", "currency"}) {
    if (OptionOf(command, name).empty()) continue;
    return absl::InvalidArgumentError(fmt::format("--{}: has no meaning for documents", name));
  }
  std::map<std::string, std::string> files;  // by id
  for (const std::string& file : command.documents) {
    const std::string id = catalog::DocumentIdOf(file);
    const auto [other, is_new] = files.emplace(id, file);
    if (is_new) continue;
    return absl::InvalidArgumentError(
        fmt::format("{}: gives the id \"{}\", as {} does", file, id, other->second));
  }
  return absl::OkStatus();
}

}  // namespace emptor::services
