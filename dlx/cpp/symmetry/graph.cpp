// Makes the graph of a problem, with equal options and equal items merged.
#include "symmetry/graph.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#include "core/random_numbers.hpp"

namespace dlx {
namespace {

std::uint64_t mixed(std::uint64_t hash, Int word) noexcept {
    return RandomNumbers(hash ^ static_cast<std::uint32_t>(word)).next();
}

// One entry as its item or its option has it: the other end, the color, and the weight.
struct Entry {
    Int other;
    Int color;
    Int weight;
    bool operator==(const Entry&) const = default;
};

// Entries in compressed rows, sorted by `other` within a row.
struct Rows {
    std::vector<std::size_t> start;
    std::vector<Entry> entries;

    std::span<const Entry> row(Int number) const noexcept {
        return std::span(entries).subspan(start[index(number)],
                                          start[index(number) + 1] - start[index(number)]);
    }
    Int count() const noexcept { return static_cast<Int>(start.size()) - 1; }
};

// The rows of a sparse matrix with `columns` columns become columns and vice versa.
Rows transposed(const Rows& rows, Int columns) {
    Rows result;
    PeriodicCheck periodic;
    result.start.assign(index(columns) + 1, 0);
    for (const Entry& entry : rows.entries) ++result.start[index(entry.other) + 1];
    std::partial_sum(result.start.begin(), result.start.end(), result.start.begin());
    result.entries.resize(rows.entries.size());
    std::vector<std::size_t> next(result.start.begin(), result.start.end() - 1);
    for (Int row = 0; row < rows.count(); ++row) {
        for (const Entry& entry : rows.row(row)) {
            result.entries[next[index(entry.other)]++] = {row, entry.color, entry.weight};
        }
        periodic.add(rows.row(row).size() + 1);
    }
    return result;
}

Rows rows_of(const Problem& problem) {
    Rows rows;
    rows.start.assign(problem.start.begin(), problem.start.end());
    rows.entries.reserve(problem.item.size());
    PeriodicCheck periodic;
    for (Int entry = 0; entry < problem.entries(); ++entry) {
        rows.entries.push_back(
            {problem.item[index(entry)], problem.color_of(entry), problem.weight_of(entry)});
        periodic.add(1);
    }
    return rows;
}

// The classes of equal elements, of which `hash` is equal too.
template <class Equal>
Classes classes_of(const std::vector<std::uint64_t>& hash, Equal equal) {
    const std::size_t count = hash.size();
    std::vector<Int> order(count);
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](Int one, Int other) {
        return std::pair(hash[index(one)], one) < std::pair(hash[index(other)], other);
    });
    // The first member of each element's class; then classes are numbered in ascending order.
    std::vector<Int> first(count);
    std::vector<Int> found;  // the first members of the classes with one hash: nearly always one
    PeriodicCheck periodic;
    for (std::size_t place = 0; place < count; ++place) {
        const Int element = order[place];
        if (place == 0 || hash[index(order[place - 1])] != hash[index(element)]) found.clear();
        const auto same = std::find_if(found.begin(), found.end(),
                                       [&](Int other) { return equal(other, element); });
        first[index(element)] = same == found.end() ? element : *same;
        if (same == found.end()) found.push_back(element);
        periodic.add(16);
    }
    Classes classes;
    classes.of.resize(count);
    classes.start.push_back(0);
    for (std::size_t element = 0; element < count; ++element) {
        const bool is_first = index(first[element]) == element;
        classes.of[element] = is_first ? classes.count() : classes.of[index(first[element])];
        if (is_first) classes.start.push_back(0);
        ++classes.start[index(classes.of[element]) + 1];
    }
    std::partial_sum(classes.start.begin(), classes.start.end(), classes.start.begin());
    classes.member.resize(count);
    std::vector<Int> next(classes.start.begin(), classes.start.end() - 1);
    for (std::size_t element = 0; element < count; ++element) {
        classes.member[index(next[index(classes.of[element])]++)] = static_cast<Int>(element);
    }
    return classes;
}

Classes equal_options(const Rows& rows, std::span<const Int> kind) {
    std::vector<std::uint64_t> hash(index(rows.count()));
    PeriodicCheck periodic;
    for (Int option = 0; option < rows.count(); ++option) {
        std::uint64_t sum = mixed(0, kind[index(option)]);
        for (const Entry& entry : rows.row(option)) {
            sum = mixed(mixed(mixed(sum, entry.other), entry.color), entry.weight);
        }
        hash[index(option)] = sum;
        periodic.add(4 * rows.row(option).size() + 1);
    }
    return classes_of(hash, [&](Int one, Int other) {
        return kind[index(one)] == kind[index(other)] &&
               std::ranges::equal(rows.row(one), rows.row(other));
    });
}

