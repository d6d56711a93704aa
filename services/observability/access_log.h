// The access log: one JSON line per request on standard error.
#pragma once

#include <string>
#include <string_view>

#include "services/http/http_server.h"

namespace emptor::services {

/// Opens the log; for HttpServerOptions::on_answered. A thread writes the lines, so that a request
/// never waits: when the reader of standard error falls behind, the oldest lines are dropped, and a
/// line at the end says how many. Thread-safety: any thread. Everything is written when the last
/// copy of the observer is gone.
AccessObserver MakeAccessLog();

/// {"ts":"...","level":"info","event":"request","method":"POST","path":"/v1/assist","status":200,
///  "bytes":5120,"seconds":0.42,"request_id":"...","peer":"127.0.0.1","shop":"tools",
///  "user_agent":"curl/7.88","stream":true,"end":"finished"}
/// "trace_id" follows "peer" where the request has a header traceparent (W3C Trace Context).
/// `shop` and `user_agent` are left out where the request has none, `stream` where it is false.
/// `end`: finished, peer_gone, overflow, stalled or shutdown. Bytes of the path that are not
/// printable ASCII are percent-encoded; ids of conversations and answers are left out.
std::string FormatAccessLine(std::string_view timestamp, const AccessRecord& record);

}  // namespace emptor::services
