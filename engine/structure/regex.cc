// A parser by recursive descent, and the automaton of Thompson 1968 built back to front.
#include "engine/structure/regex.h"

#include <optional>
#include <string>
#include <utility>

#include "fmt/format.h"

namespace emptor::engine {
namespace {

constexpr size_t kMaxBytes = 16384;
constexpr int kMaxDepth = 64;
constexpr int kMaxCount = 4096;

CodePointSet SetOf(std::initializer_list<std::pair<char, char>> ranges) {
  CodePointSet set;
  for (const auto& [low, high] : ranges) {
    set.Add(static_cast<uint8_t>(low), static_cast<uint8_t>(high));
  }
  return set;
}

/// The class behind `\d`, `\W` and the like.
std::optional<CodePointSet> NamedClass(char letter) {
  switch (letter) {
    case 'd':
      return SetOf({{'0', '9'}});
    case 'D':
      return SetOf({{'0', '9'}}).Complement();
    case 'w':
      return SetOf({{'0', '9'}, {'A', 'Z'}, {'a', 'z'}, {'_', '_'}});
    case 'W':
      return SetOf({{'0', '9'}, {'A', 'Z'}, {'a', 'z'}, {'_', '_'}}).Complement();
    case 's':
      return SetOf({{'\t', '\r'}, {' ', ' '}});
    case 'S':
      return SetOf({{'\t', '\r'}, {' ', ' '}}).Complement();
    default:
      return std::nullopt;
  }
}

}  // namespace

class RegexParser {
 public:
  explicit RegexParser(std::string_view pattern) : pattern_(pattern) {}

  absl::StatusOr<Regex> Parse() {
    if (pattern_.size() > kMaxBytes) {
      return absl::InvalidArgumentError(fmt::format("byte {}: expected at most {} bytes, found {}",
                                                    kMaxBytes, kMaxBytes, pattern_.size()));
    }
    const size_t root = Alternation(0);
    if (status_.ok() && at_ < pattern_.size()) Fail("a `)` without its `(`");
    if (!status_.ok()) return status_;
    regex_.root_ = root;
    return std::move(regex_);
  }

 private:
  using Node = Regex::Node;

  bool Done() const { return !status_.ok() || at_ >= pattern_.size(); }
  char Peek() const { return pattern_[at_]; }
  bool Take(std::string_view text) {
    if (!status_.ok() || !pattern_.substr(at_).starts_with(text)) return false;
    at_ += text.size();
    return true;
  }
  void Fail(std::string_view what) { FailAt(at_, what); }
  void FailAt(size_t byte, std::string_view what) {
    if (status_.ok()) status_ = absl::InvalidArgumentError(fmt::format("byte {}: {}", byte, what));
  }
  size_t Add(Node node) {
    regex_.nodes_.push_back(std::move(node));
    return regex_.nodes_.size() - 1;
  }

  size_t Alternation(int depth) {
    Node node{.kind = Node::Kind::kAlternate, .set = {}, .children = {}};
    do {
      node.children.push_back(Sequence(depth));
    } while (Take("|"));
    return node.children.size() == 1 ? node.children[0] : Add(std::move(node));
  }

  size_t Sequence(int depth) {
    Node node{.kind = Node::Kind::kConcat, .set = {}, .children = {}};
    if (depth == 0) Take("^");
    while (!Done() && Peek() != '|' && Peek() != ')') {
      if (depth == 0 && Peek() == '$' && (at_ + 1 == pattern_.size() || pattern_[at_ + 1] == '|')) {
        ++at_;
        break;
      }
      node.children.push_back(Repeats(depth));
    }
    return Add(std::move(node));
  }

  size_t Repeats(int depth) {
    size_t item = Atom(depth);
    bool repeated = false;
    while (!Done()) {
      const size_t begin = at_;
      int low = 0, high = -1;
      if (Take("*")) {
      } else if (Take("+")) {
        low = 1;
      } else if (Take("?")) {
        high = 1;
      } else if (Peek() == '{') {
        Counts(low, high);
      } else {
        break;
      }
      if (repeated) FailAt(begin, "a quantifier after a quantifier");
      repeated = true;
      if (Take("+")) FailAt(at_ - 1, "possessive quantifiers are not supported");
      Take("?");  // lazy: the same texts match
      item = Add(
          {.kind = Node::Kind::kRepeat, .set = {}, .children = {item}, .low = low, .high = high});
    }
    return item;
  }

  void Counts(int& low, int& high) {
    const size_t begin = at_;
    Take("{");
    low = Number();
    high = low;
    if (Take(",")) high = Done() || Peek() == '}' ? -1 : Number();
    if (!Take("}")) FailAt(begin, "expected {m}, {m,} or {m,n}");
    if (high >= 0 && high < low) FailAt(begin, "a count whose upper bound is below its lower one");
  }

