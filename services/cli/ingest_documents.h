// Files as rows of documents, for `emptor ingest --documents`.
#pragma once

#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "services/cli/ingest_command.h"

namespace emptor::services {

/// One line of JSON (docs/formats/catalog_jsonl.md) from the bytes of a file, kind and product as
/// the command says, locale as its option. Errors: kInvalidArgument, names the file.
absl::StatusOr<std::string> DocumentRow(const IngestCommand& command, const std::string& file,
                                        std::string_view bytes);

/// Refuses what makes no sense for documents: feeds with them, two files of one id, replacing the
/// catalog, a format. Errors: kInvalidArgument.
absl::Status CheckDocumentCommand(const IngestCommand& command);

}  // namespace emptor::services
