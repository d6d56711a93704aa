// Batches, attempts and the pause after failures; HTTP and JSON are elsewhere.
#include "services/embedding/remote_embedder.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <mutex>
#include <random>
#include <thread>
#include <utility>
#include <vector>

#include "services/client/api_key.h"
#include "services/client/circuit_breaker.h"
#include "services/client/http_client.h"
#include "services/embedding/embedding_codec.h"

namespace emptor::services {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr int kMaxDimension = 1 << 16;
constexpr milliseconds kConnectTimeout{5000};
constexpr std::string_view kProbe = "dimension";

bool IsBlank(const std::string& text) {
  return text.find_first_not_of(" \t\r\n") == std::string::npos;
}

/// The whole URL of the route. Errors: kInvalidArgument.
absl::StatusOr<std::string> RouteOf(std::string url) {
  const bool is_plain = IsEmbedderUrl(url) && url.size() < 1024 &&
                        std::all_of(url.begin(), url.end(), [](unsigned char c) {
                          return c > 0x20 && c < 0x7f && c != '@' && c != '?' && c != '#';
                        });
  const size_t host = url.find("://") + 3;
  while (is_plain && url.size() > host && url.ends_with('/')) url.pop_back();
  if (!is_plain || url.size() <= host || url[host] == '/') {
    return absl::InvalidArgumentError(
        "embedder: url: expected http://host or https://host, with a path or without, found \"" +
        (url.find('@') == std::string::npos ? url.substr(0, 100) : "one that holds a name") + "\"");
  }
  if (url.ends_with("/embeddings")) return url;
  return url + (url.find('/', host) == std::string::npos ? "/v1/embeddings" : "/embeddings");
}

/// A generator per thread.
double SystemRandom() {
  thread_local std::minstd_rand engine{std::random_device()()};
  return std::uniform_real_distribution<double>(0, 1)(engine);
}

absl::StatusCode CodeOf(int http_status) {
  if (IsWorthRetrying(http_status)) return absl::StatusCode::kUnavailable;
  if (http_status == 401 || http_status == 403) return absl::StatusCode::kPermissionDenied;
  if (http_status == 404) return absl::StatusCode::kNotFound;
  return absl::StatusCode::kInvalidArgument;
}

}  // namespace

struct RemoteEmbedder::Impl {
  RemoteEmbedderOptions options;
  std::string route;
  std::string id;
  int dimension = 0;
  mutable HttpClient http;

  mutable CircuitBreaker breaker;  // of queries

  mutable std::mutex mutex;
  mutable Counts counts;  // guarded by mutex

  struct Answer {
    absl::Status status;
    bool may_pass = false;  // by waiting
    milliseconds asked{0};  // how long to wait
    std::string body;
  };
  /// One request.
  Answer Ask(std::span<const std::string> texts, std::string_view kind, milliseconds timeout) const;
  absl::Status EmbedBatch(std::span<const std::string> texts, std::span<float> out) const;
  absl::Status Probe();
  absl::Status BeginQuery() const;
  void EndQuery(const absl::Status& status) const;
};