  int Number() {
    const size_t begin = at_;
    int value = 0;
    while (!Done() && Peek() >= '0' && Peek() <= '9') {
      value = value * 10 + (pattern_[at_++] - '0');
      if (value > kMaxCount) {
        FailAt(begin, fmt::format("expected a count of at most {}", kMaxCount));
        return 0;
      }
    }
    if (at_ == begin) FailAt(begin, "expected a count");
    return value;
  }

  size_t Atom(int depth) {
    const size_t begin = at_;
    switch (Peek()) {
      case '(':
        return Group(depth);
      case '[':
        return AddSet(Class());
      case '.':
        ++at_;
        return AddSet(SetOf({{'\n', '\n'}, {'\r', '\r'}}).Complement());
      case '*':
      case '+':
      case '?':
      case '{':
        Fail("a quantifier with nothing to repeat");
        return 0;
      case '^':
      case '$':
        Fail("an anchor inside of the expression is not supported");
        return 0;
      case '}':
      case ']':
        Fail("a bracket that was not opened: write it with a backslash");
        return 0;
      default:
        break;
    }
    if (Peek() == '\\') {
      if (at_ + 1 < pattern_.size()) {
        if (std::optional<CodePointSet> named = NamedClass(pattern_[at_ + 1])) {
          at_ += 2;
          return AddSet(std::move(*named));
        }
      }
    }
    const uint32_t point = Character();
    CodePointSet set;
    set.Add(point, point);
    if (set.empty()) FailAt(begin, "a surrogate is no character");
    return AddSet(std::move(set));
  }

  size_t AddSet(CodePointSet set) {
    return Add({.kind = Node::Kind::kSet, .set = std::move(set), .children = {}});
  }

  size_t Group(int depth) {
    const size_t begin = at_;
    Take("(");
    if (Take("?")) {
      if (Take("<=") || Take("<!") || Take("=") || Take("!")) {
        FailAt(begin, "look-around is not supported");
      } else if (Take("<") || Take("P<")) {
        const size_t close = pattern_.find('>', at_);
        if (close == std::string_view::npos) {
          FailAt(begin, "a group name without its `>`");
        } else {
          at_ = close + 1;
        }
      } else if (!Take(":")) {
        FailAt(begin, "inline flags and special groups are not supported");
      }
    }
    if (depth >= kMaxDepth) FailAt(begin, fmt::format("groups nested deeper than {}", kMaxDepth));
    if (!status_.ok()) return 0;
    const size_t inside = Alternation(depth + 1);
    if (!Take(")")) FailAt(begin, "a `(` without its `)`");
    return inside;
  }

  CodePointSet Class() {
    const size_t begin = at_;
    Take("[");
    const bool negated = Take("^");
    CodePointSet set;
    while (!Done() && Peek() != ']') ClassItem(set);
    if (!Take("]")) FailAt(begin, "a `[` without its `]`");
    CodePointSet result = negated ? set.Complement() : set;
    if (result.empty()) FailAt(begin, "a class of no characters");
    return result;
  }

  void ClassItem(CodePointSet& set) {
    const size_t begin = at_;
    if (pattern_.substr(at_).starts_with("[:")) Fail("POSIX classes are not supported");
    if (Peek() == '\\' && at_ + 1 < pattern_.size()) {
      if (const std::optional<CodePointSet> named = NamedClass(pattern_[at_ + 1])) {
        at_ += 2;
        set.Add(*named);
        return;
      }
    }
    const uint32_t low = ClassCharacter();
    uint32_t high = low;
    const std::string_view rest = pattern_.substr(std::min(at_, pattern_.size()));
    if (rest.size() >= 2 && rest[0] == '-' && rest[1] != ']') {
      ++at_;
      if (Peek() == '\\' && at_ + 1 < pattern_.size() && NamedClass(pattern_[at_ + 1])) {
        FailAt(begin, "a range that ends in a class");
        return;
      }
      high = ClassCharacter();
      if (high < low) FailAt(begin, "a range whose end is before its beginning");
    }
    set.Add(low, high);
  }

  uint32_t ClassCharacter() {
    if (Take("\\b")) return '\b';
    return Character();
  }

  /// One character, escaped or not.
  uint32_t Character() {
    if (Done()) {
      Fail("a character is missing");
      return 0;
    }
    if (Peek() == '\\') return Escape();
    return Utf8();
  }

