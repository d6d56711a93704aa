// Reads three shapes, writes one.
#include "catalog/faq/faq_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <utility>

#include "catalog/encoding/timestamp.h"
#include "catalog/faq/faq_answer.h"
#include "catalog/faq/faq_rules.h"

namespace emptor::catalog {
namespace {

absl::Status Wrong(std::string_view field, std::string_view what) {
  return absl::InvalidArgumentError(fmt::format("{}: {}", field, what));
}

absl::Status Expected(std::string_view field, std::string_view what, const JsonValue& found) {
  return Wrong(field, fmt::format("expected {}, found {}", what, DescribeKind(found.kind())));
}

/// The members of one object; the first error is kept.
class Members {
 public:
  explicit Members(const JsonValue& value) : value_(value) {}

  void Allow(std::initializer_list<std::string_view> names) {
    for (const JsonMember& member : value_.as_object()) {
      const bool is_known = std::find(names.begin(), names.end(), member.name) != names.end();
      if (!is_known) Fail(Wrong(member.name.substr(0, 64), "no field of an entry has this name"));
    }
  }
  void Text(std::string_view name, std::string& out) {
    const JsonValue* member = Find(name);
    if (member == nullptr) return;
    if (!member->is_string()) return Fail(Expected(name, "a string", *member));
    out = member->as_string();
  }
  void Texts(std::string_view name, std::vector<std::string>& out) {
    const JsonValue* member = Find(name);
    if (member == nullptr) return;
    if (member->is_string()) return out.push_back(member->as_string());
    if (!member->is_array()) return Fail(Expected(name, "an array of strings", *member));
    for (const JsonValue& each : member->as_array()) {
      if (!each.is_string()) return Fail(Expected(name, "strings", each));
      out.push_back(each.as_string());
    }
  }
  void Time(std::string_view name, bool is_end, int64_t& out) {
    std::string text;
    Text(name, text);
    if (text.empty()) return;
    const auto time = ParseFaqTime(text, is_end);
    if (time) {
      out = *time;
    } else {
      Fail(Wrong(name, fmt::format("expected a date such as 2026-12-24 or RFC 3339, found {:?}",
                                   text.substr(0, 40))));
    }
  }
  void Number(std::string_view name, uint64_t& out) {
    const JsonValue* member = Find(name);
    if (member == nullptr) return;
    if (!member->is_int() || member->as_int() < 0) {
      return Fail(Expected(name, "a whole number from 0 on", *member));
    }
    out = static_cast<uint64_t>(member->as_int());
  }
  const absl::Status& status() const { return status_; }

 private:
  const JsonValue* Find(std::string_view name) const {
    const JsonValue* member = value_.Find(name);
    return member == nullptr || member->is_null() ? nullptr : member;
  }
  void Fail(absl::Status status) {
    if (status_.ok()) status_ = std::move(status);
  }

  const JsonValue& value_;
  absl::Status status_;
};

/// A document of the catalog: a brace in its text is a brace.
absl::StatusOr<FaqEntry> FromDocument(const JsonValue& value) {
  Members members(value);
  members.Allow({"kind", "id", "title", "text", "link", "locale", "version", "updated_at",
                 "product_id", "trust"});
  FaqEntry entry;
  std::string kind, title, text, product_id, trust;
  members.Text("kind", kind);
  members.Text("id", entry.id);
  members.Text("title", title);
  members.Text("text", text);
  members.Text("locale", entry.locale);
  members.Text("product_id", product_id);
  members.Text("trust", trust);
  if (!members.status().ok()) return members.status();
  if (!product_id.empty()) {
    return Wrong("product_id",
                 "an entry is about the shop, not about one product; `emptor ingest` "
                 "takes this document");
  }
  if (!trust.empty() && trust != "shop") {
    return Wrong("trust", "an entry is an answer of the shop; `emptor ingest` takes this document");
  }
  if (kind != "faq") {
    return Wrong("kind", fmt::format("expected faq, found {:?}; `emptor ingest` takes other "
                                     "documents",
                                     kind.substr(0, 40)));
  }
  entry.questions.push_back(std::move(title));
  entry.answer = EscapeFaqText(text);
  return entry;
}

}  // namespace

void WriteFaqMembers(const FaqEntry& entry, JsonWriter& writer) {
  writer.Member("id", entry.id).Key("questions").BeginArray();
  for (const std::string& question : entry.questions) writer.String(question);
  writer.EndArray().Member("answer", entry.answer);
  const std::pair<std::string_view, const std::string*> texts[] = {
      {"locale", &entry.locale}, {"category", &entry.category}, {"owner", &entry.owner}};
  for (const auto& [name, text] : texts) {
    if (!text->empty()) writer.Member(name, *text);
  }
  if (entry.valid_from != 0) writer.Member("valid_from", FormatRfc3339(entry.valid_from));
  if (entry.valid_until != 0) writer.Member("valid_until", FormatRfc3339(entry.valid_until));
  if (entry.version != 0) writer.Member("version", entry.version);
  if (entry.updated_at != 0) writer.Member("updated_at", FormatRfc3339(entry.updated_at));
}

std::string FaqEntryJson(const FaqEntry& entry) {
  JsonWriter writer;
  writer.BeginObject();
  WriteFaqMembers(entry, writer);
  return writer.EndObject().Take();
}

absl::StatusOr<FaqEntry> FaqEntryFromJson(const JsonValue& value) {
  if (!value.is_object()) return Expected("entry", "an object", value);
  if (value.Find("kind") != nullptr) return FromDocument(value);
  Members members(value);
  members.Allow({"id", "questions", "question", "answer", "locale", "category", "owner",
                 "valid_from", "valid_until", "version", "updated_at"});
  FaqEntry entry;
  members.Text("id", entry.id);
  members.Texts("question", entry.questions);
  members.Texts("questions", entry.questions);
  members.Text("answer", entry.answer);
  members.Text("locale", entry.locale);
  members.Text("category", entry.category);
  members.Text("owner", entry.owner);
  members.Time("valid_from", false, entry.valid_from);
  members.Time("valid_until", true, entry.valid_until);
  members.Number("version", entry.version);
  members.Time("updated_at", false, entry.updated_at);
  if (!members.status().ok()) return members.status();
  return entry;
}

}  // namespace emptor::catalog
