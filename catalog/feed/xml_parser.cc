// The project's only use of expat. Its callbacks hold no exception: what goes wrong is a status.
#include "catalog/feed/xml_parser.h"

#include <expat.h>

#include <algorithm>
#include <optional>

#include "catalog/utf8.h"
#include "fmt/format.h"

namespace emptor::catalog {
namespace {

using View = std::string_view;

// Small pieces are joined: expat reads an open token anew with every piece.
constexpr size_t kPiece = 64u << 10;
constexpr size_t kMaxUnbound = 16;
constexpr size_t kMaxPrefix = 64;  // as it is told

// "g:price" in its parts; without a prefix the first is empty.
std::pair<View, View> SplitName(View name) {
  const size_t colon = name.find(':');
  if (colon == View::npos) return {{}, name};
  return {name.substr(0, colon), name.substr(colon + 1)};
}

// The prefix that an attribute binds: "g" of "xmlns:g", "" of "xmlns"; nothing of others.
std::optional<View> BoundPrefix(View attribute) {
  const auto [prefix, local] = SplitName(attribute);
  if (prefix == "xmlns") return local;
  if (attribute == "xmlns") return View();
  return std::nullopt;
}

std::string Escaped(View text) {
  std::string escaped;
  for (const char c : text) {
    switch (c) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      default:
        escaped += c;
    }
  }
  return escaped;
}

/// The namespaces in scope. expat could resolve them, but refuses a feed with a prefix that is not
/// bound.
class Scopes {
 public:
  /// Opens an element with its attributes; false when there are too many namespaces.
  bool Open(const char** attributes) {
    marks_.push_back(bindings_.size());
    for (; *attributes != nullptr; attributes += 2) {
      const auto prefix = BoundPrefix(attributes[0]);
      if (!prefix) continue;
      const View space = attributes[1];
      if (bindings_.size() == XmlParser::kMaxBindings ||
          prefix->size() + space.size() > XmlParser::kMaxBindingBytes) {
        return false;
      }
      bindings_.push_back({std::string(*prefix), std::string(space)});
    }
    return true;
  }
  void Close() {
    bindings_.resize(marks_.back());
    marks_.pop_back();
  }

  XmlName Resolve(View name) const {
    const auto [prefix, local] = SplitName(name);
    if (prefix == "xml") return {"http://www.w3.org/XML/1998/namespace", local};
    const std::string* space = Find(prefix);
    if (space != nullptr && !space->empty()) return {*space, local};
    return {{}, local, prefix};
  }

  std::string Outer() const {
    std::string text;
    const size_t outer = marks_.empty() ? 0 : marks_.back();
    for (size_t i = 0; i < outer; ++i) {
      const auto& [prefix, space] = bindings_[i];
      if (Find(prefix) != &space) continue;  // bound anew further in
      text += fmt::format(" xmlns{}{}=\"{}\"", prefix.empty() ? "" : ":", prefix, Escaped(space));
    }
    return text;
  }

 private:
  struct Binding {
    std::string prefix;
    std::string space;
  };
  const std::string* Find(View prefix) const {
    for (size_t i = bindings_.size(); i-- > 0;) {
      if (bindings_[i].prefix == prefix) return &bindings_[i].space;
    }
    return nullptr;
  }

  std::vector<Binding> bindings_;
  std::vector<size_t> marks_;  // how many there were around each open element
};

}  // namespace

struct XmlParser::Impl {
  explicit Impl(XmlEvents e) : events(std::move(e)), parser(XML_ParserCreate("UTF-8")) {
    XML_SetUserData(parser, this);
    XML_SetElementHandler(parser, OnStart, OnEnd);
    XML_SetCharacterDataHandler(parser, OnText);
    XML_SetStartDoctypeDeclHandler(parser, OnDoctype);
    XML_SetSkippedEntityHandler(parser, OnSkippedEntity);
    XML_SetDefaultHandler(parser, OnOther);  // also keeps entities unexpanded
  }
  ~Impl() { XML_ParserFree(parser); }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  static Impl& Of(void* data) { return *static_cast<Impl*>(data); }

  static void XMLCALL OnStart(void* data, const char* name, const char** pairs) {
    Impl& self = Of(data);
    self.Note();
    if (!self.status.ok()) return;
    if (++self.depth > kMaxDepth) {
      return self.Refuse(fmt::format("more than {} open elements", kMaxDepth));
    }
    if (!self.scopes.Open(pairs)) return self.Refuse("too many or too long namespaces");
    self.attributes.clear();
    for (; *pairs != nullptr; pairs += 2) {
      if (BoundPrefix(pairs[0])) continue;
      const XmlName attribute = self.scopes.Resolve(pairs[0]);
      self.attributes.emplace_back(attribute.local, pairs[1]);
      self.NoteUnbound(attribute);
    }
    const XmlName element = self.scopes.Resolve(name);
    self.NoteUnbound(element);
    self.Take(self.events.start(element, self.attributes));
  }
  static void XMLCALL OnEnd(void* data, const char*) {
    Impl& self = Of(data);
    self.Note();
    if (!self.status.ok()) return;
    --self.depth;
    self.Take(self.events.end());
    self.scopes.Close();
  }
  static void XMLCALL OnText(void* data, const char* text, int length) {
    Impl& self = Of(data);
    self.Note();
    if (self.status.ok()) self.events.text({text, static_cast<size_t>(length)});
  }
  static void XMLCALL OnOther(void* data, const char*, int) { Of(data).Note(); }
  static void XMLCALL OnDoctype(void* data, const char*, const char*, const char*, int) {
    Of(data).Refuse("a document type declaration is refused, and entities with it");
  }
  static void XMLCALL OnSkippedEntity(void* data, const char* name, int) {
    Of(data).Refuse(fmt::format("unknown entity &{};", View(name).substr(0, 40)));
  }

