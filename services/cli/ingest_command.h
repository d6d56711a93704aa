// What was typed after `emptor ingest`.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace emptor::services {

struct IngestCommand {
  std::vector<std::string> files;
  std::string to;     // URL of a service; empty: the one that holds the data directory, if any
  std::string retry;  // a file of dead letters; empty: none
  std::vector<std::string> documents;  // files to read as documents, instead of feeds
  std::string kind, product;           // of those documents; empty: a guide, of no product
  /// mode, format, columns, currency, locale, screen, shrink_limit, dedupe, as SetJobOption reads
  /// them.
  std::vector<std::pair<std::string, std::string>> options;
  bool dry_run = false;
  bool resume = false;
};

}  // namespace emptor::services
