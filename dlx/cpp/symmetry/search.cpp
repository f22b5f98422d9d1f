// The search for automorphisms and for a canonical order, by individualization and refinement.
#include "symmetry/search.hpp"

#include <algorithm>
#include <numeric>
#include <queue>
#include <span>

#include "symmetry/partition.hpp"

namespace dlx {
namespace {

// Orbits of vertices: disjoint sets with a mark for each set that failed at the current level.
class Orbits {
public:
    explicit Orbits(Int vertices) : parent_(index(vertices)), failed_(index(vertices), none) {
        std::iota(parent_.begin(), parent_.end(), 0);
    }

    Int find(Int vertex) noexcept {
        while (parent_[index(vertex)] != vertex) {
            parent_[index(vertex)] = parent_[index(parent_[index(vertex)])];
            vertex = parent_[index(vertex)];
        }
        return vertex;
    }
    bool together(Int one, Int other) noexcept { return find(one) == find(other); }

    void unite(Int one, Int other) noexcept {
        one = find(one);
        other = find(other);
        if (one == other) return;
        parent_[index(std::max(one, other))] = std::min(one, other);
        // Levels descend; a mark of an earlier level is larger, and no longer valid.
        failed_[index(std::min(one, other))] = std::min(failed_[index(one)], failed_[index(other)]);
    }

    void mark_failed(Int vertex, Int level) noexcept { failed_[index(find(vertex))] = level; }
    bool has_failed(Int vertex, Int level) noexcept {
        return failed_[index(find(vertex))] == level;
    }

private:
    static constexpr Int none = std::numeric_limits<Int>::max();
    std::vector<Int> parent_;
    std::vector<Int> failed_;
};

// Verifies that a permutation is an automorphism, by the edges of the vertices that it moves.
class Verifier {
public:
    explicit Verifier(const IncidenceGraph& graph)
        : graph_(graph), image_(index(graph.vertices)), weight_(image_.size(), 0) {
        std::iota(image_.begin(), image_.end(), 0);
    }

    // The vertices moved and their images are the same set.
    bool is_automorphism(const Moves& moves) {
        for (const auto& [from, to] : moves) image_[index(from)] = to;
        const bool valid = std::ranges::all_of(
            moves, [&](const auto& move) { return keeps_edges(move.first, move.second); });
        for (const auto& [from, to] : moves) image_[index(from)] = from;
        return valid;
    }
    std::uint64_t work() const noexcept { return work_; }

private:
    bool keeps_edges(Int from, Int to) {
        if (graph_.kind[index(from)] != graph_.kind[index(to)]) return false;
        if (graph_.degree(from) != graph_.degree(to)) return false;
        work_ += 2 * graph_.degree(from);
        for (std::size_t edge = graph_.first_edge(to); edge < graph_.end_edge(to); ++edge) {
            weight_[index(graph_.neighbor[edge])] = graph_.weight_of(edge);
        }
        bool same = true;
        for (std::size_t edge = graph_.first_edge(from); edge < graph_.end_edge(from); ++edge) {
            const Int image = image_[index(graph_.neighbor[edge])];
            same = same && weight_[index(image)] == graph_.weight_of(edge);
        }
        for (std::size_t edge = graph_.first_edge(to); edge < graph_.end_edge(to); ++edge) {
            weight_[index(graph_.neighbor[edge])] = 0;
        }
        return same;
    }

