// ICU converts, and detects the encoding where nothing declares it; UTF-8 is not converted.
#include "catalog/feed/text_decoder.h"

#include <unicode/ucnv.h>
#include <unicode/ucsdet.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "catalog/encoding/utf8.h"
#include "catalog/feed/amount.h"
#include "fmt/format.h"

namespace emptor::catalog {
namespace {

using View = std::string_view;

constexpr size_t kHeadBytes = 1024;
constexpr size_t kWindow = 64u << 10;
constexpr View kUtf8 = "UTF-8";
constexpr size_t kMixedShare = 10;
constexpr int32_t kMinConfidence = 20;  // of 100; a few characters give less

bool IsAscii(char c) { return static_cast<unsigned char>(c) < 0x80; }

// The encoding that follows from the first bytes; "" if none does.
std::string EncodingOfMark(View head) {
  if (head.starts_with("\xEF\xBB\xBF")) return std::string(kUtf8);
  if (head.starts_with(View("\xFF\xFE\0\0", 4))) return "UTF-32LE";
  if (head.starts_with(View("\0\0\xFE\xFF", 4))) return "UTF-32BE";
  if (head.starts_with("\xFF\xFE")) return "UTF-16LE";
  if (head.starts_with("\xFE\xFF")) return "UTF-16BE";
  head.remove_suffix(head.size() % 2);
  size_t even = 0, odd = 0;
  for (size_t i = 0; i + 1 < head.size(); i += 2) {
    even += head[i] == 0 ? 1 : 0;
    odd += head[i + 1] == 0 ? 1 : 0;
  }
  const size_t pairs = head.size() / 2;
  if (pairs >= 2 && odd * 10 > pairs * 7 && even == 0) return "UTF-16LE";
  if (pairs >= 2 && even * 10 > pairs * 7 && odd == 0) return "UTF-16BE";
  return {};
}

// <?xml version="1.0" encoding="ISO-8859-1"?>
std::string DeclaredEncoding(View head) {
  const size_t first = std::min(head.find_first_not_of(" \t\r\n"), head.size());
  head.remove_prefix(first);
  if (!head.starts_with("<?xml")) return {};
  const View declaration = head.substr(0, head.find("?>"));
  const size_t name = declaration.find("encoding");
  if (name == View::npos) return {};
  const size_t quote = declaration.find_first_of("'\"", name);
  if (quote == View::npos) return {};
  const size_t end = declaration.find(declaration[quote], quote + 1);
  return end == View::npos ? "" : std::string(declaration.substr(quote + 1, end - quote - 1));
}

struct Tally {
  size_t sound = 0;   // characters of several bytes
  size_t broken = 0;  // bytes that begin none
};

Tally CountUtf8(View text) {
  Tally tally;
  while (!text.empty()) {
    const CodePoint point = DecodeUtf8(text);
    if (point.bytes == 0) {
      if (text.size() < 4) break;  // a character may be cut by the window
      ++tally.broken;
      text.remove_prefix(1);
    } else {
      tally.sound += point.bytes > 1 ? 1 : 0;
      text.remove_prefix(point.bytes);
    }
  }
  return tally;
}

// Encodings that do not contain ASCII were detected before. Latin-1 in feeds means Windows-1252.
std::string DetectEncoding(View text) {
  UErrorCode error = U_ZERO_ERROR;
  UCharsetDetector* detector = ucsdet_open(&error);
  std::string name = "windows-1252";
  ucsdet_setText(detector, text.data(), static_cast<int32_t>(text.size()), &error);
  int32_t count = 0;
  const UCharsetMatch** matches = ucsdet_detectAll(detector, &count, &error);
  for (int32_t i = 0; U_SUCCESS(error) && i < count; ++i) {
    const View found = ucsdet_getName(matches[i], &error);
    if (ucsdet_getConfidence(matches[i], &error) < kMinConfidence) break;
    if (found.starts_with("UTF") || found.starts_with("ISO-2022") || found.starts_with("IBM")) {
      continue;
    }
    if (found != "ISO-8859-1") name = found;
    break;
  }
  ucsdet_close(detector);
  return name;
}

}  // namespace

class TextDecoder::Converter {
 public:
  explicit Converter(const std::string& name) {
    UErrorCode error = U_ZERO_ERROR;
    from_ = ucnv_open(name.c_str(), &error);
    to_ = ucnv_open("UTF-8", &error);
    units_.resize(16384);
    target_ = source_ = units_.data();
  }
  ~Converter() {
    ucnv_close(from_);
    ucnv_close(to_);
  }
  Converter(const Converter&) = delete;
  Converter& operator=(const Converter&) = delete;

  bool ok() const { return from_ != nullptr && to_ != nullptr; }

