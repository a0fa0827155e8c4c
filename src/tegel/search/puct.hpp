// Tree search with a net, over any board that a net can see (see net.hpp).
//
// - a node is a position met; it is judged once the net has said what it thinks of it;
// - an edge is a move from a node: its prior, as the net has it, and how well it went;
// - a descent goes down by PUCT to a position that is not judged yet, a leaf, which then waits
//   for the net. Several may wait at a time: what is under way counts as tried, but not as won or
//   lost, until the answer comes, so that the next descent goes elsewhere if that is nearly as
//   good (Liu and others, "Watch the unobserved", 2020). Where a game is over nobody is asked;
// - where chance decides, a node has an edge for each draw, and a descent follows one by its odds;
// - the net is outside: leaves go out as views, answers come in (`leaves`, `answer`).
//
// The result follows from board, seed, simulations, leaves at a time, and what the net says.
#pragma once

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <ranges>
#include <unordered_set>
#include <utility>
#include <vector>

#include "tegel/search/board.hpp"
#include "tegel/search/exact.hpp"
#include "tegel/search/net.hpp"
#include "tegel/search/opinion.hpp"

namespace tegel {

// How a search with a net goes.
struct Guidance {
    float curiosity = 0.7f;  // weight of prior and of what is little known
    float unknown = 0.1f;    // how much worse an untried move is taken to be, by what was tried
    float work = 3000;       // on the exact endgame, for each simulation
    std::uint32_t nodes = 2'000'000, edges = 50'000'000;  // most kept
};

template <Netted B>
class Guided {
  public:
    struct Edge {
        Code code;
        float prior;
        std::uint32_t child = 0;    // 0: not tried
        std::uint32_t visits = 0;   // with those under way
        std::uint32_t waiting = 0;  // under way
        float value = 0;            // a sum, for whose decision it is

        bool known() const { return visits > waiting; }
        float mean() const { return known() ? value / float(visits - waiting) : 0; }
    };
    struct Node {
        std::uint32_t visits = 0;
        std::uint32_t first = 0, count = 0;  // its edges
        std::uint32_t reached = 0;           // of these, up to the last that was tried
        std::uint32_t ranked = 0;            // so many, the most promising, lie in order
        std::int8_t seat = 0;                // whose decision it is
        bool judged = false, over = false;   // where chance decides nobody need judge
        Worth sums;
    };
    // A position that waits for the net.
    struct Leaf {
        View view;
        std::uint32_t node = 0;
        int seat = 0;
        std::vector<std::uint32_t> path, taken;  // nodes down to the leaf, edges between them
    };
    static constexpr std::uint32_t ANY = ~0u;

    explicit Guided(const B& board, Guidance guidance = {}, Random draws = Random())
        : start(board), scratch(board), sizes(board.shape()), guidance(guidance), draws(draws) {
        begin(board);
    }

    // Begins in a position of which nothing is known.
    void begin(const B& board) {
        start = board;
        nodes.assign(1, Node{});
        edges.clear();
        proofs.clear();
        given_up = 0;
        unseen.clear();
        held = 0;
    }

    const B& board() const { return start; }
    const Shape& shape() const { return sizes; }
    const Node& root() const { return nodes[0]; }
    Edge& edge(std::uint32_t index) {
        assert(index < edges.size());
        return edges[index];
    }
    bool solved() const { return !proofs.empty(); }
    std::size_t waiting() const { return held; }
    const Leaf& leaf(std::size_t index) const {
        assert(index < leaves.size());
        return leaves[index];
    }
    // How often the position was simulated.
    std::uint32_t simulations() const { return nodes[0].visits ? nodes[0].visits - 1 : 0; }

    // Makes a move, and keeps what is known about the position after it.
    void play(Code code) {
        abandon();
        const Edge* taken = with(0, code);
        const std::uint32_t child = taken ? taken->child : 0;
        start.play(code);
        proofs.clear();
        given_up = 0;
        unseen.clear();
        std::vector<Node> kept{Node{}};
        std::vector<Edge> kept_edges;
        if (child) copy(child, 0, kept, kept_edges);
        nodes = std::move(kept);
        edges = std::move(kept_edges);
    }

