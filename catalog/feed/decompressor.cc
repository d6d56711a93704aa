// The ratio is checked after each step, so a decompression bomb costs no more than its limit.
#include "catalog/feed/decompressor.h"

#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "fmt/format.h"

namespace emptor::catalog {
namespace {

using View = std::string_view;

constexpr size_t kPiece = 128u << 10;
constexpr size_t kMagicBytes = 4;
constexpr View kGzipMagic = "\x1F\x8B";
constexpr View kZstdMagic = "\x28\xB5\x2F\xFD";
constexpr int kMaxWindowLog = 25;

absl::Status Damaged(View format, View what) {
  return absl::InvalidArgumentError(fmt::format("{}: {}", format, what));
}

absl::Status After(const absl::Status& status, uint64_t decompressed) {
  return absl::InvalidArgumentError(
      fmt::format("{}, after byte {} of the decompressed feed: the rest is lost",
                  std::string(status.message()), decompressed));
}

}  // namespace

class Decompressor::Codec {
 public:
  virtual ~Codec() = default;
  struct Decompressed {
    View text;            // in the piece, up to the damage
    absl::Status status;  // the damage
  };
  /// Decompresses the front of `bytes` into `piece` and removes it from `bytes`. The text before
  /// damage does not depend on how the feed is cut.
  virtual Decompressed Step(View& bytes, std::vector<char>& piece) = 0;
  /// True when the feed may end here.
  virtual bool at_end() const = 0;
};

class Decompressor::Gzip final : public Codec {
 public:
  Gzip() { ok_ = inflateInit2(&stream_, 15 + 16) == Z_OK; }
  ~Gzip() override { inflateEnd(&stream_); }
  Gzip(const Gzip&) = delete;
  Gzip& operator=(const Gzip&) = delete;

  Decompressed Step(View& bytes, std::vector<char>& piece) override {
    if (!ok_) return {.text = {}, .status = absl::ResourceExhaustedError("gzip: no memory")};
    if (at_end_) {
      // Zeros pad an archive; anything else is the next member.
      const size_t next = bytes.find_first_not_of('\0');
      bytes.remove_prefix(std::min(next, bytes.size()));
      if (bytes.empty()) return {};
      inflateReset(&stream_);
      at_end_ = false;
    }
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    stream_.avail_in = static_cast<uInt>(std::min<size_t>(bytes.size(), kPiece));
    const uInt given = stream_.avail_in;
    stream_.next_out = reinterpret_cast<Bytef*>(piece.data());
    stream_.avail_out = static_cast<uInt>(piece.size());
    const int result = inflate(&stream_, Z_NO_FLUSH);
    bytes.remove_prefix(given - stream_.avail_in);
    Decompressed out{.text = View(piece.data(), piece.size() - stream_.avail_out), .status = {}};
    if (result == Z_STREAM_END) {
      at_end_ = true;
    } else if (result != Z_OK && result != Z_BUF_ERROR) {
      out.status = Damaged("gzip", stream_.msg != nullptr ? stream_.msg : "damaged");
    }
    return out;
  }
  bool at_end() const override { return at_end_; }

 private:
  z_stream stream_ = {};
  bool ok_ = false;
  bool at_end_ = false;
};

class Decompressor::Zstd final : public Codec {
 public:
  Zstd() : stream_(ZSTD_createDCtx()) {
    ZSTD_DCtx_setParameter(stream_, ZSTD_d_windowLogMax, kMaxWindowLog);
  }
  ~Zstd() override { ZSTD_freeDCtx(stream_); }
  Zstd(const Zstd&) = delete;
  Zstd& operator=(const Zstd&) = delete;

  // One block per call: an error discards what the same call made of the blocks before it.
  Decompressed Step(View& bytes, std::vector<char>& piece) override {
    ZSTD_inBuffer in{bytes.data(), std::min(bytes.size(), wanted_), 0};
    ZSTD_outBuffer out{piece.data(), piece.size(), 0};
    const size_t left = ZSTD_decompressStream(stream_, &out, &in);
    if (ZSTD_isError(left) != 0) {
      return {.text = {}, .status = Damaged("zstd", ZSTD_getErrorName(left))};
    }
    bytes.remove_prefix(in.pos);
    at_end_ = left == 0;
    // zstd asks for the rest of the block and the header of the next one.
    wanted_ = left > kBlockHeader ? left - kBlockHeader : std::max<size_t>(left, 1);
    return {.text = View(piece.data(), out.pos), .status = {}};
  }
  bool at_end() const override { return at_end_; }

 private:
  static constexpr size_t kBlockHeader = 3;

  ZSTD_DCtx* stream_;
  size_t wanted_ = 1;  // bytes to the end of the block, or of its header
  bool at_end_ = false;
};

Decompressor::Decompressor(ByteSink sink) : sink_(std::move(sink)) {}
Decompressor::~Decompressor() = default;

absl::Status Decompressor::Push(View bytes) {
  if (!status_.ok()) return status_;
  if (begun_) return status_ = codec_ ? Decompress(bytes) : sink_(bytes);
  head_ += bytes;
  if (head_.size() >= kMagicBytes) status_ = Begin();
  return status_;
}

// Chooses the codec by the first bytes, which were held back.
absl::Status Decompressor::Begin() {
  begun_ = true;
  if (head_.starts_with(kGzipMagic)) codec_ = std::make_unique<Gzip>();
  if (head_.starts_with(kZstdMagic)) codec_ = std::make_unique<Zstd>();
  const std::string head = std::move(head_);
  return codec_ ? Decompress(head) : sink_(head);
}

absl::Status Decompressor::Decompress(View bytes) {
  std::vector<char> piece(kPiece);
  bool full = false;  // the last step may have more output
  compressed_ += bytes.size();
  while (!bytes.empty() || full) {
    const size_t before = bytes.size();
    const auto [text, damage] = codec_->Step(bytes, piece);
    decompressed_ += text.size();
    if (decompressed_ > kFreeBytes && decompressed_ / kMaxRatio > compressed_ - bytes.size()) {
      return absl::InvalidArgumentError(
          fmt::format("decompresses to more than {} times its size: refused after {} bytes",
                      kMaxRatio, decompressed_));
    }
    if (!text.empty()) {
      if (absl::Status status = sink_(text); !status.ok()) return status;
    }
    if (!damage.ok()) return After(damage, decompressed_);
    full = text.size() == piece.size();
    if (text.empty() && bytes.size() == before && !full) break;
  }
  return absl::OkStatus();
}

absl::Status Decompressor::Finish() {
  if (status_.ok() && !begun_) status_ = Begin();
  if (status_.ok() && codec_ && !codec_->at_end()) {
    status_ = absl::InvalidArgumentError("the compressed feed is cut off");
  }
  return status_;
}

}  // namespace emptor::catalog
