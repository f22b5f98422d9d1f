// An ordered partition of the vertices of a graph into cells, refined until it is equitable.
//
// It is *equitable* if any two vertices of a cell have equally many neighbors in each other cell
// (the same multiset of weights, to be exact). All cells are in one array, one after another:
//
//     place     0 1 2 3 4 5 6 7          cells {5} {0 3 7} {1 2 4 6} begin at places 0, 1 and 4;
//     vertex_   5|0 3 7|1 2 4 6          a cell is known by the place where it begins
//     length_   1 3 . . 4 . . .          of the cell that begins here
//     cell_     of vertex 3: 1           where the cell of a vertex begins
//
// Refinement keeps a queue of splitting cells. For each it counts, for all neighbors of its
// vertices, how often they occur; neighbors move to the end of their own cell, so that vertices
// that are not touched cost nothing. A cell whose vertices have different counts is split, sorted
// by counts. All its parts join the queue but the largest, whose counts follow from those of the
// others (Hopcroft's trick): O(edges log vertices) in all.
//
// The cells and their order depend only on the structure of the graph and on the vertices that were
// individualized, not on the numbers of vertices. So do the *events*: one hash for each splitting
// cell, of all counts that it found. Two sequences of individualized vertices with different events
// are not equivalent under any symmetry; comparison ends at the first difference.
//
// A log of the splits undoes them: the parts of a cell are joined again. The order within a cell
// then differs from the order before, which means nothing.
//
// Source: B. McKay and A. Piperno, "Practical graph isomorphism, II", Journal of Symbolic
// Computation 60 (2014).
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "core/interrupt_check.hpp"
#include "core/random_numbers.hpp"
#include "symmetry/graph.hpp"

namespace dlx {

using Events = std::vector<std::uint64_t>;

class Partition {
public:
    // The vertices by kind; refine next. The graph must outlive the partition.
    explicit Partition(const IncidenceGraph& graph)
        : graph_(graph),
          vertex_(index(graph.vertices)),
          place_(vertex_.size()),
          cell_(vertex_.size()),
          length_(vertex_.size(), 0),
          count_(vertex_.size(), 0),
          touched_(vertex_.size(), 0),
          queued_(vertex_.size(), 0) {
        std::iota(vertex_.begin(), vertex_.end(), 0);
        std::stable_sort(vertex_.begin(), vertex_.end(), [&](Int one, Int other) {
            return graph.kind[index(one)] < graph.kind[index(other)];
        });
        Int begin = 0;
        for (Int place = 0; place < graph.vertices; ++place) {
            const Int here = vertex_[index(place)];
            if (place == 0 ||
                graph.kind[index(here)] != graph.kind[index(vertex_[index(place - 1)])]) {
                begin = place;
                ++cells_;
                enqueue(begin);
            }
            place_[index(here)] = place;
            cell_[index(here)] = begin;
            ++length_[index(begin)];
        }
    }

    bool discrete() const noexcept { return cells_ == graph_.vertices; }
    Int cell_of(Int vertex) const noexcept { return cell_[index(vertex)]; }
    Int length(Int cell) const noexcept { return length_[index(cell)]; }
    Int vertex_at(Int place) const noexcept { return vertex_[index(place)]; }
    const std::vector<Int>& order() const noexcept { return vertex_; }
    std::span<const Int> members(Int cell) const noexcept {
        return std::span(vertex_).subspan(index(cell), index(length_[index(cell)]));
    }
    std::uint64_t work() const noexcept { return work_; }  // edges read and vertices moved

    // How many splits there were; `undo_to` returns to that partition.
    std::size_t splits() const noexcept { return log_.size(); }
    // A split: the new cell, and the cell that it was part of.
    std::pair<Int, Int> split(std::size_t number) const noexcept { return log_[number]; }

    // Splits a vertex off its cell, which must have others. Refine next.
    void individualize(Int vertex) {
        const Int cell = cell_[index(vertex)];
        const Int last = cell + length_[index(cell)] - 1;
        swap_to(vertex, last);
        --length_[index(cell)];
        begin_cell(last, 1, cell);
        enqueue(last);
    }

