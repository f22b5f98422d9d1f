// The same problem under many sets of givens, solved by several threads.
//
// Whoever hands over sets and collects answers is one thread, here called the client. It submits
// sets in lots, of any size; workers claim the sets in blocks of consecutive ones; the answers come
// out in the order of the sets, whoever found them:
//
//      submit            claim                  publish                    collect
//     --------> waiting_ ------> Worker::advance -------> blocks_ (in order) -------> client
//       lots              blocks                  answers                    from the front only
//
//   * Blocks are short when little is left to claim, so that all workers end at about the same
//     time, and long otherwise, because each costs a lock or two.
//   * A worker owns one engine and restarts it for each set. Between two looks at the clock it
//     touches nothing that is shared. At each look it publishes what it has, also in the middle of
//     a block and of a set, so that one hard set holds up nobody who waits for those before it.
//   * Memory is bounded: workers claim nothing while too much waits to be collected. The front
//     block has always been claimed already, so there is always something to wait for. (How many
//     sets wait to be claimed is up to the client.)
//   * With one worker, and where no thread can be had, nothing is shared at all: the client's own
//     thread does the work while it waits in `collect`.
//   * What is thrown in a worker, for want of memory, waits in its block for its turn, and then at
//     each call of `collect`: an answer is missing there.
//
// A set that no search can be made for - an option that does not exist, or two that clash - or that
// took too long gets an answer like any other, and a `Trouble` that tells.
#pragma once

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>

#if __has_include(<unistd.h>)
#include <unistd.h>
#endif

#include "engine.hpp"

namespace dlx {

// Makes an engine for these givens, in search numbering. Called by several threads at a time.
using EngineFactory = std::function<std::unique_ptr<Engine>(std::span<const Int> given)>;

// What is asked about each set.
struct Question {
    std::shared_ptr<const Problem> problem;
    std::vector<Int> place;  // of each of the caller's options in search order; empty: the same
    EngineFactory make_engine;
    std::uint64_t limit = 1;    // look for so many solutions
    bool keep = true;           // the solutions, or only their number
    Clock::duration timeout{};  // the time for one set
    std::size_t workers = 1;    // at most so many threads
};

// Sets of options in the caller's numbering: set s has option[start[s]] .. option[start[s+1]-1].
struct Sets {
    std::vector<Int> start{0};
    std::vector<Int> option;

    std::size_t size() const noexcept { return start.size() - 1; }
    std::span<const Int> operator[](std::size_t set) const noexcept {
        const auto first = static_cast<std::size_t>(start[set]);
        return {option.data() + first, static_cast<std::size_t>(start[set + 1]) - first};
    }
};

enum class Verdict : std::uint8_t { answered, unknown, clash, timed_out };

struct Answer {
    std::uint64_t solutions;
    Verdict verdict;
};

// More about an answer that is none.
struct Trouble {
    Verdict verdict;
    Int first = 0;   // the unknown option, or the earlier of two that clash
    Int second = 0;  // the place of the unknown option in its set, or the later one
    Int item = 0;    // where they clash, in search numbering
    Stats work{};    // of a search that took too long, and the seconds it took
    double seconds = 0;
};

// The answers to consecutive sets.
struct Answers {
    std::uint64_t first = 0;  // the number of the first set among all
    std::vector<Answer> answer;
    Found found;                   // if they are kept, the solutions of all of them
    std::vector<Trouble> trouble;  // one for each verdict that is not `answered`
    Stats work{};
    double seconds = 0;

    std::size_t size() const noexcept { return answer.size(); }
    std::size_t weight() const noexcept { return answer.size() + found.labels.size(); }
};

inline void add_to(Stats& sum, const Stats& more) {
    sum.nodes += more.nodes;
    sum.updates += more.updates;
    sum.solutions += more.solutions;
    if (sum.profile.size() < more.profile.size()) sum.profile.resize(more.profile.size(), 0);
    for (std::size_t depth = 0; depth < more.profile.size(); ++depth) {
        sum.profile[depth] += more.profile[depth];
    }
}

// Finds options that cannot stand together, set by set, in the time it takes to read them: what an
// earlier set has left behind counts for nothing, because its number is another.
class ClashFinder {
public:
    explicit ClashFinder(const Problem& problem)
        : problem_(problem), uses_(static_cast<std::size_t>(problem.items)) {}

