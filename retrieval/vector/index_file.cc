// Encodes and checks the header.
#include "retrieval/vector/index_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <utility>
#include <vector>

#include "catalog/storage/durable_file.h"
#include "catalog/storage/file_descriptor.h"

namespace emptor::retrieval {
namespace {

constexpr std::string_view kMagic = "EMPTORVX";
constexpr uint32_t kVersion = 3;
constexpr size_t kFixedBytes = 106;  // before the model id and the factory string
constexpr size_t kMaxFactoryBytes = 64;
constexpr size_t kMaxModelIdBytes = 1024;
constexpr size_t kChunkBytes = size_t{1} << 20;

struct Header {
  IndexFileKey key;
  uint64_t payload_bytes = 0;
  Digest payload = {};
};

absl::Status FileError(const std::string& path, std::string_view what) {
  const std::string message = fmt::format("vector index: {}: {}: {}", path, what, strerror(errno));
  return errno == ENOENT ? absl::NotFoundError(message) : absl::UnavailableError(message);
}

absl::Status Damaged(const std::string& path, std::string_view what) {
  return absl::DataLossError(fmt::format("vector index: {}: {}", path, what));
}

template <typename Integer>
void AppendLittleEndian(Integer value, std::string& out) {
  for (size_t i = 0; i < sizeof(value); ++i) {
    out.push_back(static_cast<char>(static_cast<uint64_t>(value) >> (8 * i) & 0xFF));
  }
}

uint64_t ReadLittleEndian(std::string_view bytes, size_t at, size_t size) {
  uint64_t value = 0;
  for (size_t i = size; i-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes[at + i]);
  return value;
}

void AppendDigest(const Digest& digest, std::string& out) {
  out.append(reinterpret_cast<const char*>(digest.data()), digest.size());
}

Digest ReadDigest(std::string_view bytes, size_t at) {
  Digest digest;
  std::memcpy(digest.data(), bytes.data() + at, digest.size());
  return digest;
}

std::string EncodeHeader(const Header& header) {
  const IndexFileKey& key = header.key;
  const size_t total = kFixedBytes + key.model_id.size() + key.factory.size() + sizeof(Digest);
  std::string out(kMagic);
  AppendLittleEndian(kVersion, out);
  AppendLittleEndian(static_cast<uint32_t>(total), out);
  AppendLittleEndian(static_cast<uint32_t>(key.factory.size()), out);
  AppendLittleEndian(static_cast<uint32_t>(key.dimension), out);
  AppendLittleEndian(key.count, out);
  AppendLittleEndian(header.payload_bytes, out);
  AppendDigest(key.source, out);
  AppendDigest(header.payload, out);
  AppendLittleEndian(static_cast<uint16_t>(key.model_id.size()), out);
  out += key.model_id;
  out += key.factory;
  AppendDigest(ComputeSha256(out.data(), out.size()), out);
  return out;
}

/// Reads exactly `size` bytes. Errors: kDataLoss when the file is shorter.
absl::Status ReadFully(int descriptor, const std::string& path, size_t size, void* out) {
  auto* at = static_cast<char*>(out);
  while (size > 0) {
    const ssize_t n = ::read(descriptor, at, std::min(size, kChunkBytes));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return FileError(path, "read");
    if (n == 0) return Damaged(path, fmt::format("ends {} bytes early", size));
    at += n;
    size -= static_cast<size_t>(n);
  }
  return absl::OkStatus();
}

/// Reads and checks the header; leaves the file at the first byte of the payload.
absl::StatusOr<Header> ReadHeader(int descriptor, const std::string& path) {
  std::string bytes(kFixedBytes, '\0');
  absl::Status status = ReadFully(descriptor, path, bytes.size(), bytes.data());
  if (!status.ok()) return status;
  if (!std::string_view(bytes).starts_with(kMagic))
    return Damaged(path, "magic: not a vector index");
  const uint64_t version = ReadLittleEndian(bytes, 8, 4);
  const uint64_t total = ReadLittleEndian(bytes, 12, 4);
  const uint64_t factory_bytes = ReadLittleEndian(bytes, 16, 4);
  const uint64_t model_id_bytes = ReadLittleEndian(bytes, 104, 2);
  if (version != kVersion) {
    return absl::FailedPreconditionError(
        fmt::format("vector index: {}: version: expected {}, found {}", path, kVersion, version));
  }
  const uint64_t expected = kFixedBytes + model_id_bytes + factory_bytes + sizeof(Digest);
  if (model_id_bytes > kMaxModelIdBytes || factory_bytes > kMaxFactoryBytes || total != expected) {
    return Damaged(path, fmt::format("header bytes: expected {}, found {}", expected, total));
  }
  bytes.resize(total);
  status = ReadFully(descriptor, path, total - kFixedBytes, bytes.data() + kFixedBytes);
  if (!status.ok()) return status;
  const size_t covered = total - sizeof(Digest);
  if (ComputeSha256(bytes.data(), covered) != ReadDigest(bytes, covered)) {
    return Damaged(path, "header: its digest does not match");
  }
  Header header;
  header.key.dimension = static_cast<int>(ReadLittleEndian(bytes, 20, 4));
  header.key.count = ReadLittleEndian(bytes, 24, 8);
  header.payload_bytes = ReadLittleEndian(bytes, 32, 8);
  header.key.source = ReadDigest(bytes, 40);
  header.payload = ReadDigest(bytes, 72);
  header.key.model_id = bytes.substr(kFixedBytes, model_id_bytes);
  header.key.factory = bytes.substr(kFixedBytes + model_id_bytes, factory_bytes);
  return header;
}

absl::Status CheckKey(const std::string& path, const Header& header, const IndexFileKey& expected) {
  const IndexFileKey& found = header.key;
  const auto other = [&](std::string_view what, const auto& wanted, const auto& got) {
    return absl::FailedPreconditionError(
        fmt::format("vector index: {}: {}: expected {}, found {}", path, what, wanted, got));
  };
  if (found.factory != expected.factory) return other("index", expected.factory, found.factory);
  if (found.model_id != expected.model_id)
    return other("model id", expected.model_id, found.model_id);
  if (found.dimension != expected.dimension)
    return other("dimension", expected.dimension, found.dimension);
  if (found.count != expected.count) return other("count", expected.count, found.count);
  if (found.source != expected.source) {
    return absl::FailedPreconditionError(
        fmt::format("vector index: {}: made from other ids or vectors", path));
  }
  return absl::OkStatus();
}

/// Reads the rest of the file and compares its length and digest.
absl::Status CheckPayload(int descriptor, const std::string& path, const Header& header) {
  std::vector<char> chunk(kChunkBytes);
  Sha256 hash;
  for (uint64_t left = header.payload_bytes; left > 0;) {
    const auto n = static_cast<size_t>(std::min<uint64_t>(left, kChunkBytes));
    absl::Status status = ReadFully(descriptor, path, n, chunk.data());
    if (!status.ok()) return status;
    hash.Update(chunk.data(), n);
    left -= n;
  }
  if (hash.Finish() != header.payload) return Damaged(path, "payload: its digest does not match");
  if (::read(descriptor, chunk.data(), 1) != 0) return Damaged(path, "bytes follow the payload");
  return absl::OkStatus();
}

/// Leaves room for the header, writes the payload, then the header with the payload's digest.
absl::Status WriteContents(Header header, catalog::DurableFile& file,
                           const std::function<absl::Status(const PayloadSink&)>& write_payload) {
  const std::string room = EncodeHeader(header);
  absl::Status status = file.Write(room.data(), room.size());
  if (!status.ok()) return status;
  Sha256 hash;
  status = write_payload([&](const void* data, size_t size) {
    hash.Update(data, size);
    header.payload_bytes += size;
    return file.Write(data, size);
  });
  if (!status.ok()) return status;
  header.payload = hash.Finish();
  const std::string encoded = EncodeHeader(header);
  return file.Rewrite(0, encoded.data(), encoded.size());
}

}  // namespace

absl::Status WriteIndexFile(const std::string& path, const IndexFileKey& key,
                            const std::function<absl::Status(const PayloadSink&)>& write_payload) {
  if (key.model_id.size() > kMaxModelIdBytes || key.factory.size() > kMaxFactoryBytes) {
    return absl::InvalidArgumentError(
        fmt::format("vector index: key: expected a model id of at most {} bytes and a factory "
                    "string of at most {}, found {} and {}",
                    kMaxModelIdBytes, kMaxFactoryBytes, key.model_id.size(), key.factory.size()));
  }
  auto file = catalog::DurableFile::Create(path);
  if (!file.ok()) return file.status();
  absl::Status status = WriteContents({.key = key}, *file, write_payload);
  return status.ok() ? file->Publish() : status;
}

struct IndexFileReader::Impl {
  Impl(int descriptor, std::string path_in) : file(descriptor), path(std::move(path_in)) {}

