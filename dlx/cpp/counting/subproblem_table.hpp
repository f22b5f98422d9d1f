// The numbers of solutions of subproblems, by their canonical forms: a cache of a bounded size.
//
// A key is a whole canonical form (bytes), so equal keys are isomorphic subproblems: no decision
// rests on a hash. Half of the memory is for new entries. When it is full, these become the old
// ones, and the old ones before them are dropped; an old entry that is looked up becomes new again.
// So what is used often stays, and a lost entry costs time, but no exactness.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "counting/natural.hpp"

namespace dlx {

// What is known of a subproblem.
struct SubproblemCount {
    Natural solutions;
    double nodes = 0;  // of an enumeration, approximately
};

class SubproblemTable {
public:
    explicit SubproblemTable(std::size_t memory) : half_(memory / 2) {}

    // Nullptr if the form is unknown. Valid until the next call of any method.
    const SubproblemCount* find(const std::string& form) {
        if (const auto found = young_.find(form); found != young_.end()) return &found->second;
        const auto old = old_.find(form);
        if (old == old_.end()) return nullptr;
        auto node = old_.extract(old);
        used_ += bytes(node.key(), node.mapped());
        return &young_.insert(std::move(node)).position->second;
    }

    void insert(std::string form, SubproblemCount count) {
        const std::size_t more = bytes(form, count);
        if (used_ + more > half_ && !young_.empty()) {
            old_ = std::move(young_);
            young_ = {};
            used_ = 0;
            ++drops_;
        }
        if (more > half_) return;
        used_ += more;
        young_.insert_or_assign(std::move(form), std::move(count));
    }

    std::size_t size() const noexcept { return young_.size() + old_.size(); }
    std::size_t drops() const noexcept { return drops_; }  // how often the memory was full

private:
    using Table = std::unordered_map<std::string, SubproblemCount>;

    // With what the allocator and the table need for an entry.
    static std::size_t bytes(const std::string& form, const SubproblemCount& count) noexcept {
        return form.capacity() + 8 * count.solutions.capacity() + sizeof(Table::value_type) + 64;
    }

    Table young_, old_;
    std::size_t half_;
    std::size_t used_ = 0;  // by `young_`
    std::size_t drops_ = 0;
};

}  // namespace dlx