    // The first clash among options in search numbering, by their places in the set.
    std::optional<Clash> find(std::span<const Int> options) {
        if (problem_.multiple()) return first_multiple_clash(problem_, options);
        if (++set_ == 0) {  // after four billion sets the numbers begin again
            std::fill(uses_.begin(), uses_.end(), Use{});
            ++set_;
        }
        for (std::size_t at = 0; at < options.size(); ++at) {
            const auto option = static_cast<std::size_t>(options[at]);
            for (Int entry = problem_.start[option]; entry < problem_.start[option + 1]; ++entry) {
                const Int item = problem_.item[static_cast<std::size_t>(entry)];
                const Int color = problem_.color_of(entry);
                Use& use = uses_[static_cast<std::size_t>(item)];
                if (use.set != set_) {
                    use = {set_, static_cast<std::uint32_t>(at), color};
                } else if (color == 0 || use.color != color) {
                    return Clash{use.at, at, item};
                }
            }
        }
        return std::nullopt;
    }

private:
    struct Use {
        std::uint32_t set = 0;
        std::uint32_t at = 0;
        Int color = 0;
    };

    const Problem& problem_;
    std::vector<Use> uses_;  // of each item, by the set that used it last
    std::uint32_t set_ = 0;
};

// Answers one set after another, and can pause anywhere.
class Worker {
public:
    explicit Worker(const Question& question) : question_(question), clashes_(*question.problem) {}

    // Makes these sets, from `first` to before `last`, the next to be answered.
    void begin(const Sets& sets, std::size_t first, std::size_t last) noexcept {
        sets_ = &sets;
        next_ = first;
        last_ = last;
    }

    // Goes on until `until`, or until much has been found. True if all sets are answered.
    bool advance(Clock::time_point until) {
        auto now = Clock::now();
        while (next_ < last_ && now < until && (searching_ || answers_.weight() < plenty)) {
            if (!searching_ && !prepare((*sets_)[next_])) continue;
            const Outcome outcome = engine_->run({question_.limit - engine_->stats().solutions,
                                                  question_.timeout - spent_ < until - now
                                                      ? now + (question_.timeout - spent_)
                                                      : until,
                                                  question_.keep ? &answers_.found : nullptr});
            const auto then = Clock::now();
            spent_ += then - now;
            now = then;
            if (outcome != Outcome::timed_out) {
                finish(Verdict::answered);
            } else if (spent_ >= question_.timeout) {
                finish(Verdict::timed_out);
            }
        }
        return next_ == last_;
    }

    // The answers that are complete; what the search under way has found so far stays here.
    Answers take() {
        Answers taken;
        std::swap(taken, answers_);
        if (!searching_ || !question_.keep) return taken;
        Found& done = taken.found;
        Found& open = answers_.found;
        const std::size_t complete =
            done.ends.size() - static_cast<std::size_t>(engine_->stats().solutions);
        if (complete == 0) {
            std::swap(done, open);
            return taken;
        }
        const std::size_t end = done.ends[complete - 1];
        open.labels.assign(done.labels.begin() + static_cast<std::ptrdiff_t>(end),
                           done.labels.end());
        for (std::size_t solution = complete; solution < done.ends.size(); ++solution) {
            open.ends.push_back(done.ends[solution] - end);
        }
        done.labels.resize(end);
        done.ends.resize(complete);
        return taken;
    }

private:
    static constexpr std::size_t plenty = 1 << 18;  // numbers in answers: about a megabyte

    // Gets the engine ready for a set; or answers it at once, and returns false.
    bool prepare(std::span<const Int> set) {
        const Int options = question_.problem->options();
        given_.assign(set.begin(), set.end());
        for (std::size_t at = 0; at < given_.size(); ++at) {
            Int& option = given_[at];
            if (option < 0 || option >= options) {
                return refuse({Verdict::unknown, option, static_cast<Int>(at)});
            }
            if (!question_.place.empty())
                option = question_.place[static_cast<std::size_t>(option)];
        }
        if (const auto clash = clashes_.find(given_)) {
            return refuse({Verdict::clash, set[clash->earlier], set[clash->later], clash->item});
        }
        if (engine_ == nullptr) {
            engine_ = question_.make_engine(given_);
        } else {
            engine_->restart(given_);
        }
        searching_ = true;
        spent_ = {};
        return true;
    }

    bool refuse(const Trouble& trouble) {
        answers_.trouble.push_back(trouble);
        answers_.answer.push_back({0, trouble.verdict});
        ++next_;
        return false;
    }

    void finish(Verdict verdict) {
        const Stats& stats = engine_->stats();
        const double seconds = std::chrono::duration<double>(spent_).count();
        if (verdict != Verdict::answered) {
            answers_.trouble.push_back({verdict, 0, 0, 0, stats, seconds});
        }
        answers_.answer.push_back({stats.solutions, verdict});
        add_to(answers_.work, stats);
        answers_.seconds += seconds;
        searching_ = false;
        ++next_;
    }