RemoteEmbedder::Impl::Answer RemoteEmbedder::Impl::Ask(std::span<const std::string> texts,
                                                       std::string_view kind,
                                                       milliseconds timeout) const {
  const EmbedderSettings& settings = options.settings;
  EmbeddingCall call{.model = settings.model, .texts = texts, .base64 = settings.base64};
  if (settings.send_dimension) call.dimensions = settings.dimension;
  if (settings.send_input_type) call.input_type = kind;
  const std::string body = EmbeddingCallJson(call);
  HttpCall request{.method = "POST", .url = route};
  request.headers = {"Content-Type: application/json"};
  if (!options.api_key.empty()) {
    request.headers.push_back("Authorization: Bearer " + options.api_key);
  }
  request.body = body;
  request.connect_timeout = std::min(kConnectTimeout, timeout);
  request.timeout = timeout;
  request.max_reply_bytes =
      MaxEmbeddingReplyBytes(texts.size(), dimension > 0 ? dimension : kMaxDimension);
  const auto begun = steady_clock::now();
  auto reply = http.Send(request);
  Answer answer;
  if (!reply.ok()) {
    answer.may_pass = absl::IsUnavailable(reply.status());
    answer.status =
        absl::Status(reply.status().code(), "embedder: " + std::string(reply.status().message()));
  } else if (reply->status != 200) {
    const std::string why = WithoutKey(ReadEmbeddingError(reply->body), options.api_key);
    answer.may_pass = IsWorthRetrying(reply->status);
    answer.asked = reply->retry_after;
    answer.status = absl::Status(CodeOf(reply->status),
                                 fmt::format("embedder: {}: HTTP {}{}{}", route, reply->status,
                                             why.empty() ? "" : ": ", why));
  } else {
    answer.body = std::move(reply->body);
  }
  const std::lock_guard lock(mutex);
  ++counts.requests;
  counts.texts += texts.size();
  counts.failures += !answer.status.ok();
  counts.seconds += std::chrono::duration<double>(steady_clock::now() - begun).count();
  return answer;
}

/// Sends the request until it succeeds or retrying is useless. REQUIRES: no text is blank.
absl::Status RemoteEmbedder::Impl::EmbedBatch(std::span<const std::string> texts,
                                              std::span<float> out) const {
  RetryOptions retries = options.retries;
  retries.attempts = options.settings.attempts;
  for (int made = 1;; ++made) {
    const Answer answer = Ask(texts, "passage", milliseconds(options.settings.timeout_ms));
    if (answer.status.ok()) {
      const absl::Status read = ReadEmbeddingReply(answer.body, texts.size(), dimension, out);
      if (read.ok()) return read;
      return absl::DataLossError(
          fmt::format("embedder: {}: {}", route, std::string(read.message())));
    }
    const auto wait =
        answer.may_pass ? PlanRetry(retries, made, answer.asked, options.random()) : std::nullopt;
    if (!wait) return answer.status;
    {
      const std::lock_guard lock(mutex);
      ++counts.retries;
    }
    options.sleep(*wait);
  }
}

/// Returns the dimension of the endpoint's vectors.
absl::Status RemoteEmbedder::Impl::Probe() {
  const std::string text(kProbe);
  const Answer answer = Ask({&text, 1}, "passage", milliseconds(options.settings.timeout_ms));
  if (!answer.status.ok()) {
    return absl::Status(answer.status.code(),
                        std::string(answer.status.message()) +
                            "; with its `dimension` in the settings a service starts without it");
  }
  const auto found = ReadEmbeddingDimension(answer.body);
  if (!found.ok()) {
    return absl::DataLossError(
        fmt::format("embedder: {}: {}", route, std::string(found.status().message())));
  }
  dimension = *found;
  return absl::OkStatus();
}

/// OK if the caller may send a query.
absl::Status RemoteEmbedder::Impl::BeginQuery() const {
  if (breaker.Allow(options.now(), milliseconds(options.settings.query_timeout_ms))) {
    return absl::OkStatus();
  }
  return absl::UnavailableError("not asked again yet, after: " + breaker.last_error());
}

void RemoteEmbedder::Impl::EndQuery(const absl::Status& status) const {
  if (status.ok()) {
    if (breaker.Succeed()) spdlog::info("embedder: {}: answers again", route);
    return;
  }
  const std::string why(status.message());
  if (breaker.Fail(why, options.now(), options.random())) {
    spdlog::warn("{}; searches go by words alone", why);
  }
}

