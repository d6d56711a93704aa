// Handlers. They run on HTTP threads and pass everything that waits to the workers.
#include "services/api/catalog_routes.h"

#include <fmt/format.h>

#include <memory>
#include <set>
#include <sstream>
#include <utility>

#include "catalog/encoding/sha256.h"
#include "catalog/feed/product_patch.h"
#include "catalog/product_json.h"
#include "services/api/api_errors.h"
#include "services/api/result_stream.h"
#include "services/api/submit.h"
#include "services/http/multipart_form.h"

namespace emptor::services {
namespace {

using ExchangePtr = std::shared_ptr<Exchange>;

constexpr size_t kMaxKeyBytes = 128;
constexpr std::string_view kFeedPart = "feed";

std::string DigestOf(std::string_view bytes) {
  std::string text;
  for (const uint8_t byte : catalog::ComputeSha256(bytes.data(), bytes.size())) {
    text += fmt::format("{:02x}", byte);
  }
  return text;
}

Response ErrorFor(const absl::Status& status, const std::string& request_id) {
  const std::string message(status.message());
  if (absl::IsResourceExhausted(status)) {
    return MakeErrorResponse(507, "storage_full", "there is no room to store the changes", "",
                             request_id);
  }
  if (absl::IsAlreadyExists(status)) {
    return MakeErrorResponse(409, "idempotency_conflict", message, "idempotency_key", request_id);
  }
  return MakeErrorResponse(status, request_id);
}

void RespondError(Exchange& exchange, const absl::Status& status) {
  exchange.Respond(ErrorFor(status, exchange.request().id));
}

void Respond(Exchange& exchange, int status, std::string body, std::string_view job_id = "",
             const char* content_type = "application/json") {
  Response response;
  response.status = status;
  response.content_type = content_type;
  response.body = std::move(body);
  response.headers.emplace_back("Cache-Control", "no-store");
  if (!job_id.empty()) response.headers.emplace_back("X-Job-Id", std::string(job_id));
  AddSecurityHeaders(response);
  exchange.Respond(std::move(response));
}

absl::Status SetOption(std::string_view name, std::string_view value, JobSpec& spec) {
  if (name != "idempotency_key") return SetJobOption(name, value, spec);
  spec.idempotency_key = std::string(value);
  return absl::OkStatus();
}

/// The feed of a request, which is its body or a part of a form, and its options, which come from
/// the query and the other parts.
struct Upload {
  JobSpec spec;
  std::string_view feed;  // of the request's body
};

absl::Status TakeForm(const Request& request, Upload& upload) {
  const auto parts = ParseMultipartForm(request.Header("content-type"), request.body);
  if (!parts.ok()) return parts.status();
  std::set<std::string_view> given;
  for (const auto& [name, value] : request.query) given.insert(name);
  for (const FormPart& part : *parts) {
    if (!given.insert(part.name).second) {
      return absl::InvalidArgumentError(fmt::format("{}: given twice", part.name));
    }
    if (part.name == kFeedPart) {
      upload.feed = part.content;
    } else if (auto status = SetOption(part.name, part.content, upload.spec); !status.ok()) {
      return status;
    }
  }
  if (given.contains(kFeedPart)) return absl::OkStatus();
  return absl::InvalidArgumentError("feed: the form has no such part");
}

absl::StatusOr<Upload> UploadOf(const Request& request) {
  Upload upload{.spec = {}, .feed = request.body};
  JobSpec& spec = upload.spec;
  std::set<std::string_view> given;
  for (const auto& [name, value] : request.query) {
    if (!given.insert(name).second) {
      return absl::InvalidArgumentError(fmt::format("{}: given twice", name));
    }
    if (absl::Status status = SetOption(name, value, spec); !status.ok()) return status;
  }
  if (IsMultipartForm(request.Header("content-type"))) {
    if (absl::Status status = TakeForm(request, upload); !status.ok()) return status;
  }
  const std::string_view header = request.Header("idempotency-key");
  if (!header.empty() && !spec.idempotency_key.empty() && header != spec.idempotency_key) {
    return absl::InvalidArgumentError("idempotency_key: the header has another one");
  }
  if (!header.empty()) spec.idempotency_key = std::string(header);
  if (spec.idempotency_key.size() > kMaxKeyBytes) {
    return absl::InvalidArgumentError("idempotency_key: expected at most 128 bytes");
  }
  spec.source = "http";
  spec.digest = DigestOf(upload.feed);
  spec.bytes = upload.feed.size();
  return upload;
}

class CatalogHandlers : public std::enable_shared_from_this<CatalogHandlers> {
 public:
  explicit CatalogHandlers(const CatalogRoutesParts& parts) : parts_(parts) {}

