// Each part of each segment as a section: its length, then its bytes.
#include "retrieval/segment/segment_file.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "catalog/encoding/sha256.h"
#include "retrieval/byte_codec.h"
#include "retrieval/filter/filter_columns_codec.h"

namespace emptor::retrieval {
namespace {

using catalog::Digest;
using catalog::Sha256;

constexpr std::string_view kMagic = "EMPTORSG";

/// Text in which a change of the analyzer shows: cases, accents, units, plurals, scripts.
constexpr std::string_view kSample =
    "The WH-1000XM5's boxes, 27\" and 2,5 l, iPhone15 wi-fi caf\xC3\xA9 l'eau studies running "
    "Gro\xC3\x9F"
    "e K\xC3\xBChlschr\xC3\xA4nke ordinateurs port\xC3\xA1tiles "
    "\xE6\x97\xA0\xE7\xBA\xBF\xE8\x80\xB3\xE6\x9C\xBA \xE3\x82\xA4\xE3\x83\xA4\xE3\x83\x9B\xE3\x83"
    "\xB3 10-15 3.5mm 1.000,50 \xED\x97\xA4\xEB\x93\x9C\xED\x8F\xB0";

absl::Status Damaged(size_t number, std::string_view what) {
  return absl::DataLossError(fmt::format("segment {}: {} is damaged", number, what));
}

absl::Status PutSection(std::string_view bytes, const SealedPayloadSink& sink) {
  const uint64_t size = bytes.size();
  absl::Status status = sink(&size, sizeof size);
  return status.ok() && size > 0 ? sink(bytes.data(), bytes.size()) : status;
}

std::string EncodeIds(const Segment& segment) {
  ByteWriter out;
  for (const std::string& id : segment.ids) out.PutText(id);
  return out.Take();
}

absl::Status PutLexical(const InvertedIndex& index, const SealedPayloadSink& sink) {
  const uint64_t size = index.byte_size();
  const absl::Status status = sink(&size, sizeof size);
  return status.ok() ? index.Write(sink) : status;
}

absl::Status PutRows(const QuantizedRows& rows, const SealedPayloadSink& sink) {
  const auto width = static_cast<size_t>(rows.dimension());
  const uint64_t size = rows.size() * (2 * width + sizeof(float));
  absl::Status status = sink(&size, sizeof size);
  for (uint32_t r = 0; r < rows.size() && status.ok(); ++r) {
    const float scale = rows.scale_at(r);
    status = sink(&scale, sizeof scale);
    if (status.ok()) status = sink(rows.coarse_at(r), width);
    if (status.ok()) status = sink(rows.fine_at(r), width);
  }
  return status;
}

absl::Status WriteSegment(const SegmentView& view, const SealedPayloadSink& sink) {
  const Segment& segment = *view.segment;
  const std::span<const uint64_t> live = view.live->words();
  absl::Status status = PutSection(EncodeIds(segment), sink);
  if (status.ok()) status = PutSection(segment.identifiers.Encode(), sink);
  if (status.ok()) status = PutSection(EncodeFilterColumns(view.columns()), sink);
  if (status.ok()) status = PutSection(segment.groups.Encode(), sink);
  if (status.ok()) status = PutLexical(segment.lexical, sink);
  if (status.ok()) status = PutRows(segment.vectors->rows(), sink);
  if (!status.ok()) return status;
  return PutSection({reinterpret_cast<const char*>(live.data()), live.size_bytes()}, sink);
}

/// Reads one segment after the other from the sections.
class SegmentReader {
 public:
  SegmentReader(const MappedPayload& payload, int dimension,
                const StoredVectorFactory& make_vectors)
      : payload_(payload),
        in_(payload.bytes),
        dimension_(static_cast<size_t>(dimension)),
        make_vectors_(make_vectors) {}

  absl::StatusOr<StoredSegments> Run() {
    StoredSegments stored;
    const auto count = in_.Get<uint32_t>();
    const auto attachment = Section();
    stored.attachment.assign(reinterpret_cast<const char*>(attachment.data()), attachment.size());
    for (uint32_t s = 0; s < count && in_.ok(); ++s) {
      auto view = ReadOne(s);
      if (!view.ok()) return view.status();
      stored.views.push_back(*std::move(view));
    }
    if (!in_.done() || count == 0)
      return absl::DataLossError("segments: truncated, or bytes follow the end");
    return stored;
  }

 private:
  std::span<const uint8_t> Section() { return in_.GetBytes(in_.Get<uint64_t>()); }

