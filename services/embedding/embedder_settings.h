// The settings of the shops' embedder.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace emptor::services {

/// The members of the map `embedder` other than the path or URL. services/app/settings.cc describes
/// each.
struct EmbedderSettings {
  std::optional<std::string> query_prefix, passage_prefix;

  // Of an encoder in this process.
  int threads = 0;
  std::string weights;  // empty: as TextEncoderOptions::weight_type

  // Of an endpoint.
  std::string model;
  int dimension = 0;  // 0: requested at the start, which needs the endpoint
  bool send_dimension = false;
  bool send_input_type = false;
  bool base64 = false;  // the setting `encoding`
  std::string key_env, key_file;
  int batch = 64;
  int attempts = 5;
  int timeout_ms = 30000;
  int query_timeout_ms = 1500;

  bool embed_when_changed = false;  // the setting `when_changed`
};

/// True for the URL of an endpoint, false for a path.
inline bool IsEmbedderUrl(std::string_view path) {
  return path.starts_with("http://") || path.starts_with("https://");
}

}  // namespace emptor::services