  void Import(const ExchangePtr& exchange) const {
    SubmitOrRefuse(parts_.imports, exchange,
                   [self = shared_from_this(), exchange] { self->RunImport(*exchange); });
  }

  /// Answers once the feed is stored; the job runs later.
  void Upload(const ExchangePtr& exchange) const {
    SubmitOrRefuse(parts_.changes, exchange,
                   [self = shared_from_this(), exchange] { self->RunUpload(*exchange); });
  }

  void List(Exchange& exchange) const {
    catalog::JsonWriter writer;
    writer.BeginObject().Key("jobs").BeginArray();
    for (const Job& job : parts_.jobs.List()) writer.Raw(ToJson(job));
    Respond(exchange, 200, writer.EndArray().EndObject().Take());
  }

  void Show(Exchange& exchange, std::string_view id) const {
    const auto job = parts_.jobs.Find(id);
    if (!job) return RespondError(exchange, absl::NotFoundError("id: no such job"));
    Respond(exchange, 200, ToJson(*job), job->id);
  }

  void Cancel(const ExchangePtr& exchange, std::string_view id) const {
    SubmitOrRefuse(
        parts_.changes, exchange, [self = shared_from_this(), exchange, name = std::string(id)] {
          const auto job = self->parts_.jobs.Cancel(name);
          if (job.ok()) return Respond(*exchange, 202, ToJson(*job), job->id);
          if (!absl::IsFailedPrecondition(job.status())) {
            return RespondError(*exchange, job.status());
          }
          exchange->Respond(MakeErrorResponse(409, "job_ended", std::string(job.status().message()),
                                              "id", exchange->request().id));
        });
  }

  using Reader = absl::StatusOr<std::string> (Jobs::*)(std::string_view) const;
  void File(const ExchangePtr& exchange, std::string_view id, Reader read) const {
    SubmitOrRefuse(parts_.changes, exchange,
                   [self = shared_from_this(), exchange, name = std::string(id), read] {
                     auto text = (self->parts_.jobs.*read)(name);
                     if (!text.ok()) return RespondError(*exchange, text.status());
                     Respond(*exchange, 200, *std::move(text), name, "application/x-ndjson");
                   });
  }

  void Change(const ExchangePtr& exchange, std::string_view id) const {
    SubmitOrRefuse(parts_.changes, exchange,
                   [self = shared_from_this(), exchange, name = std::string(id)] {
                     self->RunChange(*exchange, name);
                   });
  }

 private:
  /// Why a job is not done.
  Response ErrorOf(const Job& job, const std::string& request_id) const {
    const std::string message = fmt::format("{}: {}", job.id, job.error);
    if (job.error_code == "failed_precondition" && parts_.shop.health().ok()) {
      return MakeErrorResponse(409, "replace_refused", message, "", request_id);
    }
    if (job.error_code == "invalid_argument") {
      return MakeErrorResponse(400, "invalid_request", message, "", request_id);
    }
    if (job.error_code == "resource_exhausted") {
      return ErrorFor(absl::ResourceExhaustedError(job.error), request_id);
    }
    if (job.state == JobState::kCancelled) {
      return MakeErrorResponse(409, "cancelled", job.id + ": the job was cancelled", "",
                               request_id);
    }
    return ErrorFor(job.error_code == "failed_precondition"
                        ? absl::FailedPreconditionError(job.error)
                    : job.error_code == "internal" ? absl::InternalError(job.error)
                                                   : absl::UnavailableError(job.error),
                    request_id);
  }

