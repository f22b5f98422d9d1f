// The cheapest solutions that are known before branch and bound has found them, each once.
#pragma once

#include <cstdint>
#include <iterator>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "minimum/minimum.hpp"

namespace dlx {

class Incumbents {
public:
    explicit Incumbents(std::uint64_t size) : size_(size) {}

    // Adds a solution, unless it is there already, or is not cheaper than those that are kept.
    // Returns whether it was added.
    bool add(std::int64_t cost, std::vector<Int> options) {
        std::sort(options.begin(), options.end());
        if (full() && cost >= known_.rbegin()->first) return false;
        if (!known_.emplace(cost, std::move(options)).second) return false;
        if (known_.size() > size_) known_.erase(std::prev(known_.end()));
        return true;
    }

    bool empty() const noexcept { return known_.empty(); }
    bool full() const noexcept { return known_.size() == size_; }
    std::int64_t best() const noexcept { return known_.begin()->first; }
    const std::vector<Int>& cheapest() const noexcept { return known_.begin()->second; }

    // The cost that a solution must be below to be one of them; nullopt while any cost will do.
    std::optional<std::int64_t> limit() const noexcept {
        if (!full()) return std::nullopt;
        return known_.rbegin()->first;
    }

    std::vector<Costed> all() const {
        std::vector<Costed> result;
        for (const auto& [cost, options] : known_) result.push_back({cost, options, {}});
        return result;
    }

private:
    std::uint64_t size_;
    std::set<std::pair<std::int64_t, std::vector<Int>>> known_;
};

}  // namespace dlx