    const Question& question_;
    ClashFinder clashes_;
    std::unique_ptr<Engine> engine_;
    const Sets* sets_ = nullptr;
    std::size_t next_ = 0;
    std::size_t last_ = 0;
    bool searching_ = false;   // the engine is in the middle of the set `next_`
    Clock::duration spent_{};  // on that set
    std::vector<Int> given_;
    Answers answers_;
};

class Batch {
public:
    explicit Batch(Question question)
        : question_(std::move(question)), threaded_(question_.workers != 1) {}
    Batch(const Batch&) = delete;
    Batch& operator=(const Batch&) = delete;
    ~Batch() { close(); }

    // Has it threads that are in another process, of which this one is a fork? Then nobody answers
    // any more, and to wait for the threads, or to destroy what they wait for, takes for ever.
    bool is_elsewhere() const noexcept { return threaded_ && process_ != this_process(); }

    // Adds sets to those to be answered.
    void submit(Sets sets) {
        if (sets.size() == 0) return;
        auto lot = std::make_shared<const Sets>(std::move(sets));
        const std::lock_guard lock(mutex_);
        if (closed_) return;
        waiting_.push_back(lot);
        unclaimed_ += lot->size();
        submitted_ += lot->size();
        start_threads();
        work_.notify_all();
    }

    // How many sets were submitted, and how many of these are not yet among answers collected.
    std::uint64_t submitted() const {
        const auto lock = lock_here();
        return submitted_;
    }
    std::uint64_t pending() const {
        const auto lock = lock_here();
        return submitted_ - collected_;
    }

    // The answers that come next: at least one, unless it is `until` or nothing is pending. Throws
    // what a worker threw once all answers before that are collected, and then at each call.
    std::vector<Answers> collect(Clock::time_point until) {
        std::unique_lock lock(mutex_);
        if (threads_.empty()) {
            lock.unlock();
            work_here(until);
            lock.lock();
        } else {
            ready_.wait_until(lock, until, [this] { return idle() || front_is_ready(); });
        }
        return take();
    }

    // Stops all work and forgets what was not collected.
    void close() noexcept {
        if (is_elsewhere()) return;
        {
            const std::lock_guard lock(mutex_);
            closed_ = true;
            waiting_.clear();
            unclaimed_ = 0;
            work_.notify_all();
        }
        for (std::thread& thread : threads_) thread.join();
        threads_.clear();
        const std::lock_guard lock(mutex_);
        blocks_.clear();
        own_block_ = nullptr;
        submitted_ = collected_;
    }

private:
    static std::int64_t this_process() noexcept {
#if __has_include(<unistd.h>)
        return getpid();
#else
        return 0;  // there is no fork
#endif
    }

    std::unique_lock<std::mutex> lock_here() const {
        std::unique_lock lock(mutex_, std::defer_lock);
        if (!is_elsewhere()) lock.lock();
        return lock;
    }

    static constexpr std::chrono::milliseconds slice{5};  // between looks of a thread at the rest
    static constexpr std::size_t longest_block = 64;
    static constexpr std::size_t flood = 1 << 22;  // uncollected numbers: about 16 megabytes

    // Consecutive sets of one lot, claimed by one worker.
    struct Block {
        std::shared_ptr<const Sets> sets;
        std::size_t first;
        std::size_t last;
        std::vector<Answers> answers;  // published, not yet collected
        bool done = false;
        std::exception_ptr failure;
    };

    static bool is_ready(const Block& block) noexcept {
        return !block.answers.empty() || block.done || block.failure != nullptr;
    }
    bool front_is_ready() const noexcept { return !blocks_.empty() && is_ready(blocks_.front()); }
    // Nothing is claimed, and nothing will be: there is nothing to wait for.
    bool idle() const noexcept {
        return blocks_.empty() && (unclaimed_ == 0 || failure_ != nullptr);
    }
    bool may_claim() const noexcept { return unclaimed_ > 0 && uncollected_ < flood; }

    // -- the functions from here to the next line are called with the lock held ------------------

    // One thread for each set, and no more than the caller wished. Where the system gives no
    // more, those there are do all the work; the answers are the same.
    void start_threads() {
        if (question_.workers == 1) return;
        const std::size_t wanted = std::min<std::uint64_t>(question_.workers, submitted_);
        try {
            while (threads_.size() < wanted) threads_.emplace_back([this] { serve(); });
        } catch (const std::system_error&) {
            question_.workers = std::max<std::size_t>(threads_.size(), 1);
        }
    }