  absl::StatusOr<SegmentView> ReadOne(size_t number) {
    auto segment = std::make_shared<Segment>();
    if (!ReadIds(segment->ids)) return Damaged(number, "ids");
    if (!segment->identifiers.Decode(Section(), segment->size())) {
      return Damaged(number, "identifiers");
    }
    auto columns = DecodeFilterColumns(Section());
    if (!columns.ok()) return columns.status();
    segment->columns = *std::move(columns);
    auto groups = ItemGroups::Decode(Section());
    if (!groups.ok()) return groups.status();
    segment->groups = *std::move(groups);
    auto lexical = InvertedIndex::Parse(Section(), payload_.owner);
    if (!lexical.ok()) return lexical.status();
    segment->lexical = *std::move(lexical);
    QuantizedRows rows(static_cast<int>(dimension_));
    if (!ReadRows(segment->size(), rows)) return Damaged(number, "vectors");
    auto live = std::make_shared<RecordSet>(segment->size());
    if (!ReadLive(*live)) return Damaged(number, "set of live records");
    if (segment->columns.record_count() != segment->size() ||
        segment->groups.record_count() != segment->size() ||
        segment->lexical.record_count() != segment->size()) {
      return Damaged(number, "number of records");
    }
    auto vectors = make_vectors_(number, segment->ids, std::move(rows));
    if (!vectors.ok()) return vectors.status();
    segment->vectors = *std::move(vectors);
    segment->CountBytes();
    const size_t live_count = live->count();
    return SegmentView{
        .segment = std::move(segment), .live = std::move(live), .live_count = live_count};
  }

  bool ReadIds(std::vector<std::string>& ids) {
    const auto section = Section();
    for (ByteReader in(section); !in.done();) {
      const std::string_view id = in.GetText();
      if (!in.ok() || id.empty() || (!ids.empty() && id <= ids.back())) return false;
      ids.emplace_back(id);
    }
    return in_.ok();
  }

  bool ReadRows(size_t count, QuantizedRows& rows) {
    const auto section = Section();
    const size_t stride = 2 * dimension_ + sizeof(float);
    if (section.size() != count * stride) return false;
    rows.Reserve(count);
    for (size_t r = 0; r < count; ++r) {
      const auto row = section.subspan(r * stride, stride);
      float scale = 0;
      std::memcpy(&scale, row.data(), sizeof scale);
      if (!std::isfinite(scale) || scale < 0) return false;
      rows.AddCodes(scale, row.subspan(sizeof scale, dimension_), row.last(dimension_));
    }
    return true;
  }

  bool ReadLive(RecordSet& live) {
    const auto section = Section();
    if (section.size() != live.words().size_bytes()) return false;
    for (uint32_t r = 0; r < live.size(); ++r) {
      if (section[r / 8] >> (r % 8) & 1) live.Insert(r);
    }
    return true;
  }

  const MappedPayload& payload_;
  ByteReader in_;
  size_t dimension_;
  const StoredVectorFactory& make_vectors_;
};

}  // namespace

SealedFileKind SegmentFileKind(const Analyzer& analyzer, std::string_view model_id,
                               std::string_view source) {
  Sha256 reading;
  analyzer.ForEachTerm(kSample, TextRole::kRecord, [&](std::string_view term) {
    reading.Update(term.data(), term.size());
    reading.Update("\n", 1);
  });
  SealedFileKind kind{.magic = kMagic, .version = kSegmentFileVersion, .key = {}};
  for (const uint8_t byte : reading.Finish()) kind.key += fmt::format("{:02x}", byte);
  kind.key += fmt::format("\ncolumns {}\n{}\n{}", kFilterColumnsVersion, model_id, source);
  return kind;
}

absl::Status WriteSegments(std::span<const SegmentView> views, std::string_view attachment,
                           const SealedPayloadSink& sink) {
  const auto count = static_cast<uint32_t>(views.size());
  absl::Status status = sink(&count, sizeof count);
  if (status.ok()) status = PutSection(attachment, sink);
  for (const SegmentView& view : views) {
    if (status.ok()) status = WriteSegment(view, sink);
  }
  return status;
}

absl::StatusOr<StoredSegments> ReadSegments(const MappedPayload& payload, int dimension,
                                            const StoredVectorFactory& make_vectors) {
  return SegmentReader(payload, dimension, make_vectors).Run();
}

}  // namespace emptor::retrieval
