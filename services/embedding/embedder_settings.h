// How the shops' embedder is chosen: plain settings.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace emptor::services {

/// Beside the path or URL that names the embedder.
struct EmbedderSettings {
  /// In front of queries and passages, as E5 ("query: ", "passage: ") and BGE want it; nothing:
  /// what the model's directory says, or none.
  std::optional<std::string> query_prefix, passage_prefix;

  // Of an encoder in this process.
  int threads = 0;      // of a BERT; 0: one per core
  std::string weights;  // element type of a BERT's matrices: f32, bf16, q8_0; empty: as in the file

  // Of an endpoint.
  std::string model;             // its name there
  int dimension = 0;             // 0: asked for at the start, which needs the endpoint then
  bool send_dimension = false;   // ask for vectors of that length, where a model can shorten them
  bool send_input_type = false;  // tell queries from passages by "input_type"
  bool base64 = false;           // numbers as bytes
  std::string key_env;           // the variable of the environment that holds the API key
  std::string key_file;          // or the file that does
  int batch = 64;                // texts of one request
  int attempts = 5;              // for passages; a query is asked once
  int timeout_ms = 30000;        // of a request for passages
  int query_timeout_ms = 1500;   // of one for a query: then the search goes by words alone

  /// When a shop's vectors are another embedder's: embed its records anew instead of refusing.
  bool embed_when_changed = false;
};

/// True for what names an endpoint and not a file.
inline bool IsEmbedderUrl(std::string_view path) {
  return path.starts_with("http://") || path.starts_with("https://");
}

}  // namespace emptor::services
