// Bodies of multipart/form-data (RFC 7578), as `curl -F` and browsers send them.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace emptor::services {

struct FormPart {
  std::string name;
  std::string_view content;
};

inline constexpr size_t kMaxFormParts = 64;
inline constexpr size_t kMaxPartHeadBytes = 4096;

/// True for the Content-Type of a form.
bool IsMultipartForm(std::string_view content_type);

/// The parts in order; their contents are views of the body. Strict: no text before the first
/// boundary or after the last one, no part with a transfer encoding. The type and the file name of
/// a part are ignored. Cost: linear in the body. Errors: kInvalidArgument, `form: what is wrong`.
absl::StatusOr<std::vector<FormPart>> ParseMultipartForm(std::string_view content_type,
                                                         std::string_view body);

struct MultipartForm {
  std::string content_type;
  std::string body;
};
/// REQUIRES: names are letters, digits and "_".
MultipartForm WriteMultipartForm(std::span<const FormPart> parts);

}  // namespace emptor::services