    // Considers only the other moves of the position, if there are any.
    void overlook(const std::vector<Code>& codes) {
        unseen.insert(codes.begin(), codes.end());
        if (nodes[0].judged) narrow();
    }

    // Solves the position if so many simulations allow it; what was tried in vain is tried again
    // only with twice the work. If choices do not settle, so is what is not proved of each move.
    template <class Stop>
    void prove(std::uint64_t simulations, bool settles, Random random, Stop stop) {
        const bool proved = std::ranges::all_of(proofs, &Proof::exact);
        if (start.over() || (solved() && (settles || proved))) return;
        std::vector<Code> codes;
        for (Code code : legal_codes(start))
            if (!unseen.contains(code)) codes.push_back(code);
        if (codes.empty()) codes = legal_codes(start);
        const double work =
            std::min(settles ? MOST_WORK : PAUSE, double(guidance.work) * double(simulations));
        if (codes.size() < 2 || work < 2 * given_up) return;
        given_up = work;
        if (auto found = exact.solve(start, codes, std::uint64_t(work), random, stop);
            !found.empty())
            proofs = std::move(found);
    }

    // Goes down to a leaf, by an edge of the root or by any; whether one waits now. If not, the
    // descent ended where a game is over, and was counted, or met what waits already.
    enum Descent { WAITS, OVER, MET };
    Descent descend(std::uint32_t first = ANY) {
        if (held == leaves.size()) leaves.emplace_back();
        Leaf& leaf = leaves[held];
        leaf.path.assign(1, 0);
        leaf.taken.clear();
        if (!nodes[0].judged) {
            if (held) return MET;
            if (start.turn() != CHANCE) {
                start.look(leaf.view);
                return wait(leaf, 0, start.turn());
            }
            list_draws(start, 0);
        }
        scratch = start;
        std::uint32_t at = 0;
        while (nodes[at].judged) {
            Node& node = nodes[at];
            const std::uint32_t next = at == 0 && first != ANY ? first : chosen(node);
            assert(next >= node.first && next < node.first + node.count);
            node.reached = std::max(node.reached, next - node.first + 1);
            scratch.play(edges[next].code);
            if (!edges[next].child) {
                edges[next].child = std::uint32_t(nodes.size());
                nodes.push_back(Node{});
                nodes.back().over = scratch.over();
                if (!scratch.over() && scratch.turn() == CHANCE)
                    list_draws(scratch, edges[next].child);
            } else if (!nodes[edges[next].child].judged && !nodes[edges[next].child].over) {
                return MET;
            }
            at = edges[next].child;
            leaf.taken.push_back(next);
            leaf.path.push_back(at);
        }
        if (nodes[at].over) {
            set_out(leaf);
            tell(leaf, judged(scratch));
            return OVER;
        }
        scratch.look(leaf.view);
        return wait(leaf, at, scratch.turn());
    }

    // One of the few most promising edges of the root that was tried too little to say much of it;
    // for who wants to know of more than the best move.
    std::uint32_t neglected() const {
        const Node& root = nodes[0];
        if (!root.judged || root.seat == CHANCE) return ANY;
        for (std::uint32_t i = root.first; i < root.first + std::min(root.count, FEW); ++i)
            if (edges[i].visits * PART < root.visits) return i;
        return ANY;
    }

    // Takes what the net says of the leaves that wait: for each its logits by legal move, one
    // leaf after the other, and `SAID` numbers for each side, from who moves on.
    void answer(const float* logits, const float* said) {
        assert(held <= leaves.size() && (!held || (logits && said)));
        for (std::size_t i = 0; i < held; ++i) {
            Leaf& leaf = leaves[i];
            expand(leaf, logits);
            Worth worth;
            for (int seat = 0; seat < start.seats(); ++seat) {
                const float* of = said + SAID * side_from(leaf.seat, seat, sizes.sides);
                worth.wins[seat] = of[0], worth.values[seat] = of[1], worth.scores[seat] = of[2];
            }
            tell(leaf, worth);
            logits += leaf.view.codes.size();
            said += SAID * sizes.sides;
        }
        held = 0;
    }