  uint32_t Utf8() {
    const auto lead = static_cast<uint8_t>(Peek());
    const size_t length = lead < 0x80 ? 1 : lead >> 5 == 6 ? 2 : lead >> 4 == 14 ? 3 : 4;
    uint32_t point = length == 1 ? lead : lead & (0xffu >> (length + 1));
    bool well_formed = at_ + length <= pattern_.size() && lead < 0xf8 && lead >> 6 != 2;
    for (size_t i = 1; i < length && well_formed; ++i) {
      const auto byte = static_cast<uint8_t>(pattern_[at_ + i]);
      well_formed = byte >> 6 == 2;
      point = point << 6 | (byte & 0x3fu);
    }
    constexpr uint32_t kFirstOfLength[] = {0, 0, 0x80, 0x800, 0x10000};
    if (!well_formed || point < kFirstOfLength[length] || point > CodePointSet::kLast) {
      Fail("not UTF-8");
      return 0;
    }
    at_ += length;
    return point;
  }

  uint32_t Escape() {
    const size_t begin = at_;
    Take("\\");
    if (Done()) {
      FailAt(begin, "a backslash at the end");
      return 0;
    }
    const char c = Peek();
    if (c == 'x' || c == 'u') {
      ++at_;
      return Hex(begin, c == 'x' ? 2 : 4);
    }
    const size_t control = std::string_view("tnvfr").find(c);
    if (control != std::string_view::npos) {
      ++at_;
      return static_cast<uint32_t>('\t' + control);
    }
    if (c == '0') {
      ++at_;
      return 0;
    }
    const bool letter_or_digit =
        (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    if (c >= '1' && c <= '9') {
      FailAt(begin, "back references are not supported");
    } else if (letter_or_digit) {
      FailAt(begin, fmt::format("\\{} is not supported", c));
    }
    return status_.ok() ? Utf8() : 0;
  }

  uint32_t Hex(size_t begin, size_t digits) {
    if (Take("{")) {
      digits = pattern_.substr(at_).find('}');
      if (digits == std::string_view::npos || digits == 0 || digits > 6) {
        FailAt(begin, "expected 1 to 6 hexadecimal digits in braces");
        return 0;
      }
    }
    uint32_t value = 0;
    for (size_t i = 0; i < digits; ++i) {
      const char c = at_ < pattern_.size() ? pattern_[at_++] : ' ';
      const int digit = c >= '0' && c <= '9'   ? c - '0'
                        : c >= 'a' && c <= 'f' ? c - 'a' + 10
                        : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                               : -1;
      if (digit < 0) {
        FailAt(begin, "expected hexadecimal digits");
        return 0;
      }
      value = value * 16 + static_cast<uint32_t>(digit);
    }
    if (pattern_[begin + 2] == '{') Take("}");
    if (value > CodePointSet::kLast) FailAt(begin, "no such code point");
    return value;
  }

  std::string_view pattern_;
  size_t at_ = 0;
  absl::Status status_;
  Regex regex_;
};

absl::StatusOr<Regex> Regex::Parse(std::string_view pattern) {
  return RegexParser(pattern).Parse();
}

NfaStateId Regex::BuildInto(NfaBuilder& builder, Spelling spelling, NfaStateId next) const {
  return Build(builder, spelling, root_, next);
}

NfaStateId Regex::BuildRepeat(NfaBuilder& builder, Spelling spelling, const Node& node,
                              NfaStateId next) const {
  const size_t body = node.children[0];
  NfaStateId at = next;
  if (node.high < 0) {
    const NfaStateId loop = builder.OpenSplit();
    builder.SetSplit(loop, Build(builder, spelling, body, loop), next);
    at = loop;
  }
  // The optional ones nest, (x(x)?)?: from each the way out is the same.
  for (int i = node.low; i < node.high && !builder.full(); ++i) {
    at = builder.Either(Build(builder, spelling, body, at), next);
  }
  for (int i = 0; i < node.low && !builder.full(); ++i) at = Build(builder, spelling, body, at);
  return at;
}

NfaStateId Regex::Build(NfaBuilder& builder, Spelling spelling, size_t index,
                        NfaStateId next) const {
  builder.Tick();
  if (builder.full()) return 0;
  const Node& node = nodes_[index];
  switch (node.kind) {
    case Node::Kind::kSet:
      return spelling == Spelling::kPlain ? AddUtf8(builder, node.set, next)
                                          : AddJsonEscaped(builder, node.set, next);
    case Node::Kind::kConcat: {
      for (size_t i = node.children.size(); i-- > 0;) {
        next = Build(builder, spelling, node.children[i], next);
      }
      return next;
    }
    case Node::Kind::kAlternate: {
      NfaStateId any = -1;
      for (const size_t child : node.children) {
        any = builder.Either(any, Build(builder, spelling, child, next));
      }
      return any;
    }
    case Node::Kind::kRepeat:
      return BuildRepeat(builder, spelling, node, next);
  }
  return next;
}

}  // namespace emptor::engine
