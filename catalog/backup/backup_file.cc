// Header, one zstd frame of entries, footer.
#include "catalog/backup/backup_file.h"

#include <zstd.h>

#include <algorithm>
#include <cassert>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <utility>
#include <vector>

#include "catalog/storage/durable_file.h"
#include "fmt/format.h"

namespace emptor::catalog {
namespace {

constexpr std::string_view kMagic = "EMPTBKUP";
constexpr std::string_view kEndMagic = "EMPTBEND";
constexpr uint32_t kVersion = 1;
constexpr size_t kHeaderBytes = 8 + 4 + 4 + 8 + 8 + kSealHeaderBytes;
constexpr size_t kFooterBytes = 8 + 3 * 8 + kSealEntryBytes + sizeof(Digest);
/// Far more than any record of a store. Bounds the memory that a damaged length can request.
constexpr uint64_t kMaxEntryBytes = 1u << 30;
constexpr int kCompressionLevel = 3;

absl::Status FileError(const std::string& path, std::string_view what) {
  const std::string message = fmt::format("backup: {}: {}: {}", path, what, strerror(errno));
  if (errno == ENOENT) return absl::NotFoundError(message);
  return errno == ENOSPC ? absl::ResourceExhaustedError(message) : absl::UnavailableError(message);
}

absl::Status Damaged(const std::string& path, std::string_view what) {
  return absl::DataLossError(fmt::format("backup: {}: {}", path, what));
}

void AppendFixed(uint64_t value, size_t bytes, std::string& out) {
  out.append(reinterpret_cast<const char*>(&value), bytes);
}

uint64_t TakeFixed(std::string_view& bytes, size_t size) {
  uint64_t value = 0;
  std::memcpy(&value, bytes.data(), size);
  bytes.remove_prefix(size);
  return value;
}

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

std::string EncodeHeader(const BackupSeal& seal) {
  std::string out(kMagic);
  AppendFixed(kVersion, 4, out);
  AppendFixed(static_cast<uint32_t>(seal.kind), 4, out);
  AppendFixed(seal.lineage, 8, out);
  AppendFixed(seal.after, 8, out);
  return out + EncodeSealHeader(seal.identity);
}

/// Everything of the footer but the digest.
std::string EncodeFooter(const BackupSeal& seal) {
  std::string out(kEndMagic);
  AppendFixed(static_cast<uint64_t>(seal.first_ms), 8, out);
  AppendFixed(static_cast<uint64_t>(seal.last_ms), 8, out);
  AppendFixed(seal.entries, 8, out);
  return out + EncodeSealEntry(seal.store);
}

absl::StatusOr<BackupSeal> DecodeHeader(const std::string& path, std::string_view bytes) {
  if (!bytes.starts_with(kMagic)) return Damaged(path, "magic: not a file of a backup");
  bytes.remove_prefix(kMagic.size());
  const uint64_t version = TakeFixed(bytes, 4);
  if (version != kVersion) {
    return absl::FailedPreconditionError(
        fmt::format("backup: {}: version: expected {}, found {}", path, kVersion, version));
  }
  BackupSeal seal;
  const uint64_t kind = TakeFixed(bytes, 4);
  if (kind != 1 && kind != 2) return Damaged(path, fmt::format("kind: found {}", kind));
  seal.kind = static_cast<BackupKind>(kind);
  seal.lineage = TakeFixed(bytes, 8);
  seal.after = TakeFixed(bytes, 8);
  auto identity = DecodeSealHeader(bytes);
  if (!identity.ok()) return Damaged(path, std::string(identity.status().message()));
  seal.identity = *std::move(identity);
  return seal;
}

absl::Status DecodeFooter(const std::string& path, std::string_view bytes, BackupSeal& seal) {
  if (!bytes.starts_with(kEndMagic)) return Damaged(path, "its end is missing");
  bytes.remove_prefix(kEndMagic.size());
  seal.first_ms = static_cast<int64_t>(TakeFixed(bytes, 8));
  seal.last_ms = static_cast<int64_t>(TakeFixed(bytes, 8));
  seal.entries = TakeFixed(bytes, 8);
  auto store = DecodeSealEntry(bytes.substr(0, kSealEntryBytes));
  if (!store.ok()) return Damaged(path, std::string(store.status().message()));
  seal.store = *store;
  std::memcpy(seal.digest.data(), bytes.data() + kSealEntryBytes, seal.digest.size());
  return absl::OkStatus();
}

absl::StatusOr<std::string> ReadExactly(std::FILE* file, const std::string& path, size_t size) {
  std::string bytes(size, '\0');
  if (std::fread(bytes.data(), 1, size, file) == size) return bytes;
  return std::ferror(file) != 0 ? FileError(path, "read") : Damaged(path, "cut short");
}

}  // namespace

// ---- Writing

struct BackupWriter::Impl {
  std::string path, temporary;
  BackupSeal seal;
  File file;
  Sha256 hash;
  std::unique_ptr<ZSTD_CCtx, size_t (*)(ZSTD_CCtx*)> packer{ZSTD_createCCtx(), ZSTD_freeCCtx};
  std::vector<char> packed = std::vector<char>(ZSTD_CStreamOutSize());