    // Gives up the leaves that wait.
    void abandon() {
        for (std::size_t i = 0; i < held; ++i)
            for (std::uint32_t edge : leaves[i].taken) {
                assert(edges[edge].waiting > 0 && edges[edge].visits >= edges[edge].waiting);
                --edges[edge].visits, --edges[edge].waiting;
            }
        held = 0;
        for (Edge& edge : edges)  // and those nodes
            if (edge.child && !edge.visits) edge.child = 0;
    }

    bool full() const { return nodes.size() >= guidance.nodes || edges.size() >= guidance.edges; }

    // Whether so many further simulations can't change which move is tried most.
    bool settled(double left) const {
        const Node& root = nodes[0];
        if (!root.judged) return false;
        if (root.count < 2) return simulations() > 0;
        std::uint32_t first = 0, second = 0;
        for (std::uint32_t i = root.first; i < root.first + root.count; ++i) {
            const std::uint32_t visits = edges[i].visits;
            if (visits > first) second = first, first = visits;
            else if (visits > second) second = visits;
        }
        return double(first) > double(second) + left;
    }

    // The moves of the position, the most tried first; if it was solved, the best first.
    std::vector<Opinion> opinions() const {
        std::vector<Opinion> found;
        const Node& root = nodes[0];
        auto prior = [&](Code code) {
            for (std::uint32_t i = root.first; i < root.first + root.count; ++i)
                if (edges[i].code == code) return edges[i].prior;
            return 0.0f;
        };
        for (const Proof& proof : proofs)
            found.push_back({proof.code, prior(proof.code), 0, proof.worth, proof.exact});
        if (solved()) return found;
        for (std::uint32_t i = root.first; i < root.first + root.count; ++i) {
            const Edge& edge = edges[i];
            Opinion opinion{edge.code, edge.prior, 0, {}, false};
            if (edge.child && nodes[edge.child].visits) {
                const Node& child = nodes[edge.child];
                opinion.visits = child.visits;
                for (int seat = 0; seat < start.seats(); ++seat) {
                    opinion.worth.wins[seat] = child.sums.wins[seat] / float(child.visits);
                    opinion.worth.values[seat] = child.sums.values[seat] / float(child.visits);
                    opinion.worth.scores[seat] = child.sums.scores[seat] / float(child.visits);
                }
            }
            found.push_back(opinion);
        }
        std::stable_sort(found.begin(), found.end(), [](const Opinion& a, const Opinion& b) {
            return a.visits != b.visits ? a.visits > b.visits : a.prior > b.prior;
        });
        return found;
    }

    // A move of the position with what was tried most after it, up to so many plies, the next
    // draw, or where too little is known; if it was solved, what follows if all play their best.
    std::vector<Code> line(Code code, std::size_t plies, Random random) const {
        std::vector<Code> found{code};
        B board = start;
        board.play(code);
        std::uint32_t at = 0;
        for (; found.size() < plies && !board.over() && board.turn() != CHANCE;
             board.play(found.back())) {
            if (solved()) {
                const auto best = Exact<B>().solve(
                    board, legal_codes(board), std::uint64_t(given_up), random,
                    [] { return false; }, false);
                if (best.empty()) break;
                found.push_back(best[0].code);
                continue;
            }
            const Edge* taken = with(at, found.back());
            if (!taken || !taken->child) break;
            at = taken->child;
            const Edge* next = nullptr;
            for (std::uint32_t i = 0; i < nodes[at].reached; ++i)
                if (const Edge& edge = edges[nodes[at].first + i];
                    edge.visits >= KNOWN && (!next || edge.visits > next->visits))
                    next = &edge;
            if (!next) break;
            found.push_back(next->code);
        }
        return found;
    }

  private:
    static constexpr std::uint32_t KNOWN = 3;  // visits that say what is next in a line
    static constexpr std::uint32_t FEW = 3, PART = 25;  // edges that have such a part of all visits
    static constexpr double PAUSE = 3e6;  // work between two looks of whoever looks on: 0.5 s
    static constexpr double MOST_WORK = 1e7;  // before the first simulation: 1 to 2 s

