// The API key of an endpoint, from the place that the settings name.
#pragma once

#include <string>
#include <string_view>

#include "absl/status/statusor.h"

namespace emptor::services {

/// The value of the environment variable, else the content of the file, without blanks and line
/// ends behind it. Both names empty: no key. Errors begin with `owner` ("embedder") and never hold
/// the key: kNotFound (nothing there), kInvalidArgument (not one line of printable characters).
absl::StatusOr<std::string> ReadApiKey(const std::string& owner, const std::string& key_env,
                                       const std::string& key_file);

/// `text` with "***" for every occurrence of the key, also as a string of JSON with any of its
/// characters escaped: some servers repeat the key that they refuse.
std::string WithoutKey(std::string_view text, std::string_view key);

}  // namespace emptor::services
