// Durable writing and mapping.
#include "retrieval/segment/sealed_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <bit>
#include <cassert>
#include <cerrno>
#include <cstring>
#include <utility>

#include "catalog/encoding/sha256.h"
#include "catalog/storage/durable_file.h"
#include "catalog/storage/file_descriptor.h"

namespace emptor::retrieval {
namespace {

using catalog::ComputeSha256;
using catalog::Digest;
using catalog::DurableFile;
using catalog::Sha256;

static_assert(std::endian::native == std::endian::little);

constexpr size_t kMagicBytes = 8;
constexpr size_t kMaxKeyBytes = size_t{64} << 10;

/// Before the key. The digest of header and key follows the key.
struct Header {
  char magic[kMagicBytes];
  uint32_t version;
  uint32_t key_bytes;
  uint64_t payload_bytes;
  uint8_t payload_digest[32];
};
static_assert(sizeof(Header) == 56);

/// A mapped file that unmaps itself.
class Mapping {
 public:
  Mapping(void* begin, size_t size) : begin_(begin), size_(size) {}
  ~Mapping() { ::munmap(begin_, size_); }
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;
  std::span<const uint8_t> bytes() const { return {static_cast<const uint8_t*>(begin_), size_}; }

 private:
  void* begin_;
  size_t size_;
};

absl::Status FileError(const std::string& path, std::string_view what) {
  const std::string message = fmt::format("index file: {}: {}: {}", path, what, strerror(errno));
  return errno == ENOENT ? absl::NotFoundError(message) : absl::UnavailableError(message);
}

absl::Status Damaged(const std::string& path, std::string_view what) {
  return absl::DataLossError(fmt::format("index file: {}: {}", path, what));
}

std::string EncodeHeader(const Header& header, std::string_view key) {
  std::string bytes(reinterpret_cast<const char*>(&header), sizeof header);
  bytes += key;
  const Digest digest = ComputeSha256(bytes.data(), bytes.size());
  bytes.append(reinterpret_cast<const char*>(digest.data()), digest.size());
  return bytes;
}

/// Writes the payload after space for the header, then the header with the payload's digest.
absl::Status WriteContents(
    const SealedFileKind& kind, DurableFile& file,
    const std::function<absl::Status(const SealedPayloadSink&)>& write_payload) {
  Header header = {};
  std::memcpy(header.magic, kind.magic.data(), kMagicBytes);
  header.version = kind.version;
  header.key_bytes = static_cast<uint32_t>(kind.key.size());
  const std::string room = EncodeHeader(header, kind.key);
  absl::Status status = file.Write(room.data(), room.size());
  if (!status.ok()) return status;
  Sha256 hash;
  status = write_payload([&](const void* data, size_t size) {
    hash.Update(data, size);
    header.payload_bytes += size;
    return file.Write(data, size);
  });
  if (!status.ok()) return status;
  const Digest digest = hash.Finish();
  std::memcpy(header.payload_digest, digest.data(), digest.size());
  const std::string encoded = EncodeHeader(header, kind.key);
  return file.Rewrite(0, encoded.data(), encoded.size());
}

absl::StatusOr<std::shared_ptr<const Mapping>> MapFile(const std::string& path) {
  const catalog::FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  struct stat found = {};
  if (file.get() < 0 || ::fstat(file.get(), &found) != 0) return FileError(path, "open");
  const auto size = static_cast<size_t>(found.st_size);
  if (!S_ISREG(found.st_mode) || size < sizeof(Header) + sizeof(Digest)) {
    return Damaged(path, fmt::format("size: expected a header, found {} bytes", size));
  }
  void* const begin = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.get(), 0);
  if (begin == MAP_FAILED) return FileError(path, "map");
  return std::make_shared<const Mapping>(begin, size);
}

bool DigestMatches(std::span<const uint8_t> bytes, const uint8_t* want) {
  const Digest digest = ComputeSha256(bytes.data(), bytes.size());
  return std::memcmp(digest.data(), want, digest.size()) == 0;
}

}  // namespace

absl::Status WriteSealedFile(
    const std::string& path, const SealedFileKind& kind,
    const std::function<absl::Status(const SealedPayloadSink&)>& write_payload) {
  assert(kind.magic.size() == kMagicBytes);
  if (kind.key.size() > kMaxKeyBytes) {
    return absl::InvalidArgumentError(fmt::format(
        "index file: key: expected at most {} bytes, found {}", kMaxKeyBytes, kind.key.size()));
  }
  auto file = DurableFile::Create(path);
  if (!file.ok()) return file.status();
  absl::Status status = WriteContents(kind, *file, write_payload);
  return status.ok() ? file->Publish() : status;
}

absl::StatusOr<MappedPayload> MapSealedFile(const std::string& path, const SealedFileKind& kind) {
  auto mapping = MapFile(path);
  if (!mapping.ok()) return mapping.status();
  const std::span<const uint8_t> bytes = (*mapping)->bytes();
  Header header;
  std::memcpy(&header, bytes.data(), sizeof header);
  if (std::string_view(header.magic, kMagicBytes) != kind.magic) {
    return Damaged(path, "magic: not a file of this kind");
  }
  if (header.version != kind.version) {
    return absl::FailedPreconditionError(fmt::format(
        "index file: {}: version: expected {}, found {}", path, kind.version, header.version));
  }
  const size_t covered = sizeof header + size_t{header.key_bytes};
  if (header.key_bytes > kMaxKeyBytes || bytes.size() < covered + sizeof(Digest) ||
      !DigestMatches(bytes.first(covered), bytes.data() + covered)) {
    return Damaged(path, "header: its digest does not match");
  }
  const std::string_view key(reinterpret_cast<const char*>(bytes.data()) + sizeof header,
                             header.key_bytes);
  if (key != kind.key) {
    return absl::FailedPreconditionError(
        fmt::format("index file: {}: made from other records or by another version", path));
  }
  const auto payload = bytes.subspan(covered + sizeof(Digest));
  if (payload.size() != header.payload_bytes) {
    return Damaged(path, fmt::format("payload: expected {} bytes, found {}", header.payload_bytes,
                                     payload.size()));
  }
  if (!DigestMatches(payload, header.payload_digest)) {
    return Damaged(path, "payload: its digest does not match");
  }
  return MappedPayload{payload, *std::move(mapping)};
}

}  // namespace emptor::retrieval