    // Refines, and appends the events to `events`.
    void refine(Events& events) {
        PeriodicCheck periodic;
        while (!queue_.empty()) events.push_back(split_by_next(periodic));
    }

    // Refines as long as the events are the expected ones, and returns whether all were.
    bool refine_as(std::span<const std::uint64_t> expected) {
        PeriodicCheck periodic;
        std::size_t done = 0;
        while (!queue_.empty() && done < expected.size()) {
            if (split_by_next(periodic) != expected[done++]) {
                clear_queue();
                return false;
            }
        }
        const bool same = queue_.empty() && done == expected.size();
        clear_queue();
        return same;
    }

    void undo_to(std::size_t splits) {
        while (log_.size() > splits) {
            const auto [cell, parent] = log_.back();
            log_.pop_back();
            for (const Int vertex : members(cell)) cell_[index(vertex)] = parent;
            work_ += index(length_[index(cell)]);
            length_[index(parent)] += length_[index(cell)];
            --cells_;
        }
    }

private:
    static std::uint64_t hash_of(std::uint64_t one, std::uint64_t other) noexcept {
        return RandomNumbers(RandomNumbers(one).next() ^ other).next();
    }

    // What an edge adds to the count of a vertex. Other weights than 1 are hashed into 33 bits:
    // sums of 2^30 edges do not overflow, and are never 0.
    std::uint64_t share_of(std::size_t edge) const noexcept {
        const Int weight = graph_.weight_of(edge);
        if (weight == 1) return 1;
        return (RandomNumbers(static_cast<std::uint64_t>(weight)).next() >> 31) | 1;
    }

    void enqueue(Int cell) {
        queued_[index(cell)] = 1;
        queue_.push_back(cell);
    }

    Int dequeue() {
        const Int cell = queue_[head_++];
        queued_[index(cell)] = 0;
        if (head_ == queue_.size()) {
            queue_.clear();
            head_ = 0;
        }
        return cell;
    }

    void clear_queue() {
        for (; head_ < queue_.size(); ++head_) queued_[index(queue_[head_])] = 0;
        queue_.clear();
        head_ = 0;
    }

    void swap_to(Int vertex, Int place) noexcept {
        const Int from = place_[index(vertex)];
        const Int other = vertex_[index(place)];
        vertex_[index(from)] = other;
        place_[index(other)] = from;
        vertex_[index(place)] = vertex;
        place_[index(vertex)] = place;
    }

    void begin_cell(Int cell, Int length, Int parent) {
        length_[index(cell)] = length;
        for (const Int vertex : members(cell)) cell_[index(vertex)] = cell;
        log_.emplace_back(cell, parent);
        ++cells_;
    }

    // Splits all cells by the counts of neighbors in the next cell of the queue; returns the event.
    std::uint64_t split_by_next(PeriodicCheck& periodic) {
        const Int splitter = dequeue();
        const std::uint64_t before = work_;
        std::uint64_t event =
            hash_of(index(splitter), static_cast<std::uint64_t>(length_[index(splitter)]));
        count_neighbors(splitter);
        to_split_.clear();
        for (const Int cell : touched_cells_) {
            if (length_[index(cell)] > 1) {
                to_split_.push_back(cell);
            } else {
                std::uint64_t& count = count_[index(vertex_[index(cell)])];
                event += hash_of(index(cell), count);
                count = 0;
                touched_[index(cell)] = 0;
            }
        }
        touched_cells_.clear();
        std::sort(to_split_.begin(), to_split_.end());
        for (const Int cell : to_split_) event = hash_of(event, split_by_counts(cell));
        periodic.add(work_ - before + 1);
        return event;
    }

