// The project's only use of expat. Its callbacks throw nothing: errors are a status.
#include "catalog/feed/xml_parser.h"

#include <expat.h>

#include <algorithm>
#include <array>
#include <optional>

#include "catalog/encoding/utf8.h"
#include "fmt/format.h"

namespace emptor::catalog {
namespace {

using View = std::string_view;

constexpr size_t kMaxUnbound = 16;
constexpr size_t kMaxPrefix = 64;  // in messages

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

/// The namespaces in scope. expat could resolve them, but refuses a feed with an unbound prefix.
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

  /// What is in scope within the outermost `depth` elements, without their names.
  XmlContext Around(size_t depth) const {
    const size_t count = depth < marks_.size() ? marks_[depth] : bindings_.size();
    return {.names = {},
            .bindings = {bindings_.begin(), bindings_.begin() + static_cast<std::ptrdiff_t>(count)},
            .marks = {marks_.begin(), marks_.begin() + static_cast<std::ptrdiff_t>(depth)}};
  }
  void Set(const XmlContext& context) {
    bindings_ = context.bindings;
    marks_ = context.marks;
  }

  XmlName Resolve(View name) const {
    const auto [prefix, local] = SplitName(name);
    if (prefix == "xml") return {"http://www.w3.org/XML/1998/namespace", local, {}, name};
    const std::string* space = Find(prefix);
    if (space != nullptr && !space->empty()) return {*space, local, {}, name};
    return {{}, local, prefix, name};
  }

  std::string Outer() const {
    std::string text;
    const size_t outer = marks_.empty() ? 0 : marks_.back();
    for (size_t i = 0; i < outer; ++i) {
      const auto& [prefix, space] = bindings_[i];
      if (Find(prefix) != &space) continue;  // rebound by an inner element
      text += fmt::format(" xmlns{}{}=\"{}\"", prefix.empty() ? "" : ":", prefix, Escaped(space));
    }
    return text;
  }

 private:
  const std::string* Find(View prefix) const {
    for (size_t i = bindings_.size(); i-- > 0;) {
      if (bindings_[i].prefix == prefix) return &bindings_[i].space;
    }
    return nullptr;
  }

  std::vector<XmlBinding> bindings_;
  std::vector<size_t> marks_;  // how many there were around each open element
};

}  // namespace

struct XmlParser::Impl {
  explicit Impl(XmlEvents e) : events(std::move(e)), parser(MakeExpat()) {}
  ~Impl() { XML_ParserFree(parser); }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  XML_Parser MakeExpat() {
    const XML_Parser expat = XML_ParserCreate("UTF-8");
    XML_SetUserData(expat, this);
    XML_SetElementHandler(expat, OnStart, OnEnd);
    XML_SetCharacterDataHandler(expat, OnText);
    XML_SetStartDoctypeDeclHandler(expat, OnDoctype);
    XML_SetSkippedEntityHandler(expat, OnSkippedEntity);
    XML_SetDefaultHandler(expat, OnOther);  // also keeps entities unexpanded
    return expat;
  }

  static Impl& Of(void* data) { return *static_cast<Impl*>(data); }

  static void XMLCALL OnStart(void* data, const char* name, const char** pairs) {
    Impl& self = Of(data);
    if (self.is_replaying || !self.status.ok()) return;
    if (self.depth == kMaxDepth) {
      return self.Refuse(fmt::format("more than {} open elements", kMaxDepth));
    }
    if (!self.scopes.Open(pairs)) return self.Refuse("too many or too long namespaces");
    if (self.depth < kMaxContext) self.names[self.depth] = Utf8Prefix(name, kMaxContextName);
    ++self.depth;
    self.Note();
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
    if (!self.status.ok()) return;
    self.Note();
    --self.depth;
    self.Take(self.events.end());
    self.scopes.Close();
  }
  static void XMLCALL OnText(void* data, const char* text, int length) {
    Impl& self = Of(data);
    if (!self.status.ok()) return;
    self.Note();
    self.events.text({text, static_cast<size_t>(length)});
  }
  static void XMLCALL OnOther(void* data, const char*, int) {
    if (Of(data).status.ok()) Of(data).Note();
  }
  static void XMLCALL OnDoctype(void* data, const char*, const char*, const char*, int) {
    Of(data).Refuse(std::string(kDeclarationRefused));
    Of(data).is_recoverable = false;
  }
  static void XMLCALL OnSkippedEntity(void* data, const char* name, int) {
    Of(data).Refuse(fmt::format("unknown entity &{};", View(name).substr(0, 40)));
    Of(data).is_recoverable = false;
  }