    const IncidenceGraph& graph_;
    std::vector<Int> image_;
    std::vector<Int> weight_;  // of the edges of one vertex, by neighbor; 0: no edge
    std::uint64_t work_ = 0;
};

// One level of the first path.
struct Level {
    Int cell = 0;            // the cell of which a vertex is individualized
    Int base = 0;            // that vertex
    std::size_t splits = 0;  // before that
    Events events{};         // of the refinement
};

// A leaf, and the events from the level of some node on, the last level first.
struct Leaf {
    std::vector<Int> order;
    std::vector<Events> events;
};

// The graph with its vertices numbered in an order: the sorted edges of each vertex.
std::vector<std::pair<Int, Int>> certificate(const IncidenceGraph& graph,
                                             const std::vector<Int>& order) {
    std::vector<Int> place(order.size());
    for (std::size_t number = 0; number < order.size(); ++number) {
        place[index(order[number])] = static_cast<Int>(number);
    }
    std::vector<std::pair<Int, Int>> edges;
    edges.reserve(graph.neighbor.size());
    PeriodicCheck periodic;
    for (const Int vertex : order) {
        const auto first = static_cast<std::ptrdiff_t>(edges.size());
        for (std::size_t edge = graph.first_edge(vertex); edge < graph.end_edge(vertex); ++edge) {
            edges.emplace_back(place[index(graph.neighbor[edge])], graph.weight_of(edge));
        }
        std::sort(edges.begin() + first, edges.end());
        periodic.add(graph.degree(vertex) + 1);
    }
    return edges;
}

class Search {
public:
    Search(const IncidenceGraph& graph, const SymmetryLimits& limits)
        : graph_(graph), limits_(limits), partition_(graph), verifier_(graph) {
        Events events;
        partition_.refine(events);
    }

    Symmetries symmetries() {
        SubtreeSearch root(*this);
        Symmetries found;
        root.find_symmetries(found);
        found.nodes = nodes_;
        found.complete = !stopped_;
        return found;
    }

    CanonicalLabeling canonical_labeling() {
        SubtreeSearch root(*this);
        CanonicalLabeling found;
        Leaf best = root.best_leaf();
        found.work = work();
        if (stopped_) return found;
        found.order = std::move(best.order);
        found.orbit = root.orbits();
        return found;
    }

private:
    // The search below one node, at which the partition is when the search begins and ends.
    class SubtreeSearch {
    public:
        explicit SubtreeSearch(Search& search)
            : search_(search),
              partition_(search.partition_),
              orbits_(search.graph_.vertices),
              root_splits_(search.partition_.splits()) {
            search.extra_work_ += index(search.graph_.vertices);
        }

        void find_symmetries(Symmetries& found) {
            if (!follow_first_path()) return partition_.undo_to(root_splits_);
            for (auto level = static_cast<Int>(path_.size()) - 1; level >= 0; --level) {
                partition_.undo_to(path_[index(level)].splits);
                if (!search_.stopped_) complete_level(level, &found);
            }
            // Levels were found from the bottom up.
            std::ranges::reverse(found.base);
            std::ranges::reverse(found.orbit);
            for (Int& level : found.level) level = static_cast<Int>(found.base.size()) - 1 - level;
        }

        // Of each vertex: the first vertex of its orbit.
        std::vector<Int> orbits() {
            std::vector<Int> orbit(index(search_.graph_.vertices));
            for (Int vertex = 0; vertex < search_.graph_.vertices; ++vertex) {
                orbit[index(vertex)] = orbits_.find(vertex);
            }
            return orbit;
        }

        Leaf best_leaf() {
            if (!follow_first_path()) {
                partition_.undo_to(root_splits_);
                return {};
            }
            Leaf best{leaf_, {}};
            for (auto level = static_cast<Int>(path_.size()) - 1; level >= 0; --level) {
                partition_.undo_to(path_[index(level)].splits);
                best.events.push_back(path_[index(level)].events);
                if (!search_.stopped_) complete_level(level, nullptr);
                if (!search_.stopped_) improve(level, best);
            }
            return best;
        }

    private:
        // Returns false if a limit was reached.
        bool follow_first_path() {
            // Cells by length, the first of the longest on top. Some have become shorter since.
            using Sized = std::pair<Int, Int>;  // the length, and minus the cell
            std::priority_queue<Sized> cells;
            const auto add = [&](Int cell) {
                if (partition_.length(cell) > 1) cells.emplace(partition_.length(cell), -cell);
            };
            const auto end = static_cast<Int>(partition_.order().size());
            for (Int cell = 0; cell < end; cell += partition_.length(cell)) add(cell);
            while (!partition_.discrete()) {
                const auto [length, minus] = cells.top();
                if (partition_.length(-minus) != length) {
                    cells.pop();
                    add(-minus);
                    continue;
                }
                if (!search_.count_node()) return false;
                Level level{-minus, partition_.members(-minus).front(), partition_.splits()};
                partition_.individualize(level.base);
                partition_.refine(level.events);
                for (std::size_t split = level.splits; split < partition_.splits(); ++split) {
                    add(partition_.split(split).first);
                }
                path_.push_back(std::move(level));
            }
            leaf_ = partition_.order();
            image_.assign(leaf_.size(), none);
            has_origin_.assign(leaf_.size(), 0);
            return true;
        }

