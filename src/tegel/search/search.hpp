// Monte-Carlo tree search over any board (see board.hpp).
//
// - a node is a position met, with how often and how well it went for each seat;
// - an edge is a move from a node: its prior (how promising it looks, from the board's
//   weights), its RAVE (how well it went when the same voice made it later), and its child
//   once it has been tried;
// - a simulation goes down by the best mix of the three, adds a node, rolls out from there,
//   and tells all nodes on the way; at chance nodes it draws;
// - a board may pool draws: then what was drawn makes no node, and a node holds whatever
//   follows the same moves. It may have other moves at each visit, and somebody else's turn.
//
// On one thread the result follows from board, seed and number of simulations alone.
#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include "tegel/search/board.hpp"
#include "tegel/search/exact.hpp"

namespace tegel {

struct Budget {
    std::uint64_t simulations = std::numeric_limits<std::uint64_t>::max();
    double seconds = std::numeric_limits<double>::infinity();
};

// What the search thinks of a move: how often it was tried, and what followed for each seat.
struct Opinion {
    Code code;
    float prior;
    std::uint32_t visits;
    Values wins, values;         // means; of an untried move its prior says all there is
    Expected scores;
    bool exact = false;          // proved: this is what follows if all play their best
};

template <Playable B>
class Search {
  public:
    Search(const B& board, std::uint64_t seed, Tuning tuning = {})
        : start(board), scratch(board), random(seed), tuning(tuning), met(B::KEYS / 64 + 1) {
        nodes.push_back(Node{});
    }

    const B& board() const { return start; }
    std::uint32_t visits() const { return nodes[0].visits; }

    // Simulates until the position has had so many simulations, with those kept from before,
    // the time is over, the choice is settled, or `stop`, asked now and then, says so; the
    // number of simulations made: none if the position was solved.
    template <class Stop>
    std::uint64_t run(const Budget& budget, Stop stop) {
        using Clock = std::chrono::steady_clock;
        const auto began = Clock::now();
        if (start.over()) return 0;
        start.tidy();
        prepare();
        prove(budget, [&] {
            const double spent = std::chrono::duration<double>(Clock::now() - began).count();
            return spent >= budget.seconds / 4 || stop();
        });
        if (!proofs.empty()) return 0;
        const std::uint64_t kept = nodes[0].visits;
        std::uint64_t done = 0;
        for (; kept + done < budget.simulations; ++done) {
            if (done % 32 == 0 && done) {
                if (stop()) break;
                const double spent = std::chrono::duration<double>(Clock::now() - began).count();
                if (spent >= budget.seconds) break;
                double left = double(budget.simulations - kept - done);
                if (spent > 0) left = std::min(left, (budget.seconds - spent) / spent * double(done));
                if (settled(left)) break;
            }
            simulate();
        }
        return done;
    }

    // The moves of the position, the most tried first; if it was solved, the best first.
    std::vector<Opinion> opinions() const {
        std::vector<Opinion> found;
        const Node& root = nodes[0];
        for (const Proof& proof : proofs) {
            float prior = 0;
            for (std::uint32_t i = root.first; i < root.first + root.count; ++i)
                if (edges[i].code == proof.code) prior = edges[i].prior;
            found.push_back({proof.code, prior, 0, proof.worth.wins, proof.worth.values,
                             proof.worth.scores, proof.exact});
        }
        if (!found.empty()) return found;
        for (std::uint32_t i = 0; i < root.count; ++i) {
            const Edge& edge = edges[root.first + i];
            Opinion opinion{edge.code, edge.prior, 0, {}, {}, {}, false};
            if (edge.child) {
                const Node& child = nodes[edge.child];
                opinion.visits = child.visits;
                for (int seat = 0; seat < start.seats() && child.visits; ++seat) {
                    opinion.wins[seat] = child.wins[seat] / float(child.visits);
                    opinion.values[seat] = child.values[seat] / float(child.visits);
                    opinion.scores[seat] = child.scores[seat] / float(child.visits);
                }
            }
            found.push_back(opinion);
        }
        std::stable_sort(found.begin(), found.end(), [](const Opinion& a, const Opinion& b) {
            return a.visits != b.visits ? a.visits > b.visits : a.prior > b.prior;
        });
        return found;
    }

