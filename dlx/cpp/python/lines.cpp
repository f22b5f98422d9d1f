// Reads the lines of a file in Knuth's format into a table: a fast path for ordinary ones.
//
// dlx/formats/knuth.py, and only that, defines the format and its errors. A `LineReader` draws
// lines and adds those that are certainly valid options to the table; it skips comments and blank
// lines. It returns any other line: then the table contains exactly the options before, and Python
// reads this line or raises an error. So, as in python/reading.cpp, there are no messages here:
//
//     lines   an iterator  --->  LineReader  --->  the table's dicts, lists and arrays
//                                   |  ^
//       a line that is wrong or     v  |        the lines after it
//       just unusual:         knuth.read: Table.add_option
//
// A line is read in one pass over its UTF-8. Items and colors are looked up by their bytes, so that
// no string is made for a word; only a new color becomes one. Unusual are bytes that are not UTF-8,
// null characters, byte order marks, any white space and new colors that are not ASCII (but in
// words that are known), and numbers of many digits. A comment that names an option is read here if
// the name is a text or a tuple of texts and integers without escapes. It is kept until the option
// is added; if that cannot be added, Python gets first the comment and then the line.
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/problem.hpp"
#include "python/bindings.hpp"
#include "python/packs.hpp"
#include "python/table_columns.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace dlx {
namespace {

// Numbers of words by their bytes: an open hash table. The multiplier is another one in each
// process, so that no file can be made of words that collide.
class WordNumbers {
public:
    WordNumbers() : multiplier_(static_cast<std::uint64_t>(nb::hash(nb::str("dlx"))) | 1) {}

    Int find(const char* word, std::size_t size) const noexcept {
        return slots_.empty() ? unknown : slots_[place_of(word, size)].number;
    }

    // The word must be new and not empty.
    void add(const char* word, std::size_t size, Int number) {
        if (2 * ++used_ > slots_.size()) grow();
        slots_[place_of(word, size)] = {head_of(word, size), size, bytes_.size(), number};
        bytes_.append(word, size);
    }

private:
    struct Slot {
        std::uint64_t head = 0;
        std::size_t size = 0;  // 0: the slot is empty
        std::size_t at = 0;    // of the word in bytes_
        Int number = unknown;
    };

    static std::uint64_t load(const char* at) noexcept {
        std::uint64_t bytes = 0;
        std::memcpy(&bytes, at, 8);
        return bytes;
    }

    // The first eight bytes of a word. For shorter ones, a number that differs for different words
    // of the same size: bytes 0 to 3 and the last four, or the first, the middle and the last one.
    static std::uint64_t head_of(const char* word, std::size_t size) noexcept {
        if (size >= 8) return load(word);
        if (size >= 4) {
            std::uint32_t first = 0;
            std::uint32_t last = 0;
            std::memcpy(&first, word, 4);
            std::memcpy(&last, word + size - 4, 4);
            return first | std::uint64_t{last} << 32;
        }
        const auto byte = [&](std::size_t at) {
            return std::uint64_t{static_cast<unsigned char>(word[at])};
        };
        return byte(0) | byte(size / 2) << 8 | byte(size - 1) << 16;
    }

    std::size_t place_of(const char* word, std::size_t size) const noexcept {
        const std::uint64_t head = head_of(word, size);
        std::uint64_t hash = (head + size) * multiplier_;
        for (std::size_t at = 8; at < size; at += 8) {
            hash ^= hash >> 32;
            hash = (hash ^ load(word + (at + 8 <= size ? at : size - 8))) * multiplier_;
        }
        for (std::size_t place = hash >> shift_;; place = (place + 1) & (slots_.size() - 1)) {
            const Slot& slot = slots_[place];
            if (slot.size == 0) return place;
            if (slot.head == head && slot.size == size &&
                (size <= 8 || std::memcmp(&bytes_[slot.at], word, size) == 0)) {
                return place;
            }
        }
    }

