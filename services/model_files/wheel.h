// Files out of a Python wheel, which is a zip archive.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"

namespace emptor::services {

/// Writes the archive's file `entry` to `path`, and gives its SHA-256 in lower-case hexadecimal.
/// Archives are untrusted: offsets and sizes are checked, and no more than `bytes` are written.
/// Cost: one pass, a piece at a time. Errors: kNotFound (no such entry), kDataLoss (not a zip
/// archive, cut short, damaged, or an entry of another size than `bytes`), kUnimplemented
/// (encrypted, another compression than deflate, an archive of 4 GB), kUnavailable (reading or
/// writing fails).
absl::StatusOr<std::string> ExtractFromWheel(const std::string& wheel, std::string_view entry,
                                             uint64_t bytes, const std::string& path);

/// SHA-256 of a file, in lower-case hexadecimal. Errors: kUnavailable.
absl::StatusOr<std::string> FileSha256(const std::string& path);

}  // namespace emptor::services