    // Makes a move, and keeps what is known about the position after it.
    void play(Code code) {
        std::uint32_t child = 0;
        if (nodes[0].expanded)
            for (std::uint32_t i = 0; i < nodes[0].count; ++i)
                if (edges[nodes[0].first + i].code == code) child = edges[nodes[0].first + i].child;
        const bool pooled = pools && start.turn() == CHANCE && !chance();
        start.play(code);
        proofs.clear();
        restricted = false;
        if (pooled) return;
        std::vector<Node> kept{Node{}};
        std::vector<Edge> kept_edges;
        if (child) copy(child, 0, kept, kept_edges);
        nodes = std::move(kept);
        edges = std::move(kept_edges);
    }

    // Considers only some moves of the position: those of which the predicate is true.
    template <class Predicate>
    void restrict(Predicate sees) {
        if (start.over()) return;
        prepare();  // before it is tidied up: a board may list fewer moves then
        Node& root = nodes[0];
        const auto begin = edges.begin() + root.first;
        const auto end = std::stable_partition(begin, begin + root.count,
                                               [&](const Edge& edge) { return sees(edge); });
        if (end != begin) root.count = std::uint32_t(end - begin), restricted = true;
    }

    struct Edge {
        Code code;
        float prior;
        std::uint32_t child;  // 0: not tried
        std::uint32_t visits, rave_visits;  // where draws are pooled, the latter: could be chosen
        float value, rave_value;            // sums, for whose decision it is
    };

  private:
    struct Node {
        std::uint32_t visits = 0;
        std::uint32_t first = 0, count = 0;  // its edges
        bool expanded = false, over = false;
        std::int8_t seat = 0;                // whose decision it is
        std::uint32_t voice = 0;             // what to add to a code for its key
        Values wins{}, values{};             // sums
        Expected scores{};
    };

    B start, scratch;
    Random random;
    Tuning tuning;
    std::vector<Node> nodes;
    std::vector<Edge> edges;
    std::vector<Candidate> candidates;
    std::vector<std::uint32_t> path, taken;  // nodes, and the edge taken at each
    Trace trace;
    std::vector<std::uint64_t> met;          // a set of keys: moves of this simulation
    Exact<B> exact;
    std::vector<Proof> proofs;               // of the moves of the start, once it is solved
    bool restricted = false;

    static constexpr bool pools = requires { B::POOLS; };
    static_assert(!pools || B::KEYS == 0);
    std::vector<std::uint32_t> choices;      // edges of a pooled node that are legal now

    bool chance() const { return nodes[0].expanded && nodes[0].seat == CHANCE; }

    // Lists the moves of the start.
    void prepare() {
        scratch = start;
        if (pools && chance() != (start.turn() == CHANCE)) nodes.assign(1, Node{}), edges.clear();
        if (!nodes[0].expanded) {
            expand(0, true);
        } else if (pools && start.turn() != CHANCE && !restricted) {
            refresh(0);
            std::vector<Edge> legal;
            for (std::uint32_t edge : choices) legal.push_back(edges[edge]);
            nodes[0].first = std::uint32_t(edges.size());
            nodes[0].count = std::uint32_t(legal.size());
            edges.insert(edges.end(), legal.begin(), legal.end());
        }
    }

    // Finds the moves of the position on `scratch` among the edges of a pooled node, and adds
    // those that it had not yet.
    void refresh(std::uint32_t index) {
        scratch.moves(candidates);
        auto order = [](const Candidate& a, const Candidate& b) { return a.code < b.code; };
        std::sort(candidates.begin(), candidates.end(), order);
        choices.clear();
        const Node node = nodes[index];
        for (std::uint32_t i = node.first; i < node.first + node.count; ++i)
            if (std::binary_search(candidates.begin(), candidates.end(),
                                   Candidate{edges[i].code, 0}, order))
                choices.push_back(i);
        if (choices.size() == candidates.size()) return;
        const std::vector<Edge> old(edges.begin() + node.first,
                                    edges.begin() + node.first + node.count);
        expand(index, true);
        choices.clear();
        for (std::uint32_t i = nodes[index].first; i < edges.size(); ++i) choices.push_back(i);
        for (const Edge& edge : old) {
            const auto same = std::find_if(edges.begin() + nodes[index].first, edges.end(),
                                           [&](const Edge& now) { return now.code == edge.code; });
            if (same != edges.end()) *same = edge;
            else edges.push_back(edge);
        }
        nodes[index].count = std::uint32_t(edges.size()) - nodes[index].first;
    }