    void grow() {
        std::vector<Slot> old(slots_.empty() ? 64 : 2 * slots_.size());
        old.swap(slots_);
        shift_ = 64;
        for (std::size_t size = slots_.size(); size > 1; size /= 2) --shift_;
        for (const Slot& slot : old) {
            if (slot.size != 0) slots_[place_of(&bytes_[slot.at], slot.size)] = slot;
        }
    }

    std::uint64_t multiplier_;
    std::vector<Slot> slots_;  // a power of two, at most half of them used
    std::size_t used_ = 0;
    int shift_ = 0;
    std::string bytes_;  // of all words, one after another
};

enum class Kind : std::uint8_t { ordinary, space, special };

// What `str.split` takes for white space within ASCII, and the characters with a meaning. A null
// character ends the text, or is no text.
constexpr std::array<Kind, 256> kinds = [] {
    std::array<Kind, 256> kind{};
    for (const int space : {9, 10, 11, 12, 13, 28, 29, 30, 31, 32}) {
        kind[static_cast<std::size_t>(space)] = Kind::space;
    }
    for (const char special : {':', '|', '\0'}) {
        kind[static_cast<std::size_t>(special)] = Kind::special;
    }
    return kind;
}();

Kind kind_of(char character) noexcept {
    return kinds[static_cast<unsigned char>(character)];
}

const char* skip_spaces(const char* at) noexcept {
    while (kind_of(*at) == Kind::space) ++at;
    return at;
}

bool is_digit(char character) noexcept {
    return character >= '0' && character <= '9';
}

// Moves `at` behind digits; their number, or -1 if there is none or more than 17.
std::int64_t read_digits(const char*& at) noexcept {
    std::int64_t number = 0;
    const char* first = at;
    while (is_digit(*at) && at - first < 18) number = 10 * number + (*at++ - '0');
    return at == first || at - first > 17 ? -1 : number;
}

// A name of an option in JSON, at the end of a text that ends with a null character. An invalid
// object for anything but texts without escapes, integers, and lists of such.
class NameReader {
public:
    explicit NameReader(const char* at) : at_(at) {}

    nb::object read() {
        nb::object name = value(0);
        if (!name.is_valid() || PyLong_Check(name.ptr()) || *skip_spaces(at_) != '\0') return {};
        return name;
    }

private:
    nb::object value(int depth) {
        while (*at_ == ' ') ++at_;
        if (*at_ == '"') return text();
        if (*at_ == '[') return depth < 10 ? list(depth) : nb::object();
        const bool negative = *at_ == '-';
        if (negative) ++at_;
        const bool padded = at_[0] == '0' && (negative || is_digit(at_[1]));
        const std::int64_t number = read_digits(at_);
        const bool whole = *at_ == ' ' || *at_ == ',' || *at_ == ']' || *at_ == '\0';
        if (number < 0 || padded || !whole) return {};
        return nb::int_(negative ? -number : number);
    }

    nb::object text() {
        const char* first = ++at_;
        while (*at_ != '"' && *at_ != '\\' && static_cast<unsigned char>(*at_) >= ' ') ++at_;
        if (*at_ != '"') return {};
        return checked(PyUnicode_FromStringAndSize(first, at_++ - first));
    }

    nb::object list(int depth) {
        std::vector<nb::object> parts;
        do {
            ++at_;
            parts.push_back(value(depth + 1));
            if (!parts.back().is_valid()) return {};  // as in an empty list
            while (*at_ == ' ') ++at_;
        } while (*at_ == ',');
        if (*at_++ != ']') return {};
        nb::object made = checked(PyTuple_New(static_cast<Py_ssize_t>(parts.size())));
        for (std::size_t place = 0; place < parts.size(); ++place) {
            PyTuple_SET_ITEM(made.ptr(), static_cast<Py_ssize_t>(place),
                             parts[place].release().ptr());
        }
        return made;
    }