RemoteEmbedder::RemoteEmbedder(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
RemoteEmbedder::~RemoteEmbedder() = default;
int RemoteEmbedder::dimension() const { return impl_->dimension; }
const std::string& RemoteEmbedder::model_id() const { return impl_->id; }

absl::StatusOr<std::unique_ptr<RemoteEmbedder>> RemoteEmbedder::Open(
    RemoteEmbedderOptions options) {
  auto impl = std::make_unique<Impl>();
  auto route = RouteOf(options.url);
  if (!route.ok()) return route.status();
  impl->route = *std::move(route);
  if (options.settings.model.empty()) {
    return absl::InvalidArgumentError("embedder: model: expected the name that " + impl->route +
                                      " knows it by, found nothing");
  }
  if (!options.now) options.now = [] { return steady_clock::now(); };
  if (!options.random) options.random = &SystemRandom;
  if (!options.sleep) options.sleep = [](milliseconds time) { std::this_thread::sleep_for(time); };
  impl->options = std::move(options);
  const EmbedderSettings& settings = impl->options.settings;
  impl->dimension = settings.dimension;
  if (impl->dimension == 0) {
    if (absl::Status status = impl->Probe(); !status.ok()) return status;
  }
  // Everything that changes the vector of a text. The host does not: a model may move.
  impl->id = fmt::format("endpoint:{}:{}", settings.model, impl->dimension);
  const std::string prefix = settings.passage_prefix.value_or("");
  if (!prefix.empty()) impl->id += fmt::format(":{:?}", prefix);
  if (settings.send_input_type) impl->id += ":typed";
  return std::unique_ptr<RemoteEmbedder>(new RemoteEmbedder(std::move(impl)));
}

absl::Status RemoteEmbedder::EmbedInto(std::span<const std::string> texts,
                                       std::span<float> out) const {
  const auto width = static_cast<size_t>(impl_->dimension);
  if (out.size() != texts.size() * width) {
    return absl::InvalidArgumentError("embedder: out must hold texts x dimension floats");
  }
  std::fill(out.begin(), out.end(), 0.0f);
  const std::string prefix = impl_->options.settings.passage_prefix.value_or("");
  const auto batch = static_cast<size_t>(std::max(1, impl_->options.settings.batch));
  std::vector<float> rows;
  for (size_t begin = 0; begin < texts.size();) {
    std::vector<std::string> asked;
    std::vector<size_t> places;
    for (; begin < texts.size() && asked.size() < batch; ++begin) {
      if (IsBlank(texts[begin])) continue;  // the vector stays zero
      asked.push_back(prefix + texts[begin]);
      places.push_back(begin);
    }
    if (asked.empty()) break;
    rows.assign(asked.size() * width, 0.0f);
    if (absl::Status status = impl_->EmbedBatch(asked, rows); !status.ok()) {
      std::fill(out.begin(), out.end(), 0.0f);
      return status;
    }
    for (size_t i = 0; i < places.size(); ++i) {
      const auto row = std::span(rows).subspan(i * width, width);
      std::copy(row.begin(), row.end(),
                out.begin() + static_cast<std::ptrdiff_t>(places[i] * width));
    }
  }
  return absl::OkStatus();
}

absl::Status RemoteEmbedder::EmbedQueryInto(const std::string& query, std::span<float> out) const {
  if (out.size() != static_cast<size_t>(impl_->dimension)) {
    return absl::InvalidArgumentError("embedder: out must hold dimension floats");
  }
  std::fill(out.begin(), out.end(), 0.0f);
  if (IsBlank(query)) return absl::OkStatus();
  if (absl::Status status = impl_->BeginQuery(); !status.ok()) return status;
  const std::string text = impl_->options.settings.query_prefix.value_or("") + query;
  const Impl::Answer answer =
      impl_->Ask({&text, 1}, "query", milliseconds(impl_->options.settings.query_timeout_ms));
  absl::Status status = answer.status;
  if (status.ok()) status = ReadEmbeddingReply(answer.body, 1, impl_->dimension, out);
  if (!status.ok()) std::fill(out.begin(), out.end(), 0.0f);
  impl_->EndQuery(status);
  return status;
}

RemoteEmbedder::Counts RemoteEmbedder::counts() const {
  const std::lock_guard lock(impl_->mutex);
  Counts counts = impl_->counts;
  counts.queries_refused = impl_->breaker.refused();
  return counts;
}

}  // namespace emptor::services
