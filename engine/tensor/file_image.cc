// Reads a whole file without trusting its reported size.
#include "engine/tensor/file_image.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "fmt/format.h"

namespace emptor::engine {
namespace {

/// Closes the descriptor when it goes out of scope.
class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() {
    if (fd_ >= 0) close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return fd_; }

 private:
  int fd_;
};

absl::Status ReadAll(const std::string& path, int fd, AlignedBuffer& buffer) {
  size_t done = 0;
  while (done < buffer.size()) {
    const ssize_t n = read(fd, buffer.data() + done, buffer.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) {
      return absl::UnavailableError(fmt::format("{}: read: {}", path, std::strerror(errno)));
    }
    if (n == 0) {
      return absl::DataLossError(
          fmt::format("{}: size: expected {} bytes, found {}", path, buffer.size(), done));
    }
    done += static_cast<size_t>(n);
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<AlignedBuffer> ReadFileImage(const std::string& path, size_t max_bytes) {
  // Without O_NONBLOCK a FIFO in the file's place would hang us here.
  const Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (file.get() < 0) {
    const std::string message = fmt::format("{}: open: {}", path, std::strerror(errno));
    return errno == ENOENT ? absl::NotFoundError(message) : absl::UnavailableError(message);
  }
  struct stat info {};
  if (fstat(file.get(), &info) != 0) {
    return absl::UnavailableError(fmt::format("{}: stat: {}", path, std::strerror(errno)));
  }
  if (!S_ISREG(info.st_mode)) {
    return absl::InvalidArgumentError(fmt::format("{}: not a regular file", path));
  }
  const auto size = static_cast<size_t>(info.st_size);
  if (size > max_bytes) {
    return absl::InvalidArgumentError(
        fmt::format("{}: size: at most {} bytes, found {}", path, max_bytes, size));
  }
  absl::StatusOr<AlignedBuffer> buffer = AlignedBuffer::Allocate(size);
  if (!buffer.ok()) return buffer.status();
  const absl::Status read = ReadAll(path, file.get(), *buffer);
  if (!read.ok()) return read;
  return buffer;
}

}  // namespace emptor::engine