  /// The results that exist already, of an earlier job with the key or of earlier attempts.
  absl::Status SendKept(const Job& job, ResultStream& out) const {
    if (job.results.bytes == 0) return absl::OkStatus();
    const auto results = parts_.jobs.ReadResults(job.id);
    if (!results.ok()) return results.status();
    out.Take(*results);
    return absl::OkStatus();
  }

  void RunImport(Exchange& exchange) const {
    const std::string& request_id = exchange.request().id;
    const auto upload = UploadOf(exchange.request());
    if (!upload.ok()) return RespondError(exchange, upload.status());
    const auto started = parts_.jobs.Start(upload->spec);
    if (!started.ok()) return RespondError(exchange, started.status());
    const std::string& id = started->job.id;
    if (!started->is_new && !started->job.is_finished()) {
      return exchange.Respond(
          MakeErrorResponse(409, "job_running", id + ": is under way", "", request_id));
    }
    ResultStream out(exchange, id);
    absl::StatusOr<Job> job = started->job;
    const absl::Status kept = SendKept(*job, out);
    if (started->is_new) {
      std::istringstream feed{std::string(upload->feed)};
      job = parts_.jobs.Run(
          id, feed, [&out](const catalog::LineResult& result) { out.Take(ToJson(result) + "\n"); });
    }
    if (job.ok() && !kept.ok()) job = kept;
    if (!job.ok()) return out.Fail(ErrorFor(job.status(), request_id));
    if (job->state != JobState::kDone) return out.Fail(ErrorOf(*job, request_id));
    out.Finish();
  }

  void RunUpload(Exchange& exchange) const {
    const auto upload = UploadOf(exchange.request());
    if (!upload.ok()) return RespondError(exchange, upload.status());
    const auto started = parts_.jobs.Start(upload->spec, upload->feed);
    if (!started.ok()) return RespondError(exchange, started.status());
    if (started->is_new) {
      parts_.imports.Submit([&jobs = parts_.jobs, id = started->job.id] {
        const auto run = jobs.RunKept(id);  // what went wrong is in the job
      });
    }
    Respond(exchange, started->is_new ? 202 : 200, ToJson(started->job), started->job.id);
  }

  /// The request as a row of a feed.
  static absl::StatusOr<catalog::FeedRow> RowOf(const Request& request, const std::string& id) {
    catalog::FeedRow row;
    row.line = row.end_line = 1;
    row.id = id;
    if (request.method == "DELETE") {
      row.record = catalog::RecordDeletion{.id = id};
      return row;
    }
    auto json = catalog::ParseRecordJson(request.body);
    if (!json.ok()) return json.status();
    if (!json->is_object()) return absl::InvalidArgumentError("record: expected an object");
    catalog::JsonValue::Object members = json->as_object();
    if (json->Find("id") == nullptr) members.push_back({"id", catalog::JsonValue(id)});
    const catalog::JsonValue value(std::move(members));
    std::string named;
    if (request.method == "PATCH") {
      auto patch = catalog::PatchFromJson(value);
      if (!patch.ok()) return patch.status();
      named = patch->values.id;
      row.record = *std::move(patch);
    } else {
      auto product = catalog::ProductFromJson(value);
      if (!product.ok()) return product.status();
      named = product->id;
      row.record = *std::move(product);
    }
    if (named != id) return absl::InvalidArgumentError("id: expected the one of the address");
    return row;
  }

