// Files of keys, and the snapshot of them that requests are checked against.
#include "services/auth/key_store.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spdlog/spdlog.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <algorithm>
#include <ctime>
#include <fstream>
#include <iterator>
#include <mutex>
#include <utility>

#include "catalog/storage/durable_file.h"
#include "catalog/storage/file_descriptor.h"
#include "services/auth/key_text.h"

namespace emptor::services {
namespace {

using std::chrono::steady_clock;

constexpr mode_t kPrivateFile = 0600, kPrivateDirectory = 0700;
constexpr size_t kMaxKeyFile = 16u << 20;

/// Tells one version of a file from another; all zero where there is none.
struct FileVersion {
  ino_t inode = 0;
  off_t size = 0;
  timespec changed{};
  bool operator==(const FileVersion& other) const {
    return inode == other.inode && size == other.size && changed.tv_sec == other.changed.tv_sec &&
           changed.tv_nsec == other.changed.tv_nsec;
  }
};

FileVersion VersionOf(const std::string& path) {
  struct stat info {};
  if (::stat(path.c_str(), &info) != 0) return {};
  return {info.st_ino, info.st_size, info.st_ctim};
}

/// The bytes of a file that only its owner may read. kNotFound: there is none.
absl::StatusOr<std::string> ReadPrivateFile(const std::string& path) {
  struct stat info {};
  if (::stat(path.c_str(), &info) != 0) return absl::NotFoundError(path + ": cannot be read");
  if ((info.st_mode & (S_IRWXG | S_IRWXO)) != 0) {
    return absl::PermissionDeniedError(
        fmt::format("{}: others may read it, and it is secret: chmod 600 {}", path, path));
  }
  if (static_cast<size_t>(info.st_size) > kMaxKeyFile) {
    return absl::DataLossError(path + ": is larger than any file of keys");
  }
  std::ifstream file(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  if (!file.is_open() || file.bad()) return absl::UnavailableError(path + ": cannot be read");
  return text;
}

std::string WithoutLineEnd(std::string text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.pop_back();
  return text;
}

/// Reads a secret, or makes it: `make` returns the text.
absl::StatusOr<std::string> ReadOrMake(const std::string& path,
                                       const std::function<absl::StatusOr<std::string>()>& make) {
  auto text = ReadPrivateFile(path);
  if (text.ok()) return WithoutLineEnd(*std::move(text));
  if (!absl::IsNotFound(text.status())) return text.status();
  auto made = make();
  if (!made.ok()) return made.status();
  const absl::Status status = catalog::WriteFileDurably(path, *made + "\n", kPrivateFile);
  if (!status.ok()) return status;
  return made;
}

absl::StatusOr<std::string> MakeOwnKeyText() {
  auto key = MakeKey(KeyKind::kAdmin);
  if (!key.ok()) return key.status();
  return std::move(key->text);
}

KeyRecord OwnRecord(std::string_view secret, std::string_view text) {
  KeyRecord record;
  record.principal = {std::string(kOwnKeyId), KeyKind::kAdmin, "", {}};
  record.name = "admin.key";
  record.mac = ComputeKeyMac(secret, text);
  return record;
}

/// What the files hold. Immutable.
struct Keys {
  std::vector<KeyRecord> issued;
  KeyRecord own;
  std::string own_id;       // in the text of the service's own key; empty: it has none
  bool is_complete = true;  // false: the files could not be read
};

}  // namespace

std::string OwnKeyPath(const std::string& data_dir) { return data_dir + "/admin.key"; }

std::string ReadOwnKey(const std::string& data_dir) {
  std::ifstream file(OwnKeyPath(data_dir));
  std::string key;
  std::getline(file, key);
  return IdOfKey(key).empty() ? std::string() : key;
}

struct KeyStore::Impl {
  std::string own_path, file_path, lock_path, secret;
  Options options;
  mutable std::mutex mutex;
  mutable std::shared_ptr<const Keys> snapshot;   // guarded by mutex; null: read again
  mutable FileVersion own_version, file_version;  // guarded by mutex
  mutable steady_clock::time_point checked;       // guarded by mutex

