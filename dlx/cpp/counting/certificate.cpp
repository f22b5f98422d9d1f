// The search that writes a certificate of a count; see counting/certificate.hpp.
#include "counting/certificate.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <functional>
#include <new>

#include "core/interrupt_check.hpp"
#include "counting/residual.hpp"
#include "symmetry/search.hpp"

namespace dlx {
namespace {

constexpr std::size_t bytes_beside =
    sizeof(Natural) + 64;  // a state's words: ways, name and places
constexpr std::uint64_t most_edges = 1'000'000;
constexpr std::uint64_t check_interval = 256;  // states between two looks at the clock

std::uint64_t hash_of(const std::uint64_t* words, std::size_t count) noexcept {
    std::uint64_t hash = 0x9E3779B97F4A7C15;
    for (std::size_t word = 0; word < count; ++word) {
        hash = (hash ^ words[word]) * 0xD6E8FEB86659FD93;
        hash ^= hash >> 32;
    }
    return hash;
}

}  // namespace

CountCertificate::CountCertificate(std::shared_ptr<const Problem> problem,
                                   std::span<const Int> given, std::span<const Int> order,
                                   bool isomorphic, std::uint64_t memory)
    : problem_(std::move(problem)),
      given_(given.begin(), given.end()),
      order_(order.begin(), order.end()),
      memory_(memory),
      multiple_(problem_->multiple()),
      option_words_(OptionBits<>::words_for(problem_->options())),
      words_(option_words_ +
             (multiple_ ? index(problem_->primary) : (index(problem_->primary) + 63) / 64)),
      bits_((charge(OptionBits<>::bytes(problem_->options(), problem_->items) +
                    8 * (words_ - option_words_) * index(problem_->options())),
             *problem_),
            multiple_ ? problem_->primary : 0),
      shares_(index(problem_->primary)),
      levels_(index(problem_->options()) + 1),
      state_(words_, 0),
      child_(words_, 0),
      isomorphic_(isomorphic && !multiple_) {
    const auto each_primary = [&](Int option, auto visit) {
        const Int end = problem_->start[index(option) + 1];
        for (Int entry = problem_->start[index(option)]; entry < end; ++entry) {
            if (problem_->item[index(entry)] < problem_->primary) visit(entry);
        }
    };
    for (Int option = 0; option < problem_->options(); ++option) {
        each_primary(option, [&](Int entry) {
            std::vector<Share>& shares = shares_[index(problem_->item[index(entry)])];
            const auto weight = static_cast<Word>(problem_->weight_of(entry));
            auto share = std::ranges::find(shares, weight, &Share::weight);
            if (share == shares.end()) share = shares.insert(share, Share{weight, {}});
            const std::size_t word = index(option) / 64;
            if (share->members.empty() || share->members.back().first != word) {
                share->members.emplace_back(word, 0);
            }
            share->members.back().second |= Word{1} << (index(option) % 64);
        });
    }
    if (multiple_) return;
    const std::size_t item_words = words_ - option_words_;
    std::vector<Word> items(index(problem_->options()) * item_words, 0);
    for (Int option = 0; option < problem_->options(); ++option) {
        each_primary(option, [&](Int entry) {
            set_bit(items.data() + index(option) * item_words, index(problem_->item[index(entry)]));
        });
    }
    near_.assign(items.size(), 0);
    PeriodicCheck periodic;
    for (std::size_t option = 0; option < index(problem_->options()); ++option) {
        Word* const near = near_.data() + option * item_words;
        for_each_bit(bits_.clashes(static_cast<Int>(option)), option_words_, [&](std::size_t one) {
            for (std::size_t word = 0; word < item_words; ++word) {
                near[word] |= items[one * item_words + word];
            }
            periodic.add(item_words);
        });
    }
}

void CountCertificate::charge(std::uint64_t bytes) {
    if (bytes > memory_) throw std::bad_alloc();
    memory_ -= bytes;
}

// How many live options an item has, or how often they cover it; `most` if it is more than that.
CountCertificate::Word CountCertificate::live(const Word* state, Int item, bool weighted,
                                              Word most) const {
    Word sum = 0;
    for (const Share& share : shares_[index(item)]) {
        const Word each = weighted ? share.weight : 1;
        for (const auto& [word, members] : share.members) {
            sum += each * static_cast<Word>(std::popcount(state[word] & members));
            if (sum >= most) return most;
        }
    }
    return sum;
}

void CountCertificate::run(Clock::time_point until, std::uint64_t lines) {
    if (!begun_) begin();
    while (!pauses(lines)) {
        const bool looks = isomorphic_ || lines_ % check_interval == 0;
        if (looks && Clock::now() >= until) return;
        expand();
    }
}

void CountCertificate::begin() {
    begun_ = true;
    depth_ = levels_.size() - 1;
    for (Int option = 0; option < problem_->options(); ++option) {
        set_bit(child_.data(), index(option));
    }
    if (!multiple_) {
        for (Int item = 0; item < problem_->primary; ++item) {
            set_bit(child_.data() + option_words_, index(item));
        }
    } else {
        settle();
    }
    for (const Int option : given_) take(option);
    text_ += "root";
    arrive(-1, {1});
    text_ += '\n';
    while (depth_ > 0 && levels_[depth_].names.empty()) --depth_;
    finished_ = levels_[depth_].names.empty();
}

// Writes the line of the next state.
void CountCertificate::expand() {
    Level& level = levels_[depth_];
    const std::uint32_t name = level.names[next_];
    const Natural ways = std::move(level.ways[next_]);
    std::copy_n(level.words.data() + next_ * words_, words_, state_.data());
    text_ += std::to_string(name);
    free_.push_back(name);
    const Int item = choose(state_.data());
    write(index(item) + 1);
    const auto branch = [&](std::size_t option) {
        std::copy(state_.begin(), state_.end(), child_.begin());
        take(static_cast<Int>(option));
        arrive(static_cast<Int>(option), ways);
        if (multiple_) state_[option / 64] &= ~(Word{1} << (option % 64));
    };
    const bool may_stop = multiple_ && !needs(state_.data(), item);
    const Word* const members = bits_.members(item);
    for (std::size_t word = 0; word < option_words_; ++word) {
        for (Word left = state_[word] & members[word]; left != 0; left &= left - 1) {
            branch(64 * word + static_cast<std::size_t>(std::countr_zero(left)));
        }
    }
    if (may_stop) {
        std::copy(state_.begin(), state_.end(), child_.begin());
        settle();
        arrive(-1, ways);
    }
    text_ += '\n';
    ++lines_;
    if (++next_ < level.names.size()) return;
    memory_ += level.bytes;
    level = {};
    next_ = 0;
    while (depth_ > 0 && levels_[depth_].names.empty()) --depth_;
    finished_ = levels_[depth_].names.empty();
}

// The item to branch on: the first in the order that is not done, or one with the fewest branches.
Int CountCertificate::choose(const Word* state) const {
    for (const Int item : order_) {
        if (needs(state, item) || live(state, item, false, 1) > 0) return item;
    }
    Int best = 0;
    Word least = all;
    for (Int item = 0; item < problem_->primary; ++item) {
        const bool open = needs(state, item);
        if (!multiple_ && !open) continue;
        const Word options = live(state, item, false, multiple_ ? all : least);
        if (!open && options == 0) continue;
        Word branches = options + (open ? 0 : 1);
        if (multiple_ && open) {  // the last options are not enough
            const Word missing =
                static_cast<Word>(problem_->low[index(item)]) - state[option_words_ + index(item)];
            const Word most = live(state, item, true);
            branches = std::min(branches, most < missing ? 0 : most - missing + 1);
        }
        if (branches >= least) continue;
        best = item;
        least = branches;
    }
    return best;
}

// Takes a live option in `child_`.
void CountCertificate::take(Int option) {
    const Word* const clashes = bits_.clashes(option);
    for (std::size_t word = 0; word < option_words_; ++word) child_[word] &= ~clashes[word];
    Word* const items = child_.data() + option_words_;
    const Int end = problem_->start[index(option) + 1];
    for (Int entry = problem_->start[index(option)]; entry < end; ++entry) {
        const Int item = problem_->item[index(entry)];
        if (item >= problem_->primary) continue;
        if (multiple_) {
            items[item] += static_cast<Word>(problem_->weight_of(entry));
        } else {
            items[index(item) / 64] &= ~(Word{1} << (index(item) % 64));
        }
    }
    if (multiple_) settle();
}

// Removes the options that exceed a bound, and makes numbers equal that leave the same choices.
void CountCertificate::settle() {
    Word* const items = child_.data() + option_words_;
    for (Int item = 0; item < problem_->primary; ++item) {
        const Word room = static_cast<Word>(problem_->high[index(item)]) - items[item];
        for (const Share& share : shares_[index(item)]) {
            if (share.weight <= room) continue;
            for (const auto& [word, members] : share.members) child_[word] &= ~members;
        }
    }
    for (Int item = 0; item < problem_->primary; ++item) {
        const auto low = static_cast<Word>(problem_->low[index(item)]);
        const auto high = static_cast<Word>(problem_->high[index(item)]);
        if (items[item] >= low && items[item] + live(child_.data(), item, true) <= high) {
            items[item] = low;
        }
    }
}

// An item that `child_` cannot cover often enough, or -1; without multiplicities, of those that
// lose options by the last one.
Int CountCertificate::dead_item(Int option) const {
    const Word* const state = child_.data();
    if (multiple_) {
        for (Int item = 0; item < problem_->primary; ++item) {
            const auto low = static_cast<Word>(problem_->low[index(item)]);
            const Word covered = state[option_words_ + index(item)];
            if (covered < low && covered + live(state, item, true) < low) return item;
        }
        return -1;
    }
    const std::size_t item_words = words_ - option_words_;
    for (std::size_t word = 0; word < item_words; ++word) {
        Word open = state[option_words_ + word];
        if (option >= 0) open &= near_[index(option) * item_words + word];
        for (; open != 0; open &= open - 1) {
            const std::size_t item = 64 * word + static_cast<std::size_t>(std::countr_zero(open));
            const auto any = [&](const Share& share) {
                return std::ranges::any_of(share.members, [&](const auto& members) {
                    return (state[members.first] & members.second) != 0;
                });
            };
            if (std::ranges::none_of(shares_[item], any)) return static_cast<Int>(item);
        }
    }
    return -1;
}

// Adds the ways to the state `child_`, which the last option has led to (-1: another branch), and
// appends its name to the line.
void CountCertificate::arrive(Int option, const Natural& ways) {
    if (const Int dead = dead_item(option); dead >= 0) {
        text_ += " -" + std::to_string(dead + 1);
        return;
    }
    std::size_t options = 0;
    for (std::size_t word = 0; word < option_words_; ++word) {
        options += static_cast<std::size_t>(std::popcount(child_[word]));
    }
    if (options == 0) {  // no item is dead, so none needs an option
        add(solutions_, ways);
        write(0);
        return;
    }
    if (isomorphic_) find_form();
    const auto hash_at = [&](const Level& level, std::size_t state) -> std::size_t {
        return isomorphic_ ? std::hash<std::string>()(level.forms[state].text)
                           : hash_of(level.words.data() + state * words_, words_);
    };
    Level& level = levels_[options];
    const auto charge_level = [&](std::uint64_t bytes) {
        charge(bytes);
        level.bytes += bytes;
    };
    const std::size_t states = level.names.size();
    if (2 * states >= level.places.size()) {
        const std::size_t room = std::max<std::size_t>(16, 4 * states);
        charge_level((room / 2 - level.names.capacity()) * (8 * words_ + bytes_beside));
        level.words.reserve(room / 2 * words_);
        level.ways.reserve(room / 2);
        level.names.reserve(room / 2);
        level.places.assign(room, 0);
        for (std::size_t one = 0; one < states; ++one) {
            std::size_t at = hash_at(level, one);
            while (level.places[at & (room - 1)] != 0) ++at;
            level.places[at & (room - 1)] = static_cast<std::uint32_t>(one + 1);
        }
    }
    const auto is_known = [&](std::size_t state) {
        if (isomorphic_) return level.forms[state].text == form_.text;
        return std::equal(child_.begin(), child_.end(),
                          level.words.begin() + static_cast<std::ptrdiff_t>(state * words_));
    };
    std::size_t at =
        isomorphic_ ? std::hash<std::string>()(form_.text) : hash_of(child_.data(), words_);
    const std::size_t mask = level.places.size() - 1;
    while (level.places[at & mask] != 0 && !is_known(level.places[at & mask] - 1)) ++at;
    std::uint32_t& place = level.places[at & mask];
    if (place != 0) {
        add(level.ways[place - 1], ways);
        write(level.names[place - 1]);
        if (isomorphic_) write_names(level.forms[place - 1]);
        return;
    }
    place = static_cast<std::uint32_t>(states + 1);
    if (free_.empty()) free_.push_back(++names_);
    level.words.insert(level.words.end(), child_.begin(), child_.end());
    level.ways.push_back(ways);
    level.names.push_back(free_.back());
    free_.pop_back();
    write(level.names.back());
    if (!isomorphic_) return;
    charge_level(form_.text.size() + sizeof(Form) + 4 * form_.options.size());
    level.forms.push_back(std::move(form_));
}

// Appends the names that the live options of `child_` have in an isomorphic state, if they differ.
void CountCertificate::write_names(const Form& known) {
    if (form_.options == known.options) return;
    std::vector<std::pair<Int, Int>> names;
    for (std::size_t at = 0; at < known.options.size(); ++at) {
        names.emplace_back(form_.options[at], known.options[at]);
    }
    std::ranges::sort(names);
    char before = ':';
    for (const auto& [option, name] : names) {
        text_ += before;
        text_ += std::to_string(name);
        before = ',';
    }
}

// The canonical form of `child_`. If it takes too long to find, the state itself is its form.
void CountCertificate::find_form() {
    form_ = {};
    std::vector<Int> options;
    for_each_bit(child_.data(), option_words_,
                 [&](std::size_t option) { options.push_back(static_cast<Int>(option)); });
    // Secondary items that exclude something: not all their options give them the same color.
    std::vector<Int> color(index(problem_->items), -1);
    std::vector<bool> excludes(index(problem_->items), false);
    const auto each_entry = [&](Int option, auto visit) {
        const Int end = problem_->start[index(option) + 1];
        for (Int entry = problem_->start[index(option)]; entry < end; ++entry) {
            visit(problem_->item[index(entry)], problem_->color_of(entry));
        }
    };
    for (const Int option : options) {
        each_entry(option, [&](Int item, Int own) {
            const Int before = std::exchange(color[index(item)], own);
            if (before >= 0 && (own == 0 || own != before)) excludes[index(item)] = true;
        });
    }
    Residual rest;
    std::vector<Int> number(index(problem_->items), -1);
    for (Int item = 0; item < problem_->items; ++item) {
        const bool primary = item < problem_->primary;
        if (color[index(item)] < 0 || (!primary && !excludes[index(item)])) continue;
        number[index(item)] = rest.items++;
        rest.primary += primary ? 1 : 0;
    }
    std::vector<std::pair<Int, Int>> row;
    for (const Int option : options) {
        row.clear();
        each_entry(option, [&](Int item, Int own) {
            if (number[index(item)] >= 0) row.emplace_back(number[index(item)], own);
        });
        std::ranges::sort(row);
        for (const auto& [item, own] : row) {
            rest.item.push_back(item);
            if (problem_->colored()) rest.color.push_back(own);
        }
        rest.start.push_back(static_cast<Int>(rest.item.size()));
        rest.copies.push_back(1);
    }
    const IncidenceGraph graph = rest.graph();
    SymmetryLimits limits;
    limits.work = most_edges;
    const auto order = canonical_order(graph, limits);
    if (!order) {
        form_.text.assign(reinterpret_cast<const char*>(child_.data()), 8 * words_);
        form_.options = options;
        return;
    }
    form_.text = rest.encoded(graph, *order);
    for (const Int vertex : *order) {
        if (vertex < rest.items || vertex >= rest.items + rest.options()) continue;
        form_.options.push_back(options[index(vertex - rest.items)]);
    }
}

void CountCertificate::write(std::uint64_t number) {
    char digits[24];
    digits[0] = ' ';
    const auto end = std::to_chars(digits + 1, digits + sizeof digits, number).ptr;
    text_.append(digits, end);
}

}  // namespace dlx