    const char* at_;
};

class LineReader {
public:
    LineReader(nb::object table, nb::object lines)
        : table_(std::move(table)),
          lines_(std::move(lines)),
          items_(attribute(table_, Words::get().items, PyList_Type)),
          secondary_(attribute(table_, Words::get().secondary, PyByteArray_Type)),
          multiplicities_(attribute(table_, Words::get().multiplicities, PyDict_Type)),
          extra_weights_(attribute(table_, Words::get().extra_weights, PyDict_Type)),
          costs_(attribute(table_, Words::get().costs)),
          color_names_(attribute(table_, Words::get().color_names, PyList_Type)),
          color_numbers_(attribute(table_, Words::get().color_numbers, PyDict_Type)),
          names_given_(attribute(table_, Words::get().names_given, PyDict_Type)),
          columns_(table_) {
        if (!PyIter_Check(lines_.ptr())) throw nb::type_error("lines: an iterator");
    }

    // How many lines have been drawn.
    std::int64_t drawn() const noexcept { return drawn_; }

    // The number of the next line that Python must read, from 1, and the line; None at the end.
    // With `skim`, the lines before that are comments, blank or in the table; otherwise there are
    // none.
    nb::object read(bool skim) {
        if (left_.is_valid()) return nb::make_tuple(drawn_, std::exchange(left_, {}));
        if (skim) look_again();
        while (draw()) {
            if (!skim) return nb::make_tuple(drawn_, line_);
            if (!take()) return hand_over();
            const bool full = columns_.full();
            if (full) flush();
            if ((full || drawn_ % 4096 == 0) && PyErr_CheckSignals() != 0) throw nb::python_error();
        }
        flush();
        if (!naming_.is_valid()) return nb::none();
        return nb::make_tuple(named_at_, std::exchange(naming_, {}));
    }

private:
    static constexpr std::string_view naming = "| dlx name:";  // NAME in dlx/formats/knuth.py

    bool draw() {
        line_ = nb::steal(PyIter_Next(lines_.ptr()));
        if (!line_.is_valid() && PyErr_Occurred() != nullptr) throw nb::python_error();
        drawn_ += line_.is_valid() ? 1 : 0;
        return line_.is_valid();
    }

    // Notes what Python has changed since the last call.
    void look_again() {
        names_ = attribute(table_, Words::get().names);
        cost_total_ = PyLong_AsLongLong(attribute(table_, Words::get().cost_total).ptr());
        if (PyErr_Occurred() != nullptr) throw nb::python_error();
        for (; items_known_ < PyList_GET_SIZE(items_.ptr()); ++items_known_) {
            learn(items_, items_known_, item_words_, static_cast<Int>(items_known_));
        }
        for (; colors_known_ < PyList_GET_SIZE(color_names_.ptr()); ++colors_known_) {
            learn(color_names_, colors_known_, color_words_, static_cast<Int>(colors_known_ + 1));
        }
        if (seen_in_.size() < nb::len(items_)) seen_in_.resize(nb::len(items_));
    }

    static void learn(const nb::object& list, Py_ssize_t place, WordNumbers& words, Int number) {
        const nb::object word = element_of(list, place);
        Py_ssize_t size = 0;
        const char* text = utf8(word, size);
        if (text != nullptr && size > 0) words.add(text, static_cast<std::size_t>(size), number);
    }

    // The UTF-8 of a text; null for other objects, and for texts that have none.
    static const char* utf8(const nb::object& text, Py_ssize_t& size) {
        if (!PyUnicode_CheckExact(text.ptr())) return nullptr;
        const char* bytes = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
        if (bytes == nullptr) PyErr_Clear();
        return bytes;
    }

    // First the comment that names the option, if there is one, and then the line.
    nb::object hand_over() {
        flush();
        name_ = {};
        if (!naming_.is_valid()) return nb::make_tuple(drawn_, line_);
        left_ = line_;
        return nb::make_tuple(named_at_, std::exchange(naming_, {}));
    }