  int64_t Now() const {
    return options.now_unix ? options.now_unix() : static_cast<int64_t>(std::time(nullptr));
  }
  steady_clock::time_point Clock() const {
    return options.clock ? options.clock() : steady_clock::now();
  }
  absl::StatusOr<std::shared_ptr<const Keys>> Read() const;
  /// The newest snapshot. A file that cannot be read leaves no key of it.
  std::shared_ptr<const Keys> Current() const;
  absl::StatusOr<std::vector<KeyRecord>> ReadIssued() const;
  /// Changes keys.json while no other process does; `change` returns the status of the change.
  absl::Status Change(const std::function<absl::Status(std::vector<KeyRecord>&)>& change);
  absl::StatusOr<IssuedKey> ReplaceOwnKey();
  void Forget();
};

absl::StatusOr<std::vector<KeyRecord>> KeyStore::Impl::ReadIssued() const {
  const auto text = ReadPrivateFile(file_path);
  if (absl::IsNotFound(text.status())) return std::vector<KeyRecord>();
  if (!text.ok()) return text.status();
  auto records = ParseKeyFile(*text);
  if (records.ok()) return records;
  return absl::DataLossError(
      fmt::format("{}: {}: restore the file, or remove it, which ends all keys that were issued",
                  file_path, std::string(records.status().message())));
}

absl::StatusOr<std::shared_ptr<const Keys>> KeyStore::Impl::Read() const {
  auto keys = std::make_shared<Keys>();
  auto issued = ReadIssued();
  if (!issued.ok()) return issued.status();
  keys->issued = *std::move(issued);
  const auto own = ReadPrivateFile(own_path);
  if (!own.ok() && !absl::IsNotFound(own.status())) return own.status();
  if (own.ok()) {
    const std::string text = WithoutLineEnd(*own);
    keys->own_id = std::string(IdOfKey(text));
    keys->own = OwnRecord(secret, text);
  }
  return std::shared_ptr<const Keys>(std::move(keys));
}

std::shared_ptr<const Keys> KeyStore::Impl::Current() const {
  const std::lock_guard lock(mutex);
  const auto now = Clock();
  if (snapshot != nullptr && now - checked < kKeyRefresh) return snapshot;
  checked = now;
  const FileVersion own = VersionOf(own_path), file = VersionOf(file_path);
  if (snapshot != nullptr && own == own_version && file == file_version) return snapshot;
  auto read = Read();
  if (read.ok()) {
    snapshot = *std::move(read);
  } else {
    spdlog::error("keys: {}", read.status().ToString());
    snapshot = std::make_shared<const Keys>(Keys{{}, {}, {}, false});
  }
  own_version = own;
  file_version = file;
  return snapshot;
}

void KeyStore::Impl::Forget() {
  const std::lock_guard lock(mutex);
  snapshot = nullptr;
}

absl::Status KeyStore::Impl::Change(
    const std::function<absl::Status(std::vector<KeyRecord>&)>& change) {
  const catalog::FileDescriptor turn(
      ::open(lock_path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, kPrivateFile));
  if (turn.get() < 0 || ::flock(turn.get(), LOCK_EX) != 0) {
    return absl::UnavailableError(lock_path + ": cannot be locked");
  }
  auto records = ReadIssued();
  if (!records.ok()) return records.status();
  if (absl::Status status = change(*records); !status.ok()) return status;
  absl::Status status = catalog::WriteFileDurably(file_path, KeyFileText(*records), kPrivateFile);
  Forget();
  return status;
}

absl::StatusOr<IssuedKey> KeyStore::Impl::ReplaceOwnKey() {
  auto text = MakeOwnKeyText();
  if (!text.ok()) return text.status();
  absl::Status status = catalog::WriteFileDurably(own_path, *text + "\n", kPrivateFile);
  Forget();
  if (!status.ok()) return status;
  return IssuedKey{OwnRecord(secret, *text), *std::move(text)};
}

KeyStore::KeyStore(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
KeyStore::~KeyStore() = default;

absl::StatusOr<std::unique_ptr<KeyStore>> KeyStore::Open(const std::string& data_dir) {
  return Open(data_dir, Options());
}

absl::StatusOr<std::unique_ptr<KeyStore>> KeyStore::Open(const std::string& data_dir,
                                                         Options options) {
  auto impl = std::make_unique<Impl>();
  const std::string folder = data_dir + "/keys";
  impl->own_path = OwnKeyPath(data_dir);
  impl->file_path = folder + "/keys.json";
  impl->lock_path = folder + "/lock";
  impl->options = std::move(options);
  if (::mkdir(folder.c_str(), kPrivateDirectory) != 0 && errno != EEXIST) {
    return absl::UnavailableError(folder + ": cannot be created");
  }
  {
    const catalog::FileDescriptor turn(
        ::open(impl->lock_path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, kPrivateFile));
    if (turn.get() < 0 || ::flock(turn.get(), LOCK_EX) != 0) {
      return absl::UnavailableError(impl->lock_path + ": cannot be locked");
    }
    auto secret = ReadOrMake(folder + "/secret", MakeSecret);
    if (!secret.ok()) return secret.status();
    impl->secret = *std::move(secret);
    const auto own = ReadOrMake(impl->own_path, MakeOwnKeyText);
    if (!own.ok()) return own.status();
    if (IdOfKey(*own).empty()) {
      return absl::DataLossError(impl->own_path +
                                 ": is no key: remove it, and the next start writes another one");
    }
  }
  if (const auto keys = impl->Read(); !keys.ok()) return keys.status();
  return std::unique_ptr<KeyStore>(new KeyStore(std::move(impl)));
}

std::optional<Principal> KeyStore::Authenticate(std::string_view key) const {
  const std::string_view id = IdOfKey(key);
  const KeyMac mac = ComputeKeyMac(impl_->secret, key);
  if (id.empty()) return std::nullopt;
  const auto keys = impl_->Current();
  if (id == keys->own_id && IsSameMac(mac, keys->own.mac)) return keys->own.principal;
  for (const KeyRecord& record : keys->issued) {
    if (record.principal.key_id != id) continue;
    const bool is_same = IsSameMac(mac, record.mac);
    if (is_same && IsAlive(record, impl_->Now())) return record.principal;
  }
  return std::nullopt;
}

bool KeyStore::HasIssuedKeys(std::optional<KeyKind> kind) const {
  const auto keys = impl_->Current();
  const int64_t now = impl_->Now();
  return std::any_of(keys->issued.begin(), keys->issued.end(), [&](const KeyRecord& record) {
    return IsAlive(record, now) && (!kind || record.principal.kind == *kind);
  });
}

bool KeyStore::HasEverIssued() const {
  const auto keys = impl_->Current();
  return !keys->is_complete || !keys->issued.empty();
}

bool KeyStore::HasOrigin(const std::string& origin) const {
  const auto keys = impl_->Current();
  const int64_t now = impl_->Now();
  return std::any_of(keys->issued.begin(), keys->issued.end(), [&](const KeyRecord& record) {
    const auto& origins = record.principal.origins;
    return IsAlive(record, now) &&
           std::find(origins.begin(), origins.end(), origin) != origins.end();
  });
}

std::vector<KeyRecord> KeyStore::List() const { return impl_->Current()->issued; }

absl::StatusOr<IssuedKey> KeyStore::Issue(KeyRecord wanted) {
  if (absl::Status status = CheckKeyRecord(wanted); !status.ok()) return status;
  auto key = MakeKey(wanted.principal.kind);
  if (!key.ok()) return key.status();
  wanted.principal.key_id = std::move(key->id);
  wanted.mac = ComputeKeyMac(impl_->secret, key->text);
  wanted.created_unix = impl_->Now();
  wanted.revoked_unix = 0;
  absl::Status status = impl_->Change([&](std::vector<KeyRecord>& records) {
    records.push_back(wanted);
    return absl::OkStatus();
  });
  if (!status.ok()) return status;
  return IssuedKey{std::move(wanted), std::move(key->text)};
}

absl::StatusOr<IssuedKey> KeyStore::Rotate(const std::string& id, std::chrono::seconds grace) {
  if (id == kOwnKeyId) return impl_->ReplaceOwnKey();
  IssuedKey made;
  absl::Status status = impl_->Change([&](std::vector<KeyRecord>& records) -> absl::Status {
    const auto old = std::find_if(records.begin(), records.end(), [&](const KeyRecord& record) {
      return record.principal.key_id == id;
    });
    if (old == records.end()) return absl::NotFoundError("id: there is no such key");
    const int64_t now = impl_->Now();
    if (!IsAlive(*old, now)) {
      return absl::FailedPreconditionError("id: the key has ended: issue another one");
    }
    auto key = MakeKey(old->principal.kind);
    if (!key.ok()) return key.status();
    made.record = *old;
    made.record.principal.key_id = std::move(key->id);
    made.record.mac = ComputeKeyMac(impl_->secret, key->text);
    made.record.created_unix = now;
    made.text = std::move(key->text);
    const int64_t end = now + grace.count();
    old->expires_unix = old->expires_unix == 0 ? end : std::min(old->expires_unix, end);
    records.push_back(made.record);
    return absl::OkStatus();
  });
  if (!status.ok()) return status;
  return made;
}

absl::StatusOr<KeyRecord> KeyStore::Revoke(const std::string& id) {
  if (id == kOwnKeyId) {
    return absl::InvalidArgumentError("id: the service needs its own key: rotate it");
  }
  KeyRecord revoked;
  absl::Status status = impl_->Change([&](std::vector<KeyRecord>& records) -> absl::Status {
    for (KeyRecord& record : records) {
      if (record.principal.key_id != id) continue;
      if (record.revoked_unix == 0) record.revoked_unix = std::max<int64_t>(impl_->Now(), 1);
      revoked = record;
      return absl::OkStatus();
    }
    return absl::NotFoundError("id: there is no such key");
  });
  if (!status.ok()) return status;
  return revoked;
}

}  // namespace emptor::services