// The rows of items, by classes of options, with the colors of each item renumbered from 1 by first
// use: then items that differ only in the names of their colors are equal.
Rows rows_by_item(const Rows& rows, const Classes& options, Int items) {
    Rows representatives;
    representatives.start.push_back(0);
    PeriodicCheck periodic;
    for (Int number = 0; number < options.count(); ++number) {
        const auto row = rows.row(options.members(number).front());
        representatives.entries.insert(representatives.entries.end(), row.begin(), row.end());
        representatives.start.push_back(representatives.entries.size());
        periodic.add(row.size() + 1);
    }
    Rows by_item = transposed(representatives, items);
    std::vector<std::pair<Int, Int>> colors;  // of one item: the color, and where it is first used
    for (Int item = 0; item < items; ++item) {
        const std::span row = std::span(by_item.entries)
                                  .subspan(by_item.start[index(item)], by_item.row(item).size());
        periodic.add(row.size() + 1);
        if (std::ranges::none_of(row, [](const Entry& entry) { return entry.color != 0; }))
            continue;
        colors.clear();
        for (std::size_t place = 0; place < row.size(); ++place) {
            colors.emplace_back(row[place].color, static_cast<Int>(place));
        }
        std::sort(colors.begin(), colors.end());
        // `color` is negative while it holds the place of the color's first use.
        for (std::size_t place = 0; place < colors.size(); ++place) {
            const auto [color, where] = colors[place];
            const bool again = place > 0 && colors[place - 1].first == color;
            if (again) colors[place].second = colors[place - 1].second;
            if (color != 0) row[index(where)].color = -1 - colors[place].second;
        }
        Int used = 0;
        for (std::size_t place = 0; place < row.size(); ++place) {
            if (row[place].color == 0) continue;
            const std::size_t first = index(-1 - row[place].color);
            row[place].color = first == place ? ++used : row[first].color;
        }
    }
    return by_item;
}

Classes equal_items(const Rows& by_item, std::span<const Int> kind) {
    std::vector<std::uint64_t> hash(index(by_item.count()));
    PeriodicCheck periodic;
    for (Int item = 0; item < by_item.count(); ++item) {
        std::uint64_t sum = mixed(1, kind[index(item)]);
        for (const Entry& entry : by_item.row(item)) {
            sum = mixed(mixed(mixed(sum, entry.other), entry.color), entry.weight);
        }
        hash[index(item)] = sum;
        periodic.add(4 * by_item.row(item).size() + 1);
    }
    return classes_of(hash, [&](Int one, Int other) {
        return kind[index(one)] == kind[index(other)] &&
               std::ranges::equal(by_item.row(one), by_item.row(other));
    });
}

struct Edge {
    Int from;
    Int to;
    Int weight;
};

// Fills in the edges, in both directions, in compressed rows.
void connect(IncidenceGraph& graph, const std::vector<Edge>& edges) {
    PeriodicCheck periodic;
    graph.start.assign(index(graph.vertices) + 1, 0);
    const bool weighted =
        std::ranges::any_of(edges, [](const Edge& edge) { return edge.weight != 1; });
    for (const Edge& edge : edges) {
        ++graph.start[index(edge.from) + 1];
        ++graph.start[index(edge.to) + 1];
    }
    std::partial_sum(graph.start.begin(), graph.start.end(), graph.start.begin());
    graph.neighbor.resize(2 * edges.size());
    if (weighted) graph.weight.resize(2 * edges.size());
    std::vector<std::size_t> next(graph.start.begin(), graph.start.end() - 1);
    for (const Edge& edge : edges) {
        for (const auto& [from, to] : {std::pair(edge.from, edge.to), {edge.to, edge.from}}) {
            const std::size_t place = next[index(from)]++;
            graph.neighbor[place] = to;
            if (weighted) graph.weight[place] = edge.weight;
        }
        periodic.add(2);
    }
}

// Numbers the kinds of vertices: sort, kind for the caller, size of the class.
void number_kinds(IncidenceGraph& graph, std::span<const Int> item_kind,
                  std::span<const Int> option_kind) {
    std::vector<std::array<Int, 3>> key;
    key.reserve(index(graph.vertices));
    const auto add = [&](Int sort, const Classes& classes, std::span<const Int> kind) {
        for (Int number = 0; number < classes.count(); ++number) {
            const auto members = classes.members(number);
            key.push_back({sort, kind[index(members.front())], static_cast<Int>(members.size())});
        }
    };
    add(0, graph.items, item_kind);
    add(1, graph.options, option_kind);
    key.resize(index(graph.vertices), {2, 0, 0});
    auto sorted = key;
    std::sort(sorted.begin(), sorted.end());
    sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
    graph.kind.reserve(key.size());
    for (const auto& one : key) {
        const auto place = std::lower_bound(sorted.begin(), sorted.end(), one);
        graph.kind.push_back(static_cast<Int>(place - sorted.begin()));
    }
}

}  // namespace

IncidenceGraph incidence_graph(const Problem& problem, std::span<const Int> item_kind,
                               std::span<const Int> option_kind) {
    IncidenceGraph graph;
    const Rows rows = transposed(transposed(rows_of(problem), problem.items), problem.options());
    graph.options = equal_options(rows, option_kind);
    const Rows by_item = rows_by_item(rows, graph.options, problem.items);
    graph.items = equal_items(by_item, item_kind);
    const Int first_option = graph.items.count();
    graph.vertices = first_option + graph.options.count();
    std::vector<Edge> edges;
    edges.reserve(by_item.entries.size());
    PeriodicCheck periodic;
    for (Int item = 0; item < graph.items.count(); ++item) {
        const Int colors_before = graph.vertices - 1;  // color 1 is the next vertex
        for (const Entry& entry : by_item.row(graph.items.members(item).front())) {
            const Int color = entry.color == 0 ? item : colors_before + entry.color;
            if (color == graph.vertices) {
                edges.push_back({item, color, 1});
                ++graph.vertices;
            }
            edges.push_back({color, first_option + entry.other, entry.weight});
            periodic.add(2);
        }
    }
    connect(graph, edges);
    number_kinds(graph, item_kind, option_kind);
    return graph;
}

}  // namespace dlx