    // Solves the position if the budget allows it.
    template <class Stop>
    void prove(const Budget& budget, Stop stop) {
        if (!proofs.empty() || nodes[0].count < 2) return;
        std::vector<Code> codes;
        scratch.moves(candidates);
        for (const Candidate& candidate : candidates) codes.push_back(candidate.code);
        if (restricted || codes.size() == nodes[0].count) {  // in the order of their promise
            codes.clear();
            for (std::uint32_t i = 0; i < nodes[0].count; ++i)
                codes.push_back(edges[nodes[0].first + i].code);
        }
        // What was simulated before counts; and without a limit there is one all the same.
        const double simulations = std::max(double(budget.simulations), double(nodes[0].visits));
        const double work = std::min(5e7, double(tuning.work) * simulations);
        proofs = exact.solve(start, codes, std::uint64_t(work), random, stop);
    }

    bool full() const { return nodes.size() >= tuning.nodes || edges.size() >= tuning.edges; }

    // Lists the moves of the position on `scratch`.
    void expand(std::uint32_t index, bool all) {
        Node& node = nodes[index];
        node.expanded = true;
        node.over = scratch.over();
        if (node.over) return;
        node.seat = std::int8_t(scratch.turn());
        if constexpr (B::KEYS > 0) node.voice = scratch.key(0);
        scratch.consider(candidates);
        const bool draws = node.seat == CHANCE;
        if (!draws) {
            auto better = [](const Candidate& a, const Candidate& b) {
                return a.weight != b.weight ? a.weight > b.weight : a.code < b.code;
            };
            if (!all && candidates.size() > tuning.width) {
                std::nth_element(candidates.begin(), candidates.begin() + tuning.width,
                                 candidates.end(), better);
                candidates.resize(tuning.width);
            }
            std::sort(candidates.begin(), candidates.end(), better);
            const float top = candidates[0].weight;
            for (auto& candidate : candidates)
                candidate.weight = std::exp((candidate.weight - top) / tuning.temperature);
        }
        float total = 0;
        for (const auto& candidate : candidates) total += candidate.weight;
        node.first = std::uint32_t(edges.size());
        node.count = std::uint32_t(candidates.size());
        for (const auto& candidate : candidates)
            edges.push_back({candidate.code, candidate.weight / total, 0, 0, 0, 0, 0});
    }

    void simulate() {
        scratch = start;
        path.assign(1, 0);
        taken.clear();
        std::uint32_t index = 0;
        while (true) {
            if constexpr (pools)
                while (!scratch.over() && scratch.turn() == CHANCE && (index || !chance()))
                    scratch.play(scratch.random(random));
            if (scratch.over()) break;
            if (!nodes[index].expanded) {
                if (nodes[index].visits < tuning.maturity || full()) break;
                expand(index, pools);
            }
            if constexpr (pools) {
                if (index && full()) break;
                if (index) refresh(index);
            }
            const std::uint32_t edge = chosen(nodes[index]);
            scratch.play(edges[edge].code);
            if (!edges[edge].child) {
                edges[edge].child = std::uint32_t(nodes.size());
                nodes.push_back(Node{});
            }
            index = edges[edge].child;
            taken.push_back(edge);
            path.push_back(index);
        }
        trace.clear();
        if (!scratch.over()) scratch.rollout(random, trace);
        tell();
    }

    // The edge to follow from a node.
    std::uint32_t chosen(const Node& node) {
        if (node.seat == CHANCE) {
            float rest = random.unit();
            std::uint32_t i = 0;
            while (i + 1 < node.count && rest >= edges[node.first + i].prior)
                rest -= edges[node.first + i++].prior;
            return node.first + i;
        }
        const int seat = scratch.turn();
        const float mean = node.visits ? node.values[seat] / float(node.visits) : 0.5f;
        const float untried = mean - tuning.unknown;
        const float curiosity = tuning.curiosity * std::sqrt(float(node.visits + 1));
        float most = -1e9f;
        std::uint32_t best = node.first;
        auto weigh = [&](std::uint32_t i) {
            const Edge& edge = edges[i];
            const float visits = float(edge.visits);
            float value = untried;
            if (edge.visits)  // where draws are pooled it may have been somebody else's decision
                value = (pools ? nodes[edge.child].values[seat] : edge.value) / visits;
            if constexpr (B::KEYS > 0) {
                if (edge.rave_visits) {
                    const float met = float(edge.rave_visits);
                    const float part = met / (met + visits + 3 + met * visits / tuning.rave);
                    value += part * (edge.rave_value / met - value);
                }
            }
            float spread = curiosity;
            if constexpr (pools)
                spread = tuning.curiosity * std::sqrt(float(++edges[i].rave_visits));
            const float promise = value + spread * edge.prior / (1 + visits);
            if (promise > most) most = promise, best = i;
        };
        if (pools && &node != &nodes[0]) {
            for (std::uint32_t i : choices) weigh(i);
        } else {
            const std::uint32_t end = node.first + (pools ? node.count : considered(node));
            for (std::uint32_t i = node.first; i < end; ++i) weigh(i);
        }
        return best;
    }

