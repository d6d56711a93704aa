// The settings of a language model behind an endpoint.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace emptor::services {

/// The members of the map `generator` other than the URL. services/app/settings.cc describes each.
struct GeneratorSettings {
  std::string api = "auto";  // "openai", "anthropic", or as the URL says
  std::string model;
  std::string key_env, key_file;
  std::string ca_file;  // empty: the system's certificates
  int timeout_ms = 30000;
  int first_token_ms = 10000;
  int stall_ms = 5000;
  int attempts = 2;
  std::string prompt = "examples";     // "instructions", "references"
  std::vector<std::string> languages;  // empty: all
};

/// True for the URL of an endpoint.
inline bool IsGeneratorUrl(std::string_view text) {
  return text.starts_with("http://") || text.starts_with("https://");
}

}  // namespace emptor::services