  // Bytes that are no character become U+FFFD.
  absl::Status Convert(View bytes, bool at_end, const ByteSink& sink) {
    std::array<char, 32768> piece;
    if (bytes.empty()) bytes = View("");  // ICU wants an address
    const char* from = bytes.data();
    const char* const end = from + bytes.size();
    for (bool more = true; more;) {
      UErrorCode error = U_ZERO_ERROR;
      char* to = piece.data();
      ucnv_convertEx(to_, from_, &to, piece.data() + piece.size(), &from, end, units_.data(),
                     &source_, &target_, units_.data() + units_.size(), false, at_end, &error);
      more = error == U_BUFFER_OVERFLOW_ERROR;
      if (U_FAILURE(error) && !more) {
        return absl::InvalidArgumentError(fmt::format("encoding: {}", u_errorName(error)));
      }
      const View text(piece.data(), static_cast<size_t>(to - piece.data()));
      if (text.empty()) continue;
      if (absl::Status status = sink(text); !status.ok()) return status;
    }
    return absl::OkStatus();
  }

 private:
  UConverter* from_ = nullptr;
  UConverter* to_ = nullptr;
  std::vector<UChar> units_;
  UChar* source_ = nullptr;
  UChar* target_ = nullptr;
};

TextDecoder::TextDecoder(ByteSink sink) : sink_(std::move(sink)) {}
TextDecoder::~TextDecoder() = default;

absl::Status TextDecoder::Push(View bytes) {
  if (!status_.ok() || bytes.empty()) return status_;
  switch (state_) {
    case State::kUtf8:
      return status_ = sink_(bytes);
    case State::kConverting:
      return status_ = Convert(bytes, false);
    case State::kHead:
      held_ += bytes;
      return status_ = LookAtHead(false);
    case State::kAscii:
    case State::kGathering:
      held_ += bytes;
      return status_ = LookAtText(false);
  }
  return status_;
}

absl::Status TextDecoder::Finish() {
  if (status_.ok() && state_ == State::kHead) status_ = LookAtHead(true);
  if (status_.ok() && (state_ == State::kAscii || state_ == State::kGathering)) {
    status_ = LookAtText(true);
  }
  if (status_.ok() && state_ == State::kConverting) status_ = Convert({}, true);
  if (encoding_.empty()) encoding_ = kUtf8;
  return status_;
}

absl::Status TextDecoder::LookAtHead(bool at_end) {
  if (held_.size() < kHeadBytes && !at_end) return absl::OkStatus();
  std::string name = EncodingOfMark(View(held_).substr(0, kHeadBytes));
  if (name.empty()) name = DeclaredEncoding(View(held_).substr(0, kHeadBytes));
  // A declaration that can be read as ASCII is not in UTF-16, whatever it says.
  const bool wide = name.starts_with("UTF-16") || name.starts_with("utf-16");
  if (wide && held_.starts_with("<?xml")) name = kUtf8;
  if (ucnv_compareNames(name.c_str(), "ISO-8859-1") == 0) name = "windows-1252";
  if (!name.empty()) return Use(std::move(name), std::exchange(held_, {}));
  state_ = State::kAscii;
  return LookAtText(at_end);
}

absl::Status TextDecoder::LookAtText(bool at_end) {
  if (state_ == State::kAscii) {
    const auto other = std::find_if_not(held_.begin(), held_.end(), IsAscii);
    const auto ascii = static_cast<size_t>(other - held_.begin());
    const std::string plain = held_.substr(0, ascii);
    held_.erase(0, ascii);
    if (!held_.empty()) state_ = State::kGathering;
    if (!plain.empty()) {
      if (absl::Status status = sink_(plain); !status.ok()) return status;
    }
  }
  if (held_.empty() || (held_.size() < kWindow && !at_end)) return absl::OkStatus();
  const View window = View(held_).substr(0, kWindow);
  const Tally tally = CountUtf8(window);
  std::string name(kUtf8);
  if (tally.broken > tally.sound) name = DetectEncoding(window);
  // Alphabets of one byte hold next to nothing that reads as UTF-8: that is a feed of two
  // encodings, of which the other would be taken for signs that nobody wrote.
  const bool is_mixed = tally.sound * kMixedShare > tally.broken;
  if (is_mixed && name.starts_with("windows-")) name = kUtf8;
  return Use(std::move(name), std::exchange(held_, {}));
}

absl::Status TextDecoder::Use(std::string name, View bytes) {
  encoding_ = std::move(name);
  const bool is_utf8 = ucnv_compareNames(encoding_.c_str(), "UTF-8") == 0;
  if (is_utf8 || ucnv_compareNames(encoding_.c_str(), "US-ASCII") == 0) {
    state_ = State::kUtf8;
    return sink_(bytes);
  }
  converter_ = std::make_unique<Converter>(encoding_);
  if (!converter_->ok()) {
    return absl::InvalidArgumentError(fmt::format("unknown encoding {}", Quoted(encoding_)));
  }
  state_ = State::kConverting;
  return Convert(bytes, false);
}

absl::Status TextDecoder::Convert(View bytes, bool at_end) {
  return converter_->Convert(bytes, at_end, sink_);
}

}  // namespace emptor::catalog