    // Reads the line, or changes nothing and returns false. (A color may be known before Python
    // reads the option: it gets the same number.)
    bool take() {
        Py_ssize_t size = 0;
        const char* at = utf8(line_, size);
        if (at == nullptr || std::strncmp(at, "\xEF\xBB\xBF", 3) == 0) return false;
        end_ = at + size;
        at = skip_spaces(at);
        if (at == end_) return true;
        if (std::string_view(at, static_cast<std::size_t>(end_ - at)).starts_with(naming)) {
            return take_name(at + naming.size());
        }
        if (*at == '|') {
            return std::memchr(at, '\0', static_cast<std::size_t>(end_ - at)) == nullptr;
        }
        const std::size_t entries = columns_.entries();
        if (take_entries(at) && add_name()) {
            columns_.end_option();
            added_costs_.push_back(cost_);
            cost_total_ += std::abs(cost_);
            return true;
        }
        columns_.cut(entries);
        return false;
    }

    bool take_name(const char* at) {
        if (naming_.is_valid() || names_.is_none() ||
            std::memchr(at, '\0', static_cast<std::size_t>(end_ - at)) != nullptr) {
            return false;
        }
        name_ = NameReader(at).read();
        if (!name_.is_valid()) return false;
        naming_ = line_;
        named_at_ = drawn_;
        return true;
    }

    bool take_entries(const char* at) {
        ++turn_;
        cost_ = 0;
        anchored_ = false;
        for (; at != end_; at = skip_spaces(at)) {
            const char* word = at;
            while (kind_of(*at) == Kind::ordinary) ++at;
            const auto size = static_cast<std::size_t>(at - word);
            if (*at == '|') {
                if (size > 0 || !take_cost(++at)) return false;
                continue;
            }
            const Int item = size == 0 ? unknown : item_words_.find(word, size);
            if (*at == ':') {
                const char* color = ++at;
                while (kind_of(*at) == Kind::ordinary) ++at;
                if (item < 0 || !is_secondary(item) || at == color || !at_end(at)) return false;
                const Int tint = number_of_color(color, static_cast<std::size_t>(at - color));
                if (tint < 0 || !add_entry(item, tint, 1)) return false;
            } else if (!at_end(at) ||
                       !(item >= 0 ? add_entry(item, 0, 1) : take_weight(word, at))) {
                return false;
            }
        }
        return anchored_;
    }

    bool at_end(const char* at) const noexcept { return at == end_ || kind_of(*at) == Kind::space; }

    // A sum of costs; each is "|" and digits, perhaps after a sign.
    bool take_cost(const char*& at) {
        const bool negative = *at == '-';
        if (negative) ++at;
        const std::int64_t digits = read_digits(at);
        if (digits < 0 || !at_end(at)) return false;
        cost_ += negative ? -digits : digits;
        constexpr std::int64_t most = std::int64_t{1} << 60;
        const std::int64_t size = std::abs(cost_);
        return size <= most && cost_total_ <= std::numeric_limits<std::int64_t>::max() - size;
    }

    // An item with a weight within its bounds, as in "p*3". Python sees to weights that are so
    // large that their sum might be, too: a block of 4096 options is not in that sum yet.
    bool take_weight(const char* word, const char* end) {
        constexpr std::int64_t most = 1 << 16;
        constexpr std::int64_t most_before = 1 << 28;  // LARGEST_EXTRA is twice that
        const char* star = end;
        while (star != word && *star != '*') --star;
        if (star == word) return false;
        const char* at = star + 1;
        const std::int64_t weight = read_digits(at);
        const Int item = item_words_.find(word, static_cast<std::size_t>(star - word));
        if (at != end || weight < 2 || weight > most || item < 0) return false;
        const nb::int_ number(item);
        const nb::object bounds = value_in(multiplicities_, number.ptr());
        if (!bounds.is_valid()) return false;
        const nb::object high = bounds[1];
        const nb::object before = value_in(extra_weights_, number.ptr());
        return (high.is_none() || high >= nb::int_(weight)) &&
               (!before.is_valid() || before <= nb::int_(most_before)) &&
               add_entry(item, 0, static_cast<Int>(weight));
    }