    void count_neighbors(Int splitter) {
        for (const Int vertex : members(splitter)) {
            const std::size_t end = graph_.end_edge(vertex);
            work_ += graph_.degree(vertex) + 1;
            for (std::size_t edge = graph_.first_edge(vertex); edge < end; ++edge) {
                const Int neighbor = graph_.neighbor[edge];
                if (count_[index(neighbor)] == 0) {
                    const Int cell = cell_[index(neighbor)];
                    Int& touched = touched_[index(cell)];
                    if (touched++ == 0) touched_cells_.push_back(cell);
                    if (length_[index(cell)] > 1) {
                        swap_to(neighbor, cell + length_[index(cell)] - touched);
                    }
                }
                count_[index(neighbor)] += share_of(edge);
            }
        }
    }

    // Splits a cell whose last vertices were counted, and resets the counts; returns a hash of
    // them.
    std::uint64_t split_by_counts(Int cell) {
        const Int length = length_[index(cell)];
        const Int touched = std::exchange(touched_[index(cell)], 0);
        const Int end = cell + length;
        const Int begin = end - touched;
        std::uint64_t least = count_[index(vertex_[index(begin)])];
        std::uint64_t most = least;
        for (Int place = begin; place < end; ++place) {
            const std::uint64_t count = count_[index(vertex_[index(place)])];
            least = std::min(least, count);
            most = std::max(most, count);
        }
        if (least != most) sort_by_counts(begin, end);
        work_ += index(touched);
        // `cuts_` has the places where the parts begin, except the first.
        cuts_.clear();
        std::uint64_t hash = hash_of(index(cell), index(touched));
        std::uint64_t count_before = 0;  // of the vertices that are not touched
        for (Int place = begin; place < end; ++place) {
            std::uint64_t& count = count_[index(vertex_[index(place)])];
            if (count != count_before) {
                if (place > cell) cuts_.push_back(place);
                hash = hash_of(hash ^ count, index(place));
                count_before = count;
            }
            count = 0;
        }
        if (!cuts_.empty()) cut(cell, end);
        return hash;
    }

    void sort_by_counts(Int begin, Int end) {
        const auto first = vertex_.begin() + begin;
        const auto last = vertex_.begin() + end;
        std::sort(first, last,
                  [&](Int one, Int other) { return count_[index(one)] < count_[index(other)]; });
        for (Int place = begin; place < end; ++place) place_[index(vertex_[index(place)])] = place;
    }

    // Splits a cell at `cuts_`; all parts join the queue, but the largest only if the cell was in.
    void cut(Int cell, Int end) {
        Int largest = cell;
        Int most = cuts_.front() - cell;
        length_[index(cell)] = most;
        for (std::size_t number = 0; number < cuts_.size(); ++number) {
            const Int begin = cuts_[number];
            const Int length = (number + 1 < cuts_.size() ? cuts_[number + 1] : end) - begin;
            begin_cell(begin, length, cell);
            if (length > most) {
                most = length;
                largest = begin;
            }
        }
        const bool whole = queued_[index(cell)] != 0;
        if (!whole && largest != cell) enqueue(cell);
        for (const Int begin : cuts_) {
            if (whole || begin != largest) enqueue(begin);
        }
    }

    const IncidenceGraph& graph_;
    std::vector<Int> vertex_;  // at each place
    std::vector<Int> place_;   // of each vertex
    std::vector<Int> cell_;    // of each vertex
    std::vector<Int> length_;  // of each cell
    std::vector<std::pair<Int, Int>> log_;
    Int cells_ = 0;
    std::uint64_t work_ = 0;
    std::vector<Int> queue_;  // of cells, from `head_` on
    std::size_t head_ = 0;
    // While one cell splits others:
    std::vector<std::uint64_t> count_;  // of each vertex: its neighbors in the splitting cell
    std::vector<Int> touched_;          // of each cell: how many of its vertices have a count
    std::vector<Int> touched_cells_;
    std::vector<Int> to_split_;
    std::vector<Int> cuts_;
    std::vector<std::uint8_t> queued_;  // flag of each cell
};

}  // namespace dlx
