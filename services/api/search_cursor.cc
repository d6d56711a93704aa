// version (1) | fingerprint (8) | steps (1 + n) | shown (6 each) | checksum (8), little-endian.
#include "services/api/search_cursor.h"

#include <algorithm>
#include <string>

#include "catalog/encoding/base64.h"
#include "catalog/encoding/sha256.h"
#include "services/api/object_reader.h"

namespace emptor::services {
namespace {

using retrieval::FilterPart;

constexpr char kVersion = 2;
constexpr size_t kChecksumBytes = 8, kIdBytes = 6, kHeadBytes = 10;
constexpr uint8_t kWidened = 0x80;

void Append(uint64_t value, size_t bytes, std::string& out) {
  for (size_t i = 0; i < bytes; ++i) out.push_back(static_cast<char>(value >> (8 * i)));
}

uint64_t Read(std::string_view bytes) {
  uint64_t value = 0;
  for (size_t i = bytes.size(); i > 0; --i) value = value << 8 | static_cast<uint8_t>(bytes[i - 1]);
  return value;
}

/// Begins with a domain prefix, so that no other digest of the service equals it.
std::string ChecksumOf(std::string_view bytes) {
  const std::string all = "emptor search cursor: " + std::string(bytes);
  const catalog::Digest digest = catalog::ComputeSha256(all.data(), all.size());
  return {digest.begin(), digest.begin() + kChecksumBytes};
}

/// False for steps that no relaxation makes: an unknown part, or a step that occurs twice.
bool ReadSteps(std::string_view bytes, std::vector<retrieval::RelaxationStep>& steps) {
  for (size_t i = 0; i < bytes.size(); ++i) {
    const auto byte = static_cast<uint8_t>(bytes[i]);
    const int part = byte & ~kWidened;
    if (part >= retrieval::kFilterPartCount || bytes.find(bytes[i]) != i) return false;
    steps.push_back({static_cast<FilterPart>(part), (byte & kWidened) != 0});
  }
  return true;
}

}  // namespace

std::string EncodeSearchCursor(const SearchCursor& cursor) {
  std::string bytes(1, kVersion);
  Append(cursor.fingerprint, 8, bytes);
  Append(cursor.relaxed.size(), 1, bytes);
  for (const retrieval::RelaxationStep& step : cursor.relaxed) {
    Append(static_cast<uint8_t>(step.part) | (step.widened ? kWidened : 0), 1, bytes);
  }
  for (const uint64_t id : cursor.shown) Append(id, kIdBytes, bytes);
  return catalog::EncodeBase64Url(bytes + ChecksumOf(bytes));
}

absl::StatusOr<SearchCursor> DecodeSearchCursor(std::string_view text, uint64_t fingerprint) {
  const auto refused = [](const char* why) { return InvalidField("cursor", why); };
  const std::string sealed = catalog::DecodeBase64Url(text).value_or("");
  if (sealed.size() < kHeadBytes + kChecksumBytes) return refused("not a cursor of a search");
  const std::string_view bytes = std::string_view(sealed).substr(0, sealed.size() - kChecksumBytes);
  if (bytes[0] != kVersion) {
    return refused("of another version of the service: begin again without a cursor");
  }
  if (!sealed.ends_with(ChecksumOf(bytes))) return refused("damaged: its checksum does not match");
  const size_t ids = kHeadBytes + static_cast<uint8_t>(bytes[kHeadBytes - 1]);
  if (ids > bytes.size() || (bytes.size() - ids) % kIdBytes != 0) {
    return refused("damaged: its length does not match");
  }
  SearchCursor cursor;
  cursor.fingerprint = Read(bytes.substr(1, 8));
  if (cursor.fingerprint != fingerprint) {
    return refused("belongs to another query, other filters or another shop");
  }
  if (!ReadSteps(bytes.substr(kHeadBytes, ids - kHeadBytes), cursor.relaxed)) {
    return refused("damaged: not a relaxation of filters");
  }
  for (size_t i = ids; i < bytes.size(); i += kIdBytes) {
    cursor.shown.push_back(Read(bytes.substr(i, kIdBytes)));
  }
  return cursor;
}

}  // namespace emptor::services