    B start, scratch;
    const Shape sizes;
    const Guidance guidance;
    Random draws;
    std::vector<Node> nodes;
    std::vector<Edge> edges;
    std::vector<Leaf> leaves;  // of which the first `held` wait
    std::size_t held = 0;
    Exact<B> exact;
    std::vector<Proof> proofs;  // of the moves of the start, once it is solved
    double given_up = 0;  // the work that was tried to solve it
    std::unordered_set<Code> unseen;

    static std::vector<Code> legal_codes(B board) {
        std::vector<Candidate> found;
        board.moves(found);
        std::vector<Code> codes;
        for (const Candidate& move : found) codes.push_back(move.code);
        return codes;
    }
    // The edge of a node with some code, if it has one.
    const Edge* with(std::uint32_t node, Code code) const {
        for (std::uint32_t i = 0; i < nodes[node].count; ++i)
            if (const Edge& edge = edges[nodes[node].first + i]; edge.code == code) return &edge;
        return nullptr;
    }

    Descent wait(Leaf& leaf, std::uint32_t node, int seat) {
        if constexpr (requires { B::idle(Code()); }) leave_out_idle(leaf.view);
        assert(held < leaves.size() && node < nodes.size() && !nodes[node].judged);
        assert(!leaf.view.codes.empty() && leaf.view.codes.size() == leaf.view.actions.size());
        leaf.node = node;
        leaf.seat = seat;
        set_out(leaf);
        ++held;
        return WAITS;
    }
    void set_out(const Leaf& leaf) {
        for (std::uint32_t edge : leaf.taken) ++edges[edge].visits, ++edges[edge].waiting;
    }

    static void leave_out_idle(View& view) {
        std::size_t kept = 0;
        for (std::size_t i = 0; i < view.codes.size(); ++i)
            if (!B::idle(view.codes[i])) {
                view.codes[kept] = view.codes[i];
                view.actions[kept++] = view.actions[i];
            }
        if (kept) view.codes.resize(kept), view.actions.resize(kept);
    }

    static bool better(const Edge& a, const Edge& b) {
        return a.prior != b.prior ? a.prior > b.prior : a.code < b.code;
    }

    // The moves of a leaf become edges.
    void expand(const Leaf& leaf, const float* logits) {
        const std::size_t count = leaf.view.codes.size();
        assert(count > 0 && !nodes[leaf.node].judged);
        const float top = *std::max_element(logits, logits + count);
        const auto first = edges.size();
        float total = 0;
        edges.resize(first + count);
        for (std::size_t i = 0; i < count; ++i) {
            Edge& edge = edges[first + i];
            edge.code = leaf.view.codes[i];
            total += edge.prior = std::exp(logits[i] - top);
        }
        for (std::size_t i = first; i < edges.size(); ++i) edges[i].prior /= total;
        if constexpr (requires { B::WIDTH; })
            if (leaf.node != 0 && count > B::WIDTH) {
                const auto last = edges.begin() + long(first + B::WIDTH);
                std::nth_element(edges.begin() + long(first), last, edges.end(), better);
                edges.erase(last, edges.end());
            }
        Node& node = nodes[leaf.node];
        node.first = std::uint32_t(first);
        node.count = std::uint32_t(edges.size() - first);
        node.seat = std::int8_t(leaf.seat);
        node.judged = true;
        if (leaf.node == 0) {
            rank(node, node.count);
            narrow();
        }
    }

    // Puts the most promising edges of a node first, at least so many; most nodes are met once or
    // a few times, and need no more.
    void rank(Node& node, std::uint32_t many) {
        if (many <= node.ranked) return;
        const auto begin = edges.begin() + node.first, from = begin + node.ranked;
        node.ranked = std::min(node.count, std::max(2 * many, 8u));
        std::partial_sort(from, begin + node.ranked, begin + node.count, better);
    }