        std::vector<Int> copy_members(Int cell) {
            const auto members = partition_.members(cell);
            search_.extra_work_ += members.size();
            return {members.begin(), members.end()};
        }

        // Finds the orbit of the base vertex of a level, whose partition this is.
        void complete_level(Int level, Symmetries* found) {
            const Int base = path_[index(level)].base;
            const std::vector<Int> members = copy_members(path_[index(level)].cell);
            const std::size_t before = found == nullptr ? 0 : found->generators.size();
            for (const Int vertex : members) {
                if (orbits_.together(base, vertex) || orbits_.has_failed(vertex, level)) continue;
                std::optional<Moves> moves = symmetry_to(level, vertex);
                if (search_.stopped_) break;
                if (!moves) {
                    orbits_.mark_failed(vertex, level);
                    continue;
                }
                for (const auto& [from, to] : *moves) orbits_.unite(from, to);
                if (found == nullptr) continue;
                found->generators.push_back(std::move(*moves));
                found->level.push_back(static_cast<Int>(found->base.size()));
            }
            if (found == nullptr || found->generators.size() == before) return;
            found->base.push_back(base);
            found->orbit.push_back(static_cast<Int>(std::ranges::count_if(
                members, [&](Int vertex) { return orbits_.together(base, vertex); })));
        }

        // A node of the search for one symmetry: its untried vertices, from the last on.
        struct Node {
            std::size_t splits;
            std::vector<Int> untried;
        };

        // A symmetry that fixes the base above the level and maps its base vertex to `vertex`.
        std::optional<Moves> symmetry_to(Int level, Int vertex) {
            const std::size_t top = partition_.splits();
            std::optional<Moves> moves;
            std::vector<Node> nodes;
            nodes.push_back({top, {vertex}});
            while (!nodes.empty() && !moves) {
                Node& node = nodes.back();
                partition_.undo_to(node.splits);
                if (node.untried.empty()) {
                    nodes.pop_back();
                    continue;
                }
                if (!search_.count_node()) break;
                const auto depth = index(level) + nodes.size() - 1;
                partition_.individualize(node.untried.back());
                node.untried.pop_back();
                if (!partition_.refine_as(path_[depth].events)) continue;
                moves = symmetry_here(top);
                if (moves || depth + 1 == path_.size()) continue;
                const Level& next = path_[depth + 1];
                nodes.push_back({partition_.splits(), copy_members(next.cell)});
                std::vector<Int>& untried = nodes.back().untried;
                const auto same = std::ranges::find(untried, next.base);
                // The same vertex first: then the symmetry moves little.
                if (same != untried.end()) std::iter_swap(same, untried.end() - 1);
            }
            partition_.undo_to(top);
            return moves;
        }

        // The symmetry that maps the vertices that are alone in their cells on the first path to
        // those at their places here, and fixes as many others as possible: a vertex that is the
        // end of a path of images, a -> b -> c, is mapped to its beginning.
        std::optional<Moves> symmetry_here(std::size_t splits) {
            Moves moves;
            const auto add = [&](Int place) {
                const Int from = leaf_[index(place)];
                const Int to = partition_.vertex_at(place);
                if (partition_.length(place) > 1 || from == to || image_[index(from)] != none)
                    return;
                image_[index(from)] = to;
                has_origin_[index(to)] = 1;
                moves.emplace_back(from, to);
            };
            for (std::size_t number = splits; number < partition_.splits(); ++number) {
                const auto [cell, parent] = partition_.split(number);
                add(cell);
                add(parent);
            }
            search_.extra_work_ += 4 * moves.size();
            close_paths(moves);
            if (!search_.verifier_.is_automorphism(moves)) return std::nullopt;
            std::ranges::sort(moves);
            return moves;
        }