    Block& claim() {
        const std::size_t left = waiting_.front()->size() - claimed_in_front_;
        const std::size_t share = unclaimed_ / (4 * question_.workers) + 1;
        const std::size_t length = std::min({left, share, longest_block});
        Block& block = blocks_.emplace_back(Block{
            waiting_.front(), claimed_in_front_, claimed_in_front_ + length, {}, false, nullptr});
        claimed_in_front_ += length;
        unclaimed_ -= length;
        if (length == left) {
            waiting_.pop_front();
            claimed_in_front_ = 0;
        }
        return block;
    }

    std::vector<Answers> take() {
        std::vector<Answers> taken;
        const bool flooded = uncollected_ >= flood;
        while (front_is_ready()) {
            Block& block = blocks_.front();
            if (block.failure != nullptr && block.answers.empty()) {
                if (taken.empty()) std::rethrow_exception(block.failure);
                break;
            }
            for (Answers& answers : block.answers) {
                answers.first = collected_;
                collected_ += answers.size();
                uncollected_ -= answers.weight();
                taken.push_back(std::move(answers));
            }
            block.answers.clear();
            if (!block.done) break;
            blocks_.pop_front();
        }
        if (taken.empty() && blocks_.empty() && failure_ != nullptr) {
            std::rethrow_exception(failure_);
        }
        if (flooded) work_.notify_all();
        return taken;
    }

    // --------------------------------------------------------------------------------------------

    // Works on a block until a time. True if it is done.
    bool advance(Worker& worker, Block& block, Clock::time_point until) {
        const bool done = worker.advance(until);
        Answers answers = worker.take();
        const std::lock_guard lock(mutex_);
        if (answers.size() > 0) {
            block.answers.push_back(std::move(answers));
            uncollected_ += block.answers.back().weight();
        }
        block.done = done;
        if (&block == &blocks_.front() && is_ready(block)) ready_.notify_all();
        return done;
    }

    // What each thread does.
    void serve() noexcept {
        Block* block = nullptr;
        try {
            Worker worker(question_);
            for (;;) {
                {
                    std::unique_lock lock(mutex_);
                    work_.wait(lock, [this] { return closed_ || may_claim(); });
                    if (closed_) return;
                    block = &claim();
                }
                worker.begin(*block->sets, block->first, block->last);
                while (!advance(worker, *block, Clock::now() + slice)) {
                    const std::lock_guard lock(mutex_);
                    if (closed_) return;
                }
                block = nullptr;
            }
        } catch (...) {
            const std::lock_guard lock(mutex_);
            (block == nullptr ? failure_ : block->failure) = std::current_exception();
            ready_.notify_all();
        }
    }

    // As `serve`, for the client itself: until a time, or until answers are worth collecting.
    void work_here(Clock::time_point until) {
        const auto soon = std::min(until, Clock::now() + slice);
        try {
            if (!own_worker_) own_worker_.emplace(question_);
            do {
                if (own_block_ == nullptr) {
                    const std::lock_guard lock(mutex_);
                    if (!may_claim() || failure_ != nullptr) return;
                    own_block_ = &claim();
                    own_worker_->begin(*own_block_->sets, own_block_->first, own_block_->last);
                }
                if (advance(*own_worker_, *own_block_, until)) own_block_ = nullptr;
            } while (Clock::now() < until && !is_worth_collecting(soon));
        } catch (...) {
            const std::lock_guard lock(mutex_);
            failure_ = std::current_exception();
            if (own_block_ != nullptr) own_block_->failure = failure_;
            own_block_ = nullptr;  // what was thrown has left the engine in no good state
        }
    }

    bool is_worth_collecting(Clock::time_point soon) const {
        const bool late = Clock::now() >= soon;
        const std::lock_guard lock(mutex_);
        return uncollected_ > (late ? 0 : flood / 16);
    }

    Question question_;
    const bool threaded_;
    const std::int64_t process_ = this_process();
    mutable std::mutex mutex_;       // guards all below but the threads and what is their own
    std::condition_variable work_;   // there may be something to claim
    std::condition_variable ready_;  // the front block may have answers
    std::deque<std::shared_ptr<const Sets>> waiting_;
    std::size_t claimed_in_front_ = 0;  // sets of the first lot that waits
    std::deque<Block> blocks_;          // claimed and not wholly collected, in order
    std::uint64_t unclaimed_ = 0;
    std::uint64_t submitted_ = 0;
    std::uint64_t collected_ = 0;
    std::size_t uncollected_ = 0;  // the weight of what is published and not collected
    std::exception_ptr failure_;   // of a worker between two blocks
    bool closed_ = false;
    std::vector<std::thread> threads_;
    std::optional<Worker> own_worker_;  // when there are no threads
    Block* own_block_ = nullptr;
};

}  // namespace dlx
