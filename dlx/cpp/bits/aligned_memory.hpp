// Memory for vectors: bytes that start at a multiple of 64.
#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <new>

namespace dlx {

class AlignedBytes {
public:
    static constexpr std::size_t alignment = 64;

    AlignedBytes() = default;
    // Bytes of any value.
    explicit AlignedBytes(std::size_t size)
        : bytes_(static_cast<std::byte*>(::operator new(size, std::align_val_t{alignment}))),
          size_(size) {}

    static AlignedBytes zeros(std::size_t size) {
        AlignedBytes bytes(size);
        std::memset(bytes.data(), 0, size);
        return bytes;
    }

    std::byte* data() noexcept { return bytes_.get(); }
    const std::byte* data() const noexcept { return bytes_.get(); }
    std::size_t size() const noexcept { return size_; }

private:
    struct Release {
        void operator()(std::byte* bytes) const noexcept {
            ::operator delete(bytes, std::align_val_t{alignment});
        }
    };
    std::unique_ptr<std::byte, Release> bytes_;
    std::size_t size_ = 0;
};

}  // namespace dlx