        // Appends the moves that end the paths of images, and clears `image_` and `has_origin_`.
        void close_paths(Moves& moves) {
            const std::size_t count = moves.size();
            for (std::size_t number = 0; number < count; ++number) {
                const Int begin = moves[number].first;
                if (has_origin_[index(begin)]) continue;
                Int end = begin;
                while (image_[index(end)] != none) end = image_[index(end)];
                moves.emplace_back(end, begin);
            }
            for (std::size_t number = 0; number < count; ++number) {
                image_[index(moves[number].first)] = none;
                has_origin_[index(moves[number].second)] = 0;
            }
        }

        // Replaces `best`, the best leaf so far below this node of the first path, by one below
        // another vertex of the cell if that is better.
        void improve(Int level, Leaf& best) {
            const Int base = path_[index(level)].base;
            for (const Int vertex : copy_members(path_[index(level)].cell)) {
                if (orbits_.find(vertex) != vertex || orbits_.together(base, vertex)) continue;
                if (!search_.count_node()) return;
                const std::size_t splits = partition_.splits();
                Events events;
                partition_.individualize(vertex);
                partition_.refine(events);
                if (events >= best.events.back()) {
                    Leaf other = search_.best_leaf_below();
                    other.events.push_back(std::move(events));
                    if (!search_.stopped_ && search_.is_better(other, best))
                        best = std::move(other);
                }
                partition_.undo_to(splits);
                if (search_.stopped_) return;
            }
        }

        Search& search_;
        Partition& partition_;
        Orbits orbits_;
        std::size_t root_splits_;
        std::vector<Level> path_;
        std::vector<Int> leaf_;  // the order of the vertices at the end of the first path
        // While paths are closed:
        static constexpr Int none = -1;
        std::vector<Int> image_;                // of each vertex, or none
        std::vector<std::uint8_t> has_origin_;  // flag of each vertex
    };

    std::uint64_t work() const noexcept {
        return partition_.work() + verifier_.work() + extra_work_;
    }

    // Counts a node and returns true, unless a limit is reached.
    bool count_node() {
        const std::uint64_t done = work();
        if (nodes_ >= limits_.nodes || done >= limits_.work) stopped_ = true;
        if (stopped_) return false;
        ++nodes_;
        periodic_.add(done - work_before_ + 1);
        work_before_ = done;
        return true;
    }

    Leaf best_leaf_below() {
        if (depth_ == deepest) {
            stopped_ = true;
            return {};
        }
        ++depth_;
        Leaf best = SubtreeSearch(*this).best_leaf();
        --depth_;
        return best;
    }

    bool is_better(const Leaf& one, const Leaf& other) const {
        const bool larger = std::lexicographical_compare(other.events.rbegin(), other.events.rend(),
                                                         one.events.rbegin(), one.events.rend());
        if (larger || one.events != other.events) return larger;
        return certificate(graph_, one.order) > certificate(graph_, other.order);
    }

    static constexpr int deepest = 500;  // of nested searches, each of which takes a stack frame

    const IncidenceGraph& graph_;
    SymmetryLimits limits_;
    Partition partition_;
    Verifier verifier_;
    PeriodicCheck periodic_;
    std::uint64_t nodes_ = 0;
    std::uint64_t extra_work_ = 0;
    std::uint64_t work_before_ = 0;  // when the last node was counted
    int depth_ = 0;
    bool stopped_ = false;
};

}  // namespace

Symmetries find_symmetries(const IncidenceGraph& graph, const SymmetryLimits& limits) {
    return Search(graph, limits).symmetries();
}

std::optional<std::vector<Int>> canonical_order(const IncidenceGraph& graph,
                                                const SymmetryLimits& limits) {
    CanonicalLabeling found = Search(graph, limits).canonical_labeling();
    if (found.order.empty() && graph.vertices > 0) return std::nullopt;
    return std::move(found.order);
}

CanonicalLabeling canonical_labeling(const IncidenceGraph& graph, const SymmetryLimits& limits) {
    return Search(graph, limits).canonical_labeling();
}

}  // namespace dlx
