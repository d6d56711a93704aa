// Which records were written to the served generation while the next one is built: the delta.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "catalog/import/importer.h"

namespace emptor::services {

/// Names only: the records are read from the store when the delta is replayed.
/// Thread-safety: one thread at a time.
class WrittenRecords {
 public:
  /// Adds the records that the batch names, unchanged ones included: an import that acknowledges a
  /// record as unchanged promises it as well.
  void Add(const catalog::ImportBatch& batch);
  void AddMetadata(std::string name) { AddName(std::move(name), metadata_); }

  /// Products, each with the fields that were set; none: the whole record was.
  const std::map<std::string, std::set<std::string>, std::less<>>& products() const {
    return products_;
  }
  const std::set<std::string>& documents() const { return documents_; }
  const std::set<std::string>& metadata() const { return metadata_; }
  /// True when an import has replaced all products.
  bool is_replacement() const { return is_replacement_; }
  size_t size() const { return products_.size() + documents_.size() + metadata_.size(); }
  /// Approximate, for a budget of memory.
  size_t bytes() const { return bytes_; }

 private:
  void AddProduct(const std::string& id, const std::set<std::string>& fields);
  void AddName(std::string name, std::set<std::string>& names);

  std::map<std::string, std::set<std::string>, std::less<>> products_;
  std::set<std::string> documents_, metadata_;
  bool is_replacement_ = false;
  size_t bytes_ = 0;
};

/// Copies the files of the jobs that `names` holds from one directory of jobs to another, durably.
/// Errors: kUnavailable, kResourceExhausted.
absl::Status CopyJobFiles(const std::string& from, const std::string& to,
                          const std::set<std::string>& names);

}  // namespace emptor::services
