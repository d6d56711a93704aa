// The ratio is watched while unpacking, so a bomb costs no more than what it may unpack to.
#include "catalog/feed/unpack.h"

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

absl::Status After(const absl::Status& status, uint64_t unpacked) {
  return absl::InvalidArgumentError(
      fmt::format("{}, behind byte {} of what is packed: the rest is lost",
                  std::string(status.message()), unpacked));
}

}  // namespace

class Unpacker::Codec {
 public:
  virtual ~Codec() = default;
  struct Unpacked {
    View text;            // in the piece; what came before the damage, too
    absl::Status status;  // the damage
  };
  /// Unpacks some of `bytes` into `piece` and takes them off. However a feed is cut, the same text
  /// comes before its damage.
  virtual Unpacked Step(View& bytes, std::vector<char>& piece) = 0;
  /// Nothing is missing when the feed ends here.
  virtual bool at_end() const = 0;
};

class Unpacker::Gzip final : public Codec {
 public:
  Gzip() { ok_ = inflateInit2(&stream_, 15 + 16) == Z_OK; }
  ~Gzip() override { inflateEnd(&stream_); }
  Gzip(const Gzip&) = delete;
  Gzip& operator=(const Gzip&) = delete;

  Unpacked Step(View& bytes, std::vector<char>& piece) override {
    if (!ok_) return {.text = {}, .status = absl::ResourceExhaustedError("gzip: no memory")};
    if (at_end_) {
      // Zeros pad an archive; what else follows is another member.
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
    Unpacked out{.text = View(piece.data(), piece.size() - stream_.avail_out), .status = {}};
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

class Unpacker::Zstd final : public Codec {
 public:
  Zstd() : stream_(ZSTD_createDCtx()) {
    ZSTD_DCtx_setParameter(stream_, ZSTD_d_windowLogMax, kMaxWindowLog);
  }
  ~Zstd() override { ZSTD_freeDCtx(stream_); }
  Zstd(const Zstd&) = delete;
  Zstd& operator=(const Zstd&) = delete;

  // A block at a time: a damaged one takes along what the same call made of those before it.
  Unpacked Step(View& bytes, std::vector<char>& piece) override {
    ZSTD_inBuffer in{bytes.data(), std::min(bytes.size(), wanted_), 0};
    ZSTD_outBuffer out{piece.data(), piece.size(), 0};
    const size_t left = ZSTD_decompressStream(stream_, &out, &in);
    if (ZSTD_isError(left) != 0) {
      return {.text = {}, .status = Damaged("zstd", ZSTD_getErrorName(left))};
    }
    bytes.remove_prefix(in.pos);
    at_end_ = left == 0;
    // What zstd asks for is the rest of a block and the header of the next.
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

Unpacker::Unpacker(ByteSink sink) : sink_(std::move(sink)) {}
Unpacker::~Unpacker() = default;

absl::Status Unpacker::Push(View bytes) {
  if (!status_.ok()) return status_;
  if (begun_) return status_ = codec_ ? Unpack(bytes) : sink_(bytes);
  head_ += bytes;
  if (head_.size() >= kMagicBytes) status_ = Begin();
  return status_;
}

// Passes on what was kept to tell the format.
absl::Status Unpacker::Begin() {
  begun_ = true;
  if (head_.starts_with(kGzipMagic)) codec_ = std::make_unique<Gzip>();
  if (head_.starts_with(kZstdMagic)) codec_ = std::make_unique<Zstd>();
  const std::string head = std::move(head_);
  return codec_ ? Unpack(head) : sink_(head);
}

absl::Status Unpacker::Unpack(View bytes) {
  std::vector<char> piece(kPiece);
  bool full = false;  // the last step may have had more to give
  packed_ += bytes.size();
  while (!bytes.empty() || full) {
    const size_t before = bytes.size();
    const auto [text, damage] = codec_->Step(bytes, piece);
    unpacked_ += text.size();
    if (unpacked_ > kFreeBytes && unpacked_ / kMaxRatio > packed_ - bytes.size()) {
      return absl::InvalidArgumentError(fmt::format(
          "unpacks to more than {} times its size: refused after {} bytes", kMaxRatio, unpacked_));
    }
    if (!text.empty()) {
      if (absl::Status status = sink_(text); !status.ok()) return status;
    }
    if (!damage.ok()) return After(damage, unpacked_);
    full = text.size() == piece.size();
    if (text.empty() && bytes.size() == before && !full) break;
  }
  return absl::OkStatus();
}

absl::Status Unpacker::Finish() {
  if (status_.ok() && !begun_) status_ = Begin();
  if (status_.ok() && codec_ && !codec_->at_end()) {
    status_ = absl::InvalidArgumentError("the packed feed ends before its end");
  }
  return status_;
}

}  // namespace emptor::catalog
