// What layouts share in which the options of an item fit into a word: lanes and slices.
//
// `Layout` is the class that derives from this. It has word_of(state, item): the live options of an
// item, its first option in the lowest bit.
#pragma once

#include "bits/choice.hpp"

namespace dlx::DLX_BITS_LEVEL {

template <class Layout, class View = ItemsView>
class ItemWords {
public:
    static constexpr bool has_weights = false;

    DLX_INLINE Int only(const std::byte* state, Int item) const {
        return option_at(item, lowest(own().word_of(state, item)));
    }

    DLX_INLINE void open(BitsFrame& frame, const std::byte* state) const {
        frame.bits = own().word_of(state, frame.item);
    }

    DLX_INLINE Int next(BitsFrame& frame, const std::byte*) const {
        const int place = lowest(frame.bits);
        frame.bits &= frame.bits - 1;
        return option_at(frame.item, place);
    }

    std::uint64_t updates = 0;

protected:
    explicit ItemWords(const View& tables) : tables_(tables) {}

    View tables_;

private:
    DLX_INLINE const Layout& own() const { return static_cast<const Layout&>(*this); }

    DLX_INLINE Int option_at(Int item, int place) const {
        return tables_.item_option[tables_.item_start[item] + place];
    }
};

}  // namespace dlx::DLX_BITS_LEVEL