  // Every event passes here: how far the text is read, and the text that is captured.
  void Note() {
    const auto index = static_cast<uint64_t>(XML_GetCurrentByteIndex(parser));
    const auto count = static_cast<uint64_t>(XML_GetCurrentByteCount(parser));
    read_upto = std::max(read_upto, index + count);
    if (capture_max > 0) AppendToken();
  }
  // A token may cause several events but is recorded once.
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
    if (!is_known) unbound.push_back({std::string(prefix), Line()});
  }

  uint64_t Line() const { return before_line + XML_GetCurrentLineNumber(parser); }
  uint64_t OffsetOf(uint64_t index) const { return index - replayed + before_offset; }

  /// Of an event.
  void Take(absl::Status result) {
    if (result.ok()) return;
    is_recoverable = false;
    Stop(std::move(result));
  }
  void Refuse(const std::string& what) {
    if (!status.ok()) return;
    Stop(absl::InvalidArgumentError(fmt::format("line {}: {}", Line(), what)));
  }
  void Stop(absl::Status result) {
    status = std::move(result);
    XML_StopParser(parser, XML_FALSE);
  }

  absl::Status Parse(View piece, bool is_last) {
    if (!status.ok()) return status;
    fed += piece.size();
    const XML_Status result =
        XML_Parse(parser, piece.data(), static_cast<int>(piece.size()), is_last ? 1 : 0);
    if (!status.ok()) return status;
    if (result != XML_STATUS_OK) {
      const XML_Error error = XML_GetErrorCode(parser);
      is_recoverable =
          error != XML_ERROR_NO_MEMORY && error != XML_ERROR_AMPLIFICATION_LIMIT_BREACH;
      Refuse(fmt::format("not well-formed XML: {}", XML_ErrorString(error)));
    } else if (fed > read_upto + kMaxTokenBytes) {
      Refuse(fmt::format("a tag, comment or attribute of more than {} bytes", kMaxTokenBytes));
    }
    return status;
  }

  // A new expat: to clear one costs as much as all that it ever read.
  void Restart(const XmlContext& context, uint64_t offset, uint64_t line) {
    XML_ParserFree(parser);
    parser = MakeExpat();
    status = absl::OkStatus();
    is_recoverable = true;
    capture_max = 0;
    scopes.Set(context);
    depth = context.names.size();
    std::string open;
    for (size_t i = 0; i < depth; ++i) {
      names[i] = context.names[i];
      open += fmt::format("<{}>", names[i]);
    }
    is_replaying = true;
    XML_Parse(parser, open.data(), static_cast<int>(open.size()), 0);
    is_replaying = false;
    replayed = fed = read_upto = open.size();
    before_offset = offset;
    before_line = line - 1;
  }

  XmlEvents events;
  XML_Parser parser;
  absl::Status status;
  bool is_recoverable = true;
  bool is_replaying = false;
  XmlAttributes attributes;
  Scopes scopes;
  std::vector<UnboundPrefix> unbound;
  size_t depth = 0;
  std::array<std::string, kMaxContext> names;
  // Of the feed, before what this expat reads; its first `replayed` bytes are not of the feed.
  uint64_t before_offset = 0;
  uint64_t before_line = 0;
  uint64_t replayed = 0;
  uint64_t fed = 0;
  uint64_t read_upto = 0;
  size_t capture_max = 0;
  std::string captured;
  uint64_t captured_upto = 0;
};

XmlParser::XmlParser(XmlEvents events) : impl_(std::make_unique<Impl>(std::move(events))) {}
XmlParser::~XmlParser() = default;

absl::Status XmlParser::Parse(View piece, bool is_last) { return impl_->Parse(piece, is_last); }

bool XmlParser::is_recoverable() const { return impl_->is_recoverable; }

void XmlParser::Restart(const XmlContext& context, uint64_t offset, uint64_t line) {
  impl_->Restart(context, offset, line);
}

uint64_t XmlParser::read_upto() const { return impl_->OffsetOf(impl_->read_upto); }

uint64_t XmlParser::offset() const {
  const XML_Index index = XML_GetCurrentByteIndex(impl_->parser);
  return index < 0 ? read_upto() : impl_->OffsetOf(static_cast<uint64_t>(index));
}

uint64_t XmlParser::line() const { return impl_->Line(); }

uint64_t XmlParser::end_line() const {
  int offset = 0, size = 0;
  const char* context = XML_GetInputContext(impl_->parser, &offset, &size);
  const int count = XML_GetCurrentByteCount(impl_->parser);
  if (context == nullptr) return line();
  return line() +
         static_cast<uint64_t>(std::count(context + offset, context + offset + count, '\n'));
}

const std::string& XmlParser::name(size_t depth) const { return impl_->names.at(depth - 1); }

XmlContext XmlParser::Context(size_t depth) const {
  XmlContext context = impl_->scopes.Around(depth);
  context.names.assign(impl_->names.begin(),
                       impl_->names.begin() + static_cast<std::ptrdiff_t>(depth));
  return context;
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
