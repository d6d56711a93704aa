// JSON <-> Product and Document: the format of feeds, replies and exports.
// docs/formats/catalog_jsonl.md lists every field.
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "absl/status/statusor.h"
#include "catalog/encoding/json.h"
#include "catalog/product.h"
#include "catalog/repair.h"

namespace emptor::catalog {

using Record = std::variant<Product, Document>;

/// Every error is kInvalidArgument and its message begins with the field: `price.amount: expected
/// an integer, found a string`; text that is not JSON begins with `byte 17:`. A field that the
/// format does not know is an error, as is a value that ValidateProduct refuses. A text field that
/// is "" is the same as an absent one.
absl::StatusOr<Product> ParseProduct(std::string_view json);
absl::StatusOr<Document> ParseDocument(std::string_view json);
absl::StatusOr<Product> ProductFromJson(const JsonValue& value);
absl::StatusOr<Document> DocumentFromJson(const JsonValue& value);

/// What a lenient reading repaired or left out.
struct LenientReading {
  std::vector<FieldProblem> problems;
  std::vector<std::string> left_out;  // members of which nothing is read
};

/// The members that are present, each of its type; required fields are not asked for. With
/// `lenient`, a member of another type or an unknown one is left out instead of refused, unless it
/// is the id, the title or the price; the numbers and booleans among attributes become text. An
/// unreadable availability counts as out of stock, an unreadable trust as untrusted, an unreadable
/// quarantine as one. null is an absent member.
absl::StatusOr<Product> ProductFieldsFromJson(const JsonValue& value,
                                              LenientReading* lenient = nullptr);

/// The field "kind" decides: absent or "product" is a product, anything else a document.
absl::StatusOr<Record> ParseRecord(std::string_view json);
absl::StatusOr<Record> RecordFromJson(const JsonValue& value);
/// As RecordFromJson, but reads as ProductFieldsFromJson does with `lenient` (a document likewise:
/// only id, kind, title and text are required) and repairs the values (repair.h). A description may
/// be as long as a record: whoever makes it plain text cuts it afterwards.
absl::StatusOr<Record> ReadRecordLeniently(const JsonValue& value, LenientReading& lenient);

/// A line of a feed that deletes a record: {"id":"k1","deleted":true}, with "kind" unless it is a
/// product.
struct RecordDeletion {
  std::string id;
  bool is_document = false;
};
absl::StatusOr<RecordDeletion> DeletionFromJson(const JsonValue& value);

/// ParseJson with the limits of a record: kMaxRecordBytes, depth 8, 6000 values.
absl::StatusOr<JsonValue> ParseRecordJson(std::string_view json);

/// One line without a line feed; absent fields are left out. ParseProduct(ToJson(p)) == p for every
/// valid p.
std::string ToJson(const Product& product);
std::string ToJson(const Document& document);

/// Writes the members of a product or document into the object that is open in `writer`, so that a
/// reply can add its own (url, image_url, why, ...). With `shown`, "price" is shown->price, which
/// is payable now, "was_price" is added during a sale, and the fields that shoppers must not see
/// (popularity, quarantine) are left out. Without, "price" is the list price.
void WriteProductMembers(const Product& product, const PayablePrice* shown, JsonWriter& writer);
void WriteDocumentMembers(const Document& document, JsonWriter& writer);

/// Writes {"amount":4999,"currency":"USD"}.
void WriteMoney(const Money& money, JsonWriter& writer);

}  // namespace emptor::catalog
