// Strict in, plain out.
#include "services/api/faq_codec.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <utility>

#include "catalog/encoding/timestamp.h"
#include "catalog/encoding/utf8.h"
#include "catalog/faq/faq_json.h"
#include "catalog/faq/faq_rules.h"
#include "catalog/money.h"
#include "catalog/validation.h"
#include "services/api/object_reader.h"

namespace emptor::services {
namespace {

constexpr size_t kMaxQuestionBytes = 4096;
constexpr size_t kMaxLimit = 1000;
constexpr size_t kMaxTagBytes = 64;

double Rounded(double value) { return std::round(value * 1e4) / 1e4; }

/// "text/csv" of "text/csv; charset=utf-8", in lower case.
std::string MediaTypeOf(std::string_view content_type) {
  std::string type(content_type.substr(0, content_type.find(';')));
  while (type.ends_with(' ')) type.pop_back();
  for (char& c : type) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  return type;
}

void WriteFound(std::string_view id, std::string_view question, double confidence,
                catalog::JsonWriter& writer) {
  writer.Member("id", id).Member("question", question).Member("confidence", Rounded(confidence));
}

void WriteChange(const catalog::FaqChange& change, catalog::JsonWriter& writer) {
  writer.BeginObject()
      .Member("number", change.number)
      .Member("at", catalog::FormatRfc3339(change.at))
      .Member("who", change.who)
      .Member("id", change.id)
      .Member("action", ToString(change.action))
      .Member("version", change.version);
  if (!change.old_digest.empty()) writer.Member("old_digest", change.old_digest);
  if (!change.new_digest.empty()) writer.Member("new_digest", change.new_digest);
  writer.EndObject();
}

}  // namespace

absl::StatusOr<FaqQuestion> ParseFaqQuestion(std::string_view body) {
  const auto json = catalog::ParseJson(body);
  if (!json.ok()) return json.status();
  return ReadFaqQuestion(*json);
}

absl::StatusOr<FaqQuestion> ReadFaqQuestion(const catalog::JsonValue& value) {
  FaqQuestion question;
  ObjectReader reader(value, "");
  reader.Allow({"question", "locale", "currency"});
  reader.Text("question", kMaxQuestionBytes, question.text);
  reader.Text("locale", kMaxTagBytes, question.locale);
  reader.Text("currency", kMaxTagBytes, question.market.currency);
  if (!reader.ok()) return reader.status();
  if (question.text.find_first_not_of(" \t\r\n") == std::string::npos) {
    return InvalidField("question", "expected a text, found none");
  }
  if (!question.locale.empty() && !catalog::IsValidLocale(question.locale)) {
    return InvalidField("locale", "expected a BCP 47 tag");
  }
  const std::string& currency = question.market.currency;
  if (!currency.empty() && !catalog::IsCurrencyCode(currency)) {
    return InvalidField("currency", "expected three capital letters");
  }
  question.market.region = catalog::RegionOfLocale(question.locale);
  return question;
}

std::string FaqReplyJson(const FaqReply& reply) {
  catalog::JsonWriter writer;
  writer.BeginObject().Member("decision", ToString(reply.decision));
  if (reply.decision == retrieval::FaqDecision::kHit) {
    writer.Member("answer", reply.answer);
    WriteFound(reply.id, reply.question, reply.confidence, writer);
    writer.Member("exact", reply.is_exact);
    writer.Member("source", reply.is_document ? "document" : "entry");
    if (!reply.locale.empty()) writer.Member("locale", reply.locale);
    if (!reply.link.empty()) writer.Member("link", reply.link);
  }
  writer.Key("alternatives").BeginArray();
  for (const FaqAlternative& each : reply.alternatives) {
    writer.BeginObject();
    WriteFound(each.id, each.question, each.confidence, writer);
    writer.EndObject();
  }
  return writer.EndArray().EndObject().Take();
}

absl::StatusOr<FaqPageQuery> ParsePage(const Request& request) {
  FaqPageQuery page;
  for (const auto& [name, value] : request.query) {
    if (name == "cursor") {
      if (!value.empty() && !catalog::IsValidId(value)) {
        return InvalidField("cursor", "expected one of an earlier reply");
      }
      page.cursor = value;
    } else if (name == "limit") {
      const char* const end = value.data() + value.size();
      const bool is_number = std::from_chars(value.data(), end, page.limit).ptr == end;
      if (!is_number || page.limit < 1 || page.limit > kMaxLimit) {
        return InvalidField("limit", fmt::format("expected a whole number from 1 to {}, found {:?}",
                                                 kMaxLimit, value.substr(0, kMaxTagBytes)));
      }
    } else {
      return InvalidField(name.substr(0, kMaxTagBytes), "expected cursor or limit");
    }
  }
  return page;
}

absl::StatusOr<catalog::FaqMatch> MatchOf(const Request& request) {
  catalog::FaqMatch match;
  std::string_view tag = request.Header("if-match");
  const std::string_view none = request.Header("if-none-match");
  if (!none.empty() && none != "*") {
    return absl::InvalidArgumentError("if_none_match: expected *, which says: only if it is new");
  }
  match.must_be_new = !none.empty();
  if (tag.empty()) return match;
  if (tag.size() > 2 && tag.front() == '"' && tag.back() == '"') {
    tag = tag.substr(1, tag.size() - 2);
  } else if (tag != "*") {
    return absl::InvalidArgumentError(
        "if_match: expected the ETag of an entry, in quotes, or *: one of them");
  }
  if (tag.find('"') != std::string_view::npos || tag.size() > kMaxTagBytes) {
    return absl::InvalidArgumentError("if_match: expected one ETag");
  }
  match.tag = std::string(tag);
  return match;
}

absl::StatusOr<FaqImportQuery> ParseFaqImport(const Request& request) {
  FaqImportQuery query;
  const std::string type = MediaTypeOf(request.Header("content-type"));
  if (type == "text/csv") {
    query.format = catalog::FaqFormat::kCsv;
  } else if (type == "application/x-ndjson" || type == "application/ndjson" ||
             type == "application/jsonl" || type == "application/json") {
    query.format = catalog::FaqFormat::kJsonl;
  } else if (!type.empty() && type != "application/octet-stream") {
    return absl::UnimplementedError(
        fmt::format("content-type: expected application/x-ndjson, text/csv or "
                    "application/octet-stream, found {}",
                    type.substr(0, kMaxTagBytes)));
  }
  for (const auto& [name, value] : request.query) {
    if (name == "locale") {
      if (!catalog::IsValidLocale(value)) return InvalidField("locale", "expected a BCP 47 tag");
      query.locale = value;
    } else if (name == "dry_run") {
      if (value != "true" && value != "false") {
        return InvalidField("dry_run", "expected true or false");
      }
      query.dry_run = value == "true";
    } else {
      return InvalidField(name.substr(0, kMaxTagBytes), "expected locale or dry_run");
    }
  }
  return query;
}

std::string_view StatusOfFaqEntry(const catalog::FaqEntry& entry, bool is_broken,
                                  int64_t now_unix) {
  if (now_unix < entry.valid_from) return "pending";
  if (!catalog::IsFaqValid(entry, now_unix)) return "expired";
  return is_broken ? "broken" : "valid";
}

void WriteFaqEntry(const catalog::FaqEntry& entry, std::span<const std::string> broken,
                   int64_t now_unix, catalog::JsonWriter& writer) {
  catalog::WriteFaqMembers(entry, writer);
  writer.Member("etag", catalog::FaqTag(entry));
  writer.Member("status", StatusOfFaqEntry(entry, !broken.empty(), now_unix));
  if (broken.empty()) return;
  writer.Key("broken").BeginArray();
  for (const std::string& each : broken) writer.String(each);
  writer.EndArray();
}

absl::StatusOr<std::string> FaqChangesJson(const catalog::FaqStore& entries, uint64_t after,
                                           size_t limit) {
  catalog::JsonWriter writer;
  writer.BeginObject().Key("changes").BeginArray();
  size_t count = 0;
  absl::Status status = entries.VisitChanges(after, [&](const catalog::FaqChange& change) {
    if (count == limit) return false;
    ++count;
    after = change.number;
    WriteChange(change, writer);
    return true;
  });
  if (!status.ok()) return status;
  writer.EndArray();
  if (count == limit) writer.Member("next_cursor", std::to_string(after));
  return writer.EndObject().Take();
}

void WriteFaqWarnings(std::span<const catalog::TextWarning> warnings, catalog::JsonWriter& writer) {
  if (warnings.empty()) return;
  writer.Key("warnings").BeginArray();
  for (const catalog::TextWarning& each : warnings) {
    writer.BeginObject().Member("field", each.field).Member("reason", each.reason).EndObject();
  }
  writer.EndArray();
}

}  // namespace emptor::services