    // The draws of a position become edges, with their odds as priors.
    void list_draws(B& board, std::uint32_t index) {
        std::vector<Candidate> found;
        board.moves(found);
        float total = 0;
        for (const Candidate& draw : found) total += draw.weight;
        assert(total > 0);
        Node& node = nodes[index];
        node.first = std::uint32_t(edges.size());
        node.count = std::uint32_t(found.size());
        node.seat = std::int8_t(CHANCE);
        node.judged = true;
        for (const Candidate& draw : found)
            edges.push_back(Edge{.code = draw.code, .prior = draw.weight / total});
    }

    // Leaves out what is overlooked at the root, unless it is all.
    void narrow() {
        Node& root = nodes[0];
        const auto begin = edges.begin() + root.first;
        const auto end = std::stable_partition(begin, begin + root.count, [&](const Edge& edge) {
            return !unseen.contains(edge.code);
        });
        if (end != begin) root.count = std::uint32_t(end - begin);
        root.reached = root.ranked = root.count;  // whatever was tried before
    }

    // The edge to follow from a node: what went well, what looks promising, what is little known;
    // a draw by its odds. Of those behind all that were tried the first promises most.
    std::uint32_t chosen(Node& node) {
        assert(node.judged && node.count > 0 && node.first + node.count <= edges.size());
        if (node.seat == CHANCE) {
            float rest = draws.unit();
            std::uint32_t i = 0;
            while (i + 1 < node.count && rest >= edges[node.first + i].prior)
                rest -= edges[node.first + i++].prior;
            return node.first + i;
        }
        const std::uint32_t met = std::min(node.count, node.reached + 1), end = node.first + met;
        rank(node, met);
        float tried = 0;
        std::uint32_t visits = 0;
        for (std::uint32_t i = node.first; i < end; ++i)
            if (edges[i].visits) tried += edges[i].prior, visits += edges[i].visits;
        const float mean = node.sums.values[std::size_t(node.seat)] / float(node.visits);
        const float untried = mean - guidance.unknown * std::sqrt(tried);
        const float spread = guidance.curiosity * std::sqrt(float(visits + 1));
        std::uint32_t best = node.first;
        float most = -1e9f;
        for (std::uint32_t i = node.first; i < end; ++i) {
            const Edge& edge = edges[i];
            const float value = edge.known() ? edge.mean() : untried;
            const float promise = value + spread * edge.prior / float(1 + edge.visits);
            if (promise > most) most = promise, best = i;
        }
        return best;
    }

    // Tells the nodes and edges on the way to a leaf what it is worth.
    void tell(const Leaf& leaf, const Worth& worth) {
        assert(leaf.path.size() == leaf.taken.size() + 1);
        for (std::uint32_t index : leaf.path) {
            Node& node = nodes[index];
            ++node.visits;
            for (int seat = 0; seat < start.seats(); ++seat) {
                node.sums.wins[seat] += worth.wins[seat];
                node.sums.values[seat] += worth.values[seat];
                node.sums.scores[seat] += worth.scores[seat];
            }
        }
        for (std::size_t i = 0; i < leaf.taken.size(); ++i) {
            Edge& edge = edges[leaf.taken[i]];
            assert(edge.waiting > 0 && edge.visits >= edge.waiting);
            --edge.waiting;
            if (const int seat = nodes[leaf.path[i]].seat; seat != CHANCE)
                edge.value += worth.values[std::size_t(seat)];
        }
    }

    void copy(std::uint32_t from, std::uint32_t to, std::vector<Node>& kept,
              std::vector<Edge>& kept_edges) const {
        assert(from < nodes.size() && to < kept.size());
        kept[to] = nodes[from];
        const auto first = std::uint32_t(kept_edges.size());
        kept[to].first = first;
        kept_edges.insert(kept_edges.end(), edges.begin() + nodes[from].first,
                          edges.begin() + nodes[from].first + nodes[from].count);
        for (std::uint32_t i = first; i < first + kept[to].count; ++i)
            if (const std::uint32_t child = kept_edges[i].child) {
                const auto place = std::uint32_t(kept.size());
                kept_edges[i].child = place;
                kept.push_back(Node{});
                copy(child, place, kept, kept_edges);
            }
    }
};

}  // namespace tegel
