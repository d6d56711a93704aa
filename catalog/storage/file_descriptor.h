// A file descriptor that is closed with its owner.
#pragma once

#include <unistd.h>

namespace emptor::catalog {

/// Owns a POSIX file descriptor, or none (negative).
class FileDescriptor {
 public:
  explicit FileDescriptor(int descriptor) : descriptor_(descriptor) {}
  ~FileDescriptor() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;

  int get() const { return descriptor_; }

 private:
  int descriptor_;
};

}  // namespace emptor::catalog