  // Every event passes here: how far the text is read, and the text that is captured.
  void Note() {
    const auto index = static_cast<uint64_t>(XML_GetCurrentByteIndex(parser));
    const auto count = static_cast<uint64_t>(XML_GetCurrentByteCount(parser));
    read_upto = std::max(read_upto, index + count);
    if (capture_max > 0) AppendToken();
  }
  // A token may come in several events: it is taken once.
  void AppendToken() {
    const auto index = static_cast<uint64_t>(XML_GetCurrentByteIndex(parser));
    const auto count = static_cast<uint64_t>(XML_GetCurrentByteCount(parser));
    int offset = 0, size = 0;
    const char* context = XML_GetInputContext(parser, &offset, &size);
    if (context == nullptr || index + count <= captured_upto || captured.size() >= capture_max) {
      return;
    }
    const uint64_t known = index < captured_upto ? captured_upto - index : 0;
    const View token = View(context, static_cast<size_t>(size))
                           .substr(static_cast<size_t>(offset), static_cast<size_t>(count));
    captured += token.substr(static_cast<size_t>(known)).substr(0, capture_max - captured.size());
    captured_upto = index + count;
  }

  void NoteUnbound(const XmlName& name) {
    if (name.unbound.empty() || unbound.size() == kMaxUnbound) return;
    const View prefix = Utf8Prefix(name.unbound, kMaxPrefix);
    const bool is_known = std::any_of(unbound.begin(), unbound.end(),
                                      [&](const UnboundPrefix& u) { return u.prefix == prefix; });
    if (!is_known) unbound.push_back({std::string(prefix), XML_GetCurrentLineNumber(parser)});
  }

  void Take(absl::Status result) {
    if (result.ok()) return;
    status = std::move(result);
    XML_StopParser(parser, XML_FALSE);
  }
  void Refuse(const std::string& what) {
    if (!status.ok()) return;
    Take(absl::InvalidArgumentError(
        fmt::format("line {}: {}", XML_GetCurrentLineNumber(parser), what)));
  }

  absl::Status Parse(View piece, bool is_final) {
    fed += piece.size();
    const XML_Status result =
        XML_Parse(parser, piece.data(), static_cast<int>(piece.size()), is_final ? 1 : 0);
    if (!status.ok()) return status;
    if (result != XML_STATUS_OK) {
      Refuse(fmt::format("not well-formed XML: {}", XML_ErrorString(XML_GetErrorCode(parser))));
    } else if (fed > read_upto + kMaxTokenBytes) {
      Refuse(fmt::format("a tag, comment or attribute of more than {} bytes", kMaxTokenBytes));
    }
    return status;
  }

  XmlEvents events;
  XML_Parser parser;
  absl::Status status;
  std::string pending;
  XmlAttributes attributes;
  Scopes scopes;
  std::vector<UnboundPrefix> unbound;
  int depth = 0;
  uint64_t fed = 0;
  uint64_t read_upto = 0;
  size_t capture_max = 0;
  std::string captured;
  uint64_t captured_upto = 0;
};

XmlParser::XmlParser(XmlEvents events) : impl_(std::make_unique<Impl>(std::move(events))) {}
XmlParser::~XmlParser() = default;

absl::Status XmlParser::Push(View bytes) {
  while (impl_->status.ok() && !bytes.empty()) {
    const size_t room = kPiece - impl_->pending.size();
    impl_->pending += bytes.substr(0, room);
    bytes.remove_prefix(std::min(room, bytes.size()));
    if (impl_->pending.size() < kPiece) break;
    const absl::Status status = impl_->Parse(impl_->pending, false);
    impl_->pending.clear();
    if (!status.ok()) return status;
  }
  return impl_->status;
}

absl::Status XmlParser::Finish() {
  if (!impl_->status.ok()) return impl_->status;
  return impl_->Parse(impl_->pending, true);
}

uint64_t XmlParser::line() const { return XML_GetCurrentLineNumber(impl_->parser); }

uint64_t XmlParser::end_line() const {
  int offset = 0, size = 0;
  const char* context = XML_GetInputContext(impl_->parser, &offset, &size);
  const int count = XML_GetCurrentByteCount(impl_->parser);
  if (context == nullptr) return line();
  return line() +
         static_cast<uint64_t>(std::count(context + offset, context + offset + count, '\n'));
}

uint64_t XmlParser::end_offset() const {
  return static_cast<uint64_t>(XML_GetCurrentByteIndex(impl_->parser)) +
         static_cast<uint64_t>(XML_GetCurrentByteCount(impl_->parser));
}

std::string XmlParser::OuterBindings() const { return impl_->scopes.Outer(); }

const std::vector<UnboundPrefix>& XmlParser::unbound_prefixes() const { return impl_->unbound; }

void XmlParser::Capture(size_t max_bytes) {
  impl_->captured.clear();
  impl_->capture_max = max_bytes;
  impl_->captured_upto = 0;
  impl_->AppendToken();
}

std::string XmlParser::Captured() {
  impl_->capture_max = 0;
  return std::move(impl_->captured);
}

}  // namespace emptor::catalog