  catalog::FileDescriptor file;
  std::string path;
  Header header;
  uint64_t left = 0;
};

IndexFileReader::IndexFileReader(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
IndexFileReader::~IndexFileReader() = default;

absl::StatusOr<std::unique_ptr<IndexFileReader>> IndexFileReader::Open(
    const std::string& path, const IndexFileKey& expected) {
  auto impl = std::make_unique<Impl>(::open(path.c_str(), O_RDONLY | O_CLOEXEC), path);
  const int descriptor = impl->file.get();
  if (descriptor < 0) return FileError(path, "open");
  auto header = ReadHeader(descriptor, path);
  if (!header.ok()) return header.status();
  impl->header = *std::move(header);
  if (absl::Status status = CheckKey(path, impl->header, expected); !status.ok()) return status;
  const off_t payload = ::lseek(descriptor, 0, SEEK_CUR);
  if (absl::Status status = CheckPayload(descriptor, path, impl->header); !status.ok())
    return status;
  if (payload < 0 || ::lseek(descriptor, payload, SEEK_SET) != payload)
    return FileError(path, "seek");
  impl->left = impl->header.payload_bytes;
  return std::unique_ptr<IndexFileReader>(new IndexFileReader(std::move(impl)));
}

uint64_t IndexFileReader::payload_bytes() const { return impl_->header.payload_bytes; }

size_t IndexFileReader::Read(void* data, size_t size) {
  size = static_cast<size_t>(std::min<uint64_t>(size, impl_->left));
  if (!ReadFully(impl_->file.get(), impl_->path, size, data).ok()) return 0;
  impl_->left -= size;
  return size;
}

}  // namespace emptor::retrieval
