// The plan for counting by layers: the layers of a problem, and its options as bit masks.
//
// The primary items are passed in some order. A *layer* is the place of an item that is the first
// item of some option. In the layer's states all items before that item are covered, and the item
// is not. The layer's options are those whose first item it is; whether one fits depends on the
// frontier items that are covered already. A state has a bit for each frontier item, in a slot that
// the item occupies only as long as it matters, so that slots are reused:
//
//     item      first layer of an option with it                  its own layer
//       q  ...........[==================== a bit ====================].............
//       r  ......[====== a bit, or a color of several bits ======]..................
//     secondary item                                     last layer of an option with it
//
// An item that is first in no option has no layer: it is *required* to be covered when the last
// layer of an option with it is left. For each layer:
//
//     own       the bit of its item: if it is set, the state skips the layer
//     required  the bits of the items that must be covered when the layer is left
//     keep      all bits except those that no longer matter when the layer is left
//
// and for each of its options, in as many words as a state has:
//
//     conflict  bits that must be clear
//     set       bits that it sets
//     tests     for its colors: fields that must be clear or have a value
//     adds      for its items that may be covered several times: numbers that it increases
//
// Options with equal masks, tests and adds are one, with a weight.
//
// With multiplicities, an item of upper bound 1 has a layer as before, in which a state may also
// take no option if the item need not be covered. An item of a higher bound (*counted*) has a layer
// for each of its options that have it first; in each, the state takes this option or takes none.
// Its bits are a number (counting/bounded_items.hpp), which is *settled* when a layer that has an
// option with the item is left.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/problem.hpp"
#include "counting/bounded_items.hpp"
#include "counting/layers_order.hpp"

namespace dlx {

struct ColorTest {
    std::uint64_t field;
    std::uint64_t value;
    std::uint32_t word;
};

// A number in a state that an option increases: it must be at most `most` before, and is at most
// `largest` then.
struct NumberAdd {
    std::uint64_t mask;  // shifted to the right
    std::uint64_t most;
    std::uint64_t largest;
    std::uint64_t weight;
    std::uint32_t word;
    std::uint32_t shift;
    auto operator<=>(const NumberAdd&) const = default;
};

// A number in a state when a layer is left: below `least` there is no solution; from `from` to `to`
// it becomes `from`.
struct NumberSettled {
    std::uint64_t mask;
    std::uint64_t least;
    std::uint64_t from;
    std::uint64_t to;
    std::uint32_t word;
    std::uint32_t shift;
};

class LayerPlan {
public:
    static constexpr std::size_t most_words = 8;

    LayerPlan(const Problem& problem, const LayerOrder& order);

    // Are there few enough bits, and is there an option for each item?
    bool fits() const noexcept { return fits_; }

    std::size_t layers() const noexcept { return first_option_.size() - 1; }
    std::size_t words() const noexcept { return words_; }
    std::size_t options() const noexcept { return weight_.size(); }
    bool colored() const noexcept { return !tests_.empty(); }
    bool counted() const noexcept { return !settled_.empty(); }

    const std::uint64_t* own(std::size_t layer) const { return &masks_[3 * words_ * layer]; }
    const std::uint64_t* required(std::size_t layer) const { return own(layer) + words_; }
    const std::uint64_t* keep(std::size_t layer) const { return own(layer) + 2 * words_; }

    std::size_t first_option(std::size_t layer) const { return first_option_[layer]; }
    const std::uint64_t* conflict(std::size_t option) const {
        return &option_masks_[2 * words_ * option];
    }
    const std::uint64_t* set(std::size_t option) const { return conflict(option) + words_; }
    std::uint64_t weight(std::size_t option) const { return weight_[option]; }
    const ColorTest* tests(std::size_t option) const { return tests_.data() + first_test_[option]; }
    const ColorTest* tests_end(std::size_t option) const { return tests(option + 1); }

    // Only if some item is counted:
    const NumberAdd* adds(std::size_t option) const { return adds_.data() + first_add_[option]; }
    const NumberAdd* adds_end(std::size_t option) const { return adds(option + 1); }
    const NumberSettled* settled(std::size_t layer) const {
        return settled_.data() + first_settled_[layer];
    }
    const NumberSettled* settled_end(std::size_t layer) const { return settled(layer + 1); }

    // The weights of all options of a layer together.
    std::uint64_t branches(std::size_t layer) const { return branches_[layer]; }
    // Bits that may be set in a state of a layer.
    double width(std::size_t layer) const { return width_[layer]; }
    std::size_t bytes() const noexcept {
        return 8 * (masks_.size() + option_masks_.size() + 3 * weight_.size()) +
               sizeof(ColorTest) * tests_.size() + sizeof(NumberAdd) * adds_.size() +
               sizeof(NumberSettled) * settled_.size();
    }

private:
    // The bits of an item: all in one word.
    struct Field {
        std::uint32_t word = 0;
        std::uint64_t mask = 0;
    };

    void find_layers(const Problem& problem, const LayerOrder& order);
    void code_colors(const Problem& problem);
    void give_slots(const Problem& problem);
    std::size_t find_word(int bits, bool together) const;
    void write_masks(const Problem& problem);
    void write_settled(const Problem& problem);
    void write_options(const Problem& problem);
    bool is_counted(Int item) const;
    bool is_needed(Int item) const;

    bool fits_ = true;
    std::size_t words_ = 1;
    std::vector<std::uint64_t> masks_;  // own, required, keep of each layer
    std::vector<std::uint64_t> option_masks_;
    std::vector<std::uint64_t> weight_;
    std::vector<std::size_t> first_option_;
    std::vector<std::uint32_t> first_test_;
    std::vector<ColorTest> tests_;
    std::vector<std::uint32_t> first_add_;
    std::vector<NumberAdd> adds_;
    std::vector<std::uint32_t> first_settled_;
    std::vector<NumberSettled> settled_;
    std::vector<std::uint64_t> branches_;
    std::vector<double> width_;

    // While the plan is made.
    std::vector<Int> layer_of_;        // of each option
    std::vector<Int> own_layer_;       // of each primary item, or -1
    std::vector<Int> first_, last_;    // layers of an item's options
    std::vector<Int> code_;            // of each entry: of its color, among those of its item
    std::vector<std::uint32_t> bits_;  // of each item
    std::vector<Field> field_;
    std::vector<BoundedItem> bounds_;  // of each primary item
    std::vector<std::uint8_t> skips_;  // of each layer: may a state take no option there?
    std::vector<std::vector<Int>> begins_, ends_;  // by layer: the items that get or lose a field
    std::array<std::uint64_t, most_words> free_;   // bits, of each word
};

}  // namespace dlx
