// Replays a corpus folder through a fuzz target under any compiler, and a fixed number of seeded
// mutations of each file: <target> CORPUS_DIR [MUTATIONS] [SEED].
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace {

using Bytes = std::vector<uint8_t>;

Bytes ReadFile(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return Bytes(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
}

/// One to four small damages: a flipped bit, a cut, a repeated span, a byte from the edges of its
/// range.
Bytes Mutate(Bytes bytes, std::mt19937_64& random) {
  const auto below = [&random](size_t n) { return n == 0 ? 0 : random() % n; };
  for (size_t edits = 1 + below(4); edits > 0 && !bytes.empty(); --edits) {
    const size_t at = below(bytes.size());
    switch (below(5)) {
      case 0:
        bytes[at] = static_cast<uint8_t>(bytes[at] ^ (1u << below(8)));
        break;
      case 1:
        bytes.resize(at);
        break;
      case 2: {
        const Bytes span(bytes.begin() + static_cast<long>(at),
                         bytes.begin() + static_cast<long>(std::min(bytes.size(), at + 16)));
        bytes.insert(bytes.begin() + static_cast<long>(at), span.begin(), span.end());
        break;
      }
      case 3:
        bytes.erase(bytes.begin() + static_cast<long>(at));
        break;
      default:
        bytes[at] = std::vector<uint8_t>{0, 0xff, 0x7f, 0x80, '"', '\n'}[below(6)];
    }
  }
  return bytes;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: %s CORPUS_DIR [MUTATIONS] [SEED]\n", argv[0]);
    return 2;
  }
  const int mutations = argc > 2 ? std::atoi(argv[2]) : 200;
  const uint64_t seed = argc > 3 ? std::strtoull(argv[3], nullptr, 10) : 1;
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(argv[1])) {
    if (entry.is_regular_file()) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  std::mt19937_64 random(seed);
  for (const auto& path : files) {
    const Bytes bytes = ReadFile(path);
    LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
    for (int i = 0; i < mutations; ++i) {
      const Bytes mutated = Mutate(bytes, random);
      LLVMFuzzerTestOneInput(mutated.data(), mutated.size());
    }
  }
  std::printf("%zu files, %d mutations each, seed %llu: no crash\n", files.size(), mutations,
              static_cast<unsigned long long>(seed));
  return files.empty() ? 1 : 0;
}