  /// After a storage error the shop is read-only: this says more than the error of one call.
  absl::Status ReasonOf(const absl::Status& failed) const {
    if (absl::IsResourceExhausted(failed) || parts_.shop.health().ok()) return failed;
    return absl::FailedPreconditionError(failed.message());
  }

  void RunChange(Exchange& exchange, const std::string& id) const {
    const absl::Status unknown = absl::NotFoundError("id: no such product");
    const std::string& method = exchange.request().method;
    if (!catalog::IsValidId(id) && method != "PUT") return RespondError(exchange, unknown);
    auto row = RowOf(exchange.request(), id);
    if (!row.ok()) return RespondError(exchange, row.status());
    const auto mode =
        method == "PATCH" ? catalog::ImportMode::kUpdate : catalog::ImportMode::kUpsert;
    const auto result = parts_.shop.Change(*std::move(row), mode);
    if (!result.ok()) return RespondError(exchange, ReasonOf(result.status()));
    using Status = catalog::LineStatus;
    const bool is_gone = (method == "DELETE" && result->status == Status::kUnchanged) ||
                         result->message == "id: no such product";
    if (is_gone) return RespondError(exchange, unknown);
    if (result->status == Status::kError) {
      return RespondError(exchange, absl::InvalidArgumentError(result->message));
    }
    catalog::JsonWriter writer;
    writer.BeginObject().Member("id", id).Member("status", ToString(result->status)).EndObject();
    Respond(exchange, result->status == Status::kCreated ? 201 : 200, writer.Take());
  }

  const CatalogRoutesParts parts_;
};

}  // namespace

std::vector<Route> MakeCatalogRoutes(const CatalogRoutesParts& parts) {
  const auto handlers = std::make_shared<CatalogHandlers>(parts);
  using Tail = std::string_view;
  const auto change = [handlers](const ExchangePtr& exchange, Tail id) {
    handlers->Change(exchange, id);
  };
  const auto file = [handlers](CatalogHandlers::Reader read) {
    return [handlers, read](const ExchangePtr& exchange, Tail id) {
      handlers->File(exchange, id, read);
    };
  };
  return {
      {"POST", "/v1/catalog/import", Access::kCatalog,
       [handlers](const ExchangePtr& exchange, Tail) { handlers->Import(exchange); }, kLargestBody},
      {"PUT", "/v1/catalog/products/{id}", Access::kCatalog, change, kRecordBody},
      {"PATCH", "/v1/catalog/products/{id}", Access::kCatalog, change, kRecordBody},
      {"DELETE", "/v1/catalog/products/{id}", Access::kCatalog, change},
      {"POST", "/v1/jobs", Access::kCatalog,
       [handlers](const ExchangePtr& exchange, Tail) { handlers->Upload(exchange); }, kLargestBody},
      {"GET", "/v1/jobs", Access::kCatalog,
       [handlers](const ExchangePtr& exchange, Tail) { handlers->List(*exchange); }},
      {"GET", "/v1/jobs/{id}", Access::kCatalog,
       [handlers](const ExchangePtr& exchange, Tail id) { handlers->Show(*exchange, id); }},
      {"DELETE", "/v1/jobs/{id}", Access::kCatalog,
       [handlers](const ExchangePtr& exchange, Tail id) { handlers->Cancel(exchange, id); }},
      {"GET", "/v1/jobs/{id}/results", Access::kCatalog, file(&Jobs::ReadResults)},
      {"GET", "/v1/jobs/{id}/dead_letters", Access::kCatalog, file(&Jobs::ReadDeadLetters)},
  };
}

void ResumeJobs(Jobs& jobs, WorkerPool& imports) {
  for (const std::string& id : jobs.QueuedIds()) {
    imports.Submit([&jobs, id] {
      const auto run = jobs.RunKept(id);  // what went wrong is in the job
    });
  }
}

}  // namespace emptor::services
