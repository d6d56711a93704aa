// What a replica says went wrong, in the forms that servers of the OpenAI API use.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "catalog/encoding/json.h"

namespace emptor::services {

struct ReplicaError {
  int status = 0;            // the HTTP status that the error names itself; 0: none
  std::string message = {};  // one line of text, cut, without the replica's key; empty: none
  std::string code = {};     // a word, such as "context_length_exceeded"
  bool is_complete = false;  // has all of {"error":{"message","type","code"}}
};

/// Reads {"error":{...}}, {"error":"text"}, {"object":"error",...} (vLLM) and {"detail":...}
/// (FastAPI). Nothing: the object is no error. A mistake of the client without a number has status
/// 400. `key` is the replica's.
std::optional<ReplicaError> FindReplicaError(const catalog::JsonValue& object,
                                             std::string_view key = {});

/// The same of a body that came with an error's status. Text that is neither JSON nor a page is the
/// message.
ReplicaError ReadReplicaError(std::string_view body, std::string_view key = {});

/// Whether such an answer is about the request, so that any other replica would refuse it too. Not
/// so 401, 403 and 407, which are about the gateway's key, and 408 and 429, about the moment.
bool IsClientsMistake(int http_status);

}  // namespace emptor::services