  absl::Status Write(std::string_view bytes) {
    hash.Update(bytes.data(), bytes.size());
    seal.bytes += bytes.size();
    if (std::fwrite(bytes.data(), 1, bytes.size(), file.get()) == bytes.size()) {
      return absl::OkStatus();
    }
    return FileError(temporary, "write");
  }
  absl::Status Pack(std::string_view bytes, ZSTD_EndDirective directive) {
    ZSTD_inBuffer in{bytes.data(), bytes.size(), 0};
    size_t left = 0;
    do {
      ZSTD_outBuffer out{packed.data(), packed.size(), 0};
      left = ZSTD_compressStream2(packer.get(), &out, &in, directive);
      if (ZSTD_isError(left) != 0) {
        return absl::InternalError(fmt::format("backup: zstd: {}", ZSTD_getErrorName(left)));
      }
      if (absl::Status status = Write({packed.data(), out.pos}); !status.ok()) return status;
    } while (directive == ZSTD_e_end ? left != 0 : in.pos < in.size);
    return absl::OkStatus();
  }
  absl::Status AddEntry(std::string_view entry) {
    std::string size;
    AppendFixed(entry.size(), 8, size);
    ++seal.entries;
    absl::Status status = Pack(size, ZSTD_e_continue);
    return status.ok() ? Pack(entry, ZSTD_e_continue) : status;
  }
};

BackupWriter::BackupWriter(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

BackupWriter::~BackupWriter() {
  if (impl_->file == nullptr) return;
  impl_->file.reset();
  std::error_code ignored;
  std::filesystem::remove(impl_->temporary, ignored);
}

absl::StatusOr<std::unique_ptr<BackupWriter>> BackupWriter::Create(const std::string& path,
                                                                   const BackupSeal& begin) {
  using std::chrono::milliseconds, std::chrono::system_clock;
  auto impl = std::make_unique<Impl>();
  impl->path = path;
  impl->temporary = path + ".new";
  impl->seal.kind = begin.kind;
  impl->seal.identity = begin.identity;
  impl->seal.lineage = begin.lineage;
  impl->seal.after = begin.after;
  if (begin.kind == BackupKind::kBase) {
    impl->seal.first_ms = impl->seal.last_ms =
        std::chrono::duration_cast<milliseconds>(system_clock::now().time_since_epoch()).count();
  }
  ZSTD_CCtx_setParameter(impl->packer.get(), ZSTD_c_compressionLevel, kCompressionLevel);
  impl->file.reset(std::fopen(impl->temporary.c_str(), "wbe"));
  if (impl->file == nullptr) return FileError(impl->temporary, "create");
  if (absl::Status status = impl->Write(EncodeHeader(impl->seal)); !status.ok()) return status;
  return std::unique_ptr<BackupWriter>(new BackupWriter(std::move(impl)));
}

absl::Status BackupWriter::AddRecord(std::string_view key, std::string_view value) {
  assert(impl_->seal.kind == BackupKind::kBase);
  std::string entry;
  AppendFixed(key.size(), 8, entry);
  entry += key;
  entry += value;
  return impl_->AddEntry(entry);
}

absl::Status BackupWriter::AddBatch(const BatchChanges& batch) {
  assert(impl_->seal.kind == BackupKind::kChanges);
  if (impl_->seal.entries == 0) impl_->seal.first_ms = batch.time_unix_ms;
  impl_->seal.last_ms = batch.time_unix_ms;
  std::string entry;
  AppendFixed(batch.sequence, 8, entry);
  return impl_->AddEntry(entry + EncodeBatchChanges(batch));
}

absl::StatusOr<BackupSeal> BackupWriter::Finish(const Seal& store) {
  Impl& impl = *impl_;
  impl.seal.store = store;
  absl::Status status = impl.Pack("", ZSTD_e_end);
  if (status.ok()) status = impl.Write(EncodeFooter(impl.seal));
  if (!status.ok()) return status;
  impl.seal.digest = impl.hash.Finish();
  impl.seal.bytes += impl.seal.digest.size();
  std::FILE* const file = impl.file.get();
  if (std::fwrite(impl.seal.digest.data(), 1, impl.seal.digest.size(), file) !=
          impl.seal.digest.size() ||
      std::fflush(file) != 0) {
    return FileError(impl.temporary, "write");
  }
  if (status = PublishFile(file, impl.temporary, impl.path); !status.ok()) return status;
  impl.file.reset();
  return impl.seal;
}

// ---- Reading

absl::StatusOr<BackupSeal> CheckBackupFile(const std::string& path) {
  const File file(std::fopen(path.c_str(), "rbe"));
  if (file == nullptr) return FileError(path, "open");
  std::error_code error;
  const uintmax_t size = std::filesystem::file_size(path, error);
  if (error || size < kHeaderBytes + kFooterBytes) return Damaged(path, "cut short");
  Sha256 hash;
  auto header = ReadExactly(file.get(), path, kHeaderBytes);
  if (!header.ok()) return header.status();
  absl::StatusOr<BackupSeal> seal = DecodeHeader(path, *header);
  if (!seal.ok()) return seal;
  hash.Update(header->data(), header->size());
  constexpr size_t kPiece = 1u << 20;
  uintmax_t left = size - kHeaderBytes - kFooterBytes;
  while (left > 0) {
    const auto piece = ReadExactly(file.get(), path, std::min<uintmax_t>(left, kPiece));
    if (!piece.ok()) return piece.status();
    hash.Update(piece->data(), piece->size());
    left -= piece->size();
  }
  const auto footer = ReadExactly(file.get(), path, kFooterBytes);
  if (!footer.ok()) return footer.status();
  if (absl::Status status = DecodeFooter(path, *footer, *seal); !status.ok()) return status;
  hash.Update(footer->data(), footer->size() - sizeof(Digest));
  if (hash.Finish() != seal->digest) return Damaged(path, "its digest does not match");
  seal->bytes = size;
  return seal;
}

namespace {

/// Decompresses the entries between header and footer.
class EntryReader {
 public:
  EntryReader(std::FILE* file, std::string path, uint64_t packed_bytes)
      : file_(file), path_(std::move(path)), left_(packed_bytes) {}

  absl::StatusOr<std::string> Next() {
    auto size = Take(8);
    if (!size.ok()) return size;
    std::string_view view = *size;
    const uint64_t bytes = TakeFixed(view, 8);
    if (bytes > kMaxEntryBytes) return Damaged(path_, "an entry too large");
    return Take(bytes);
  }

 private:
  absl::StatusOr<std::string> Take(size_t size) {
    while (ready_.size() - begin_ < size) {
      if (absl::Status status = Decompress(); !status.ok()) return status;
    }
    std::string bytes = ready_.substr(begin_, size);
    begin_ += size;
    return bytes;
  }
  absl::Status Decompress() {
    ready_.erase(0, begin_);
    begin_ = 0;
    if (in_.pos == in_.size) {
      if (left_ == 0) return Damaged(path_, "ends inside an entry");
      auto piece = ReadExactly(file_, path_, std::min<uint64_t>(left_, ZSTD_DStreamInSize()));
      if (!piece.ok()) return piece.status();
      piece_ = *std::move(piece);
      left_ -= piece_.size();
      in_ = {piece_.data(), piece_.size(), 0};
    }
    const size_t old = ready_.size();
    ready_.resize(old + ZSTD_DStreamOutSize());
    ZSTD_outBuffer out{ready_.data() + old, ready_.size() - old, 0};
    const size_t result = ZSTD_decompressStream(decompressor_.get(), &out, &in_);
    ready_.resize(old + out.pos);
    if (ZSTD_isError(result) != 0) return Damaged(path_, ZSTD_getErrorName(result));
    return absl::OkStatus();
  }

  std::FILE* const file_;
  const std::string path_;
  uint64_t left_;  // packed bytes not read yet
  std::unique_ptr<ZSTD_DCtx, size_t (*)(ZSTD_DCtx*)> decompressor_{ZSTD_createDCtx(),
                                                                   ZSTD_freeDCtx};
  std::string piece_;
  ZSTD_inBuffer in_{nullptr, 0, 0};
  std::string ready_;  // decompressed; begin_ bytes of it are taken
  size_t begin_ = 0;
};

absl::Status Deliver(const std::string& path, BackupKind kind, std::string_view entry,
                     const BackupVisitor& visitor) {
  if (entry.size() < 8) return Damaged(path, "an entry cut short");
  const uint64_t number = TakeFixed(entry, 8);  // bytes of the key, or sequence
  if (kind == BackupKind::kBase) {
    if (number > entry.size()) return Damaged(path, "a key longer than its entry");
    return visitor.on_record(entry.substr(0, number), entry.substr(number));
  }
  const absl::StatusOr<BatchChanges> batch = DecodeBatchChanges(number, entry);
  return batch.ok() ? visitor.on_batch(*batch)
                    : Damaged(path, std::string(batch.status().message()));
}

}  // namespace

absl::StatusOr<BackupSeal> ReadBackupFile(const std::string& path, const BackupVisitor& visitor) {
  absl::StatusOr<BackupSeal> seal = CheckBackupFile(path);
  if (!seal.ok()) return seal;
  const File file(std::fopen(path.c_str(), "rbe"));
  if (file == nullptr) return FileError(path, "open");
  if (std::fseek(file.get(), kHeaderBytes, SEEK_SET) != 0) return FileError(path, "seek");
  EntryReader entries(file.get(), path, seal->bytes - kHeaderBytes - kFooterBytes);
  for (uint64_t i = 0; i < seal->entries; ++i) {
    const absl::StatusOr<std::string> entry = entries.Next();
    if (!entry.ok()) return entry.status();
    absl::Status status = Deliver(path, seal->kind, *entry, visitor);
    if (!status.ok()) return status;
  }
  return seal;
}

}  // namespace emptor::catalog