    // How many of a node's moves, the most promising first, are considered by now.
    std::uint32_t considered(const Node& node) const {
        const float wide = tuning.narrow + tuning.growth * std::sqrt(float(node.visits));
        return wide < float(node.count) ? std::uint32_t(wide) : node.count;
    }

    // Tells the nodes on the path how it ended.
    void tell() {
        Values wins{}, values{};
        Expected expected{};
        if constexpr (requires { scratch.judge(wins, values, expected); }) {
            scratch.judge(wins, values, expected);
        } else {
            Scores scores{};
            scratch.values(wins, values);
            scratch.scores(scores);
            for (int seat = 0; seat < start.seats(); ++seat) expected[seat] = float(scores[seat]);
        }
        for (std::uint32_t index : path) {
            Node& node = nodes[index];
            ++node.visits;
            for (int seat = 0; seat < start.seats(); ++seat) {
                node.wins[seat] += wins[seat];
                node.values[seat] += values[seat];
                node.scores[seat] += expected[seat];
            }
        }
        for (std::size_t i = 0; i < taken.size(); ++i) {
            const int seat = nodes[path[i]].seat;
            ++edges[taken[i]].visits;
            if (seat != CHANCE) edges[taken[i]].value += values[seat];
        }
        if constexpr (B::KEYS > 0) {
            for (std::uint32_t key : trace) met[key / 64] |= std::uint64_t(1) << key % 64;
            for (std::size_t i = path.size(); i-- > 0;) {
                const Node& node = nodes[path[i]];
                if (!node.expanded || node.over || node.seat == CHANCE) continue;
                if (i < taken.size()) {
                    trace.push_back(node.voice + edges[taken[i]].code);
                    met[trace.back() / 64] |= std::uint64_t(1) << trace.back() % 64;
                }
                const float value = values[node.seat];
                for (std::uint32_t e = node.first, end = e + considered(node); e < end; ++e) {
                    const std::uint32_t key = node.voice + edges[e].code;
                    const auto found = std::uint32_t(met[key / 64] >> key % 64 & 1);
                    edges[e].rave_visits += found;
                    edges[e].rave_value += float(found) * value;
                }
            }
            for (std::uint32_t key : trace) met[key / 64] = 0;
        }
    }

    // Whether so many further simulations can't change which move is tried most.
    bool settled(double left) const {
        const Node& root = nodes[0];
        if (root.count < 2) return true;
        std::uint32_t first = 0, second = 0;
        for (std::uint32_t i = root.first; i < root.first + root.count; ++i) {
            const std::uint32_t visits = edges[i].visits;
            if (visits > first) second = first, first = visits;
            else if (visits > second) second = visits;
        }
        return double(first) > double(second) + left;
    }

    void copy(std::uint32_t from, std::uint32_t to, std::vector<Node>& kept,
              std::vector<Edge>& kept_edges) const {
        kept[to] = nodes[from];
        const std::uint32_t first = std::uint32_t(kept_edges.size()), count = nodes[from].count;
        kept[to].first = first;
        kept_edges.insert(kept_edges.end(), edges.begin() + nodes[from].first,
                          edges.begin() + nodes[from].first + count);
        for (std::uint32_t i = 0; i < count; ++i)
            if (const std::uint32_t child = kept_edges[first + i].child) {
                const auto place = std::uint32_t(kept.size());
                kept_edges[first + i].child = place;
                kept.push_back(Node{});
                copy(child, place, kept, kept_edges);
            }
    }
};

}  // namespace tegel
