// What was written to the generation that is served while the next one is built.
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

/// Names only: what the records say is read from the store when they are carried over.
/// Thread-safety: one thread at a time.
class WrittenRecords {
 public:
  /// Takes the records that the batch names: an import that finds a record as its row wants it
  /// promises that record as much as one that writes it.
  void Add(const catalog::ImportBatch& batch);
  void AddMetadata(std::string name) { AddName(std::move(name), metadata_); }

  /// Products, each with the fields that were set; without any, the whole record was.
  const std::map<std::string, std::set<std::string>, std::less<>>& products() const {
    return products_;
  }
  const std::set<std::string>& documents() const { return documents_; }
  const std::set<std::string>& metadata() const { return metadata_; }
  /// True when an import has replaced all products.
  bool is_replacement() const { return is_replacement_; }
  size_t size() const { return products_.size() + documents_.size() + metadata_.size(); }
  /// In memory, near enough for a budget.
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