    bool add_entry(Int item, Int color, Int weight) {
        std::uint32_t& turn = seen_in_[static_cast<std::size_t>(item)];
        if (turn == turn_) return false;
        turn = turn_;
        anchored_ = anchored_ || !is_secondary(item);
        columns_.add_entry(item, color, weight);
        return true;
    }

    bool is_secondary(Int item) const { return PyByteArray_AS_STRING(secondary_.ptr())[item] != 0; }

    Int number_of_color(const char* color, std::size_t size) {
        const Int number = color_words_.find(color, size);
        if (number != unknown) return number;
        const nb::object text =
            checked(PyUnicode_FromStringAndSize(color, static_cast<Py_ssize_t>(size)));
        if (!PyUnicode_IS_ASCII(text.ptr())) return unknown;  // it may have white space
        const Int made = enter(color_numbers_, text.ptr(), ++colors_known_);
        if (PyList_Append(color_names_.ptr(), text.ptr()) != 0) throw nb::python_error();
        color_words_.add(color, size, made);
        return made;
    }

    // Names the option: by its index if no comment came before.
    bool add_name() {
        if (names_.is_none()) return true;
        const Py_ssize_t index = PyList_GET_SIZE(names_.ptr());
        const nb::object name =
            naming_.is_valid() ? std::exchange(name_, {}) : checked(PyLong_FromSsize_t(index));
        if (number_of(names_given_, name.ptr()) != unknown) return false;
        if (naming_.is_valid()) enter(names_given_, name.ptr(), index);
        if (PyList_Append(names_.ptr(), name.ptr()) != 0) throw nb::python_error();
        naming_ = {};
        return true;
    }

    void flush() {
        flush_costs();
        columns_.flush();
    }

    // The array of costs ends with the last option that costs something.
    void flush_costs() {
        const std::size_t before = columns_.options() - columns_.pending_options();
        while (!added_costs_.empty() && added_costs_.back() == 0) added_costs_.pop_back();
        if (!added_costs_.empty()) {
            append(costs_, std::vector<std::int64_t>(before - nb::len(costs_)));
            append(costs_, added_costs_);
            nb::setattr(table_, Words::get().cost_total, nb::int_(cost_total_));
        }
        added_costs_.clear();
    }

    nb::object table_;
    nb::object lines_;
    nb::object items_;
    nb::object secondary_;
    nb::object multiplicities_;
    nb::object extra_weights_;
    nb::object costs_;
    nb::object color_names_;
    nb::object color_numbers_;
    nb::object names_given_;
    nb::object names_;
    nb::object line_;  // the last one that was drawn
    std::int64_t drawn_ = 0;
    const char* end_ = nullptr;  // of that line
    nb::object left_;            // a line that Python gets next
    nb::object naming_;          // the comment with the name of the next option,
    nb::object name_;            // that name,
    std::int64_t named_at_ = 0;  // and the number of that line
    WordNumbers item_words_;
    WordNumbers color_words_;
    Py_ssize_t items_known_ = 0;
    Py_ssize_t colors_known_ = 0;
    bool anchored_ = false;               // has the option a primary item?
    std::uint32_t turn_ = 0;              // its number here, from 1
    std::vector<std::uint32_t> seen_in_;  // in which of them each item was seen last
    std::int64_t cost_ = 0;               // of the option
    std::int64_t cost_total_ = 0;         // of all before, as absolute values
    std::vector<std::int64_t> added_costs_;
    Columns columns_;
};

}  // namespace

void bind_lines(nb::module_& module) {
    nb::class_<LineReader>(module, "LineReader", "Adds ordinary lines of a file to a table.")
        .def(nb::init<nb::object, nb::object>(), "table"_a, "lines"_a)
        .def_prop_ro("drawn", &LineReader::drawn, "How many lines have been drawn.")
        .def("read", &LineReader::read, "skim"_a,
             "The next line that Python must read, and its number from 1; None at the end.");
}

}  // namespace dlx
