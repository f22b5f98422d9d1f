// The last stage: puts the answer into the order of an ordinary search.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "minimum/stage.hpp"

namespace dlx {

// The cost of the most expensive solution of the answer, which may not be in order yet.
template <class Cost>
std::optional<std::int64_t> last_cost(const MinimumData<Cost>& data) {
    if (data.answer.empty()) return std::nullopt;
    std::vector<std::int64_t> costs;
    for (const Costed& one : data.answer) costs.push_back(one.cost);
    const auto last = costs.begin() + static_cast<std::ptrdiff_t>(
                                          std::min<std::uint64_t>(data.k, costs.size()) - 1);
    std::nth_element(costs.begin(), last, costs.end());
    return *last;
}

template <class Cost>
class Ordering final : public Stage<Cost> {
public:
    // The answer is among `found`.
    Ordering(MinimumData<Cost>& data, std::vector<Costed> found) : Stage<Cost>(data) {
        data.plain.undo(data.plain_root);
        data.answer = std::move(found);
        data.answered = true;
        data.kept.clear();
        data.before.clear();
    }

    void run(Clock::time_point) override {
        if (ordered_ < data_.answer.size()) {
            data_.order.restore(data_.answer[ordered_++], data_.plain);
            return;
        }
        keep_best(data_.answer, data_.k);
        this->end(nullptr);
    }

    std::optional<std::int64_t> bound() const override { return last_cost(data_); }
    SavedStage saved_as() const noexcept override { return SavedStage::ordering; }
    void save(StateWriter& state) override { state.put_solutions(data_.answer); }

private:
    using Stage<Cost>::data_;
    std::size_t ordered_ = 0;  // of the answer
};

}  // namespace dlx
