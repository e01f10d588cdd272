// A plain alpha-beta search of two-seat Your trumps: iterative deepening, a table, a simple order of moves, no more.
//
// benchmarks/engine.py compiles it and compares the engine's nodes a second with it. It has the rules and the evaluation
// of the engine, and counts nodes in the same way: each position that is entered, leaves included. A position that
// stands on the path already is a draw; what rests on that is not written to the table.
//
// Standard input, numbers separated by white space:
//   rule flags, lowest rank (0 for the two), number of ranks; 7 worths of the phase, 53 of hand sizes,
//   2 * 4 * 2^ranks of the cards of one suit in a seat's hand, by seat, suit and mask of ranks;
//   then for each position: 1, the two hands as masks, the two trump suits, the seat, the phase (0 lead, 1 beat, 2 add),
//   the number of cards in the pile, the pile from its bottom; at the end: 0.
// Arguments: nodes for each position, MB for the table; or "perft" and a depth.
// Output, a line for each position: nodes, seconds, depth reached, value (or the count of sequences of moves).

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

using u64 = std::uint64_t;

enum Phase { Lead, Beat, Add };
constexpr int Up = 52, Win = 30000, Sure = 20000, Infinite = 32000, Nowhere = 1 << 30, DeepestPly = 240;

struct State {
    u64 hand[2];
    int trump[2], seat, phase, size;
    int pile[52];
    u64 key;
};

int flags, lowest_rank, ranks, phase_worth[7], size_worth[53];
std::vector<int> suit_worth;
u64 beats[4][52], hand_key[2][52], pile_key[52][52], seat_key, add_key;

u64 random_key() {
    static u64 state = 0x9E3779B97F4A7C15;
    u64 z = state += 0x9E3779B97F4A7C15;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9;
    z = (z ^ z >> 27) * 0x94D049BB133111EB;
    return z ^ z >> 31;
}

void prepare() {
    for (int trump = 0; trump < 4; trump++)
        for (int top = 0; top < 52; top++)
            for (int card = 0; card < 52; card++)
                if ((card / 13 == top / 13 && card > top) || (card / 13 == trump && top / 13 != trump))
                    beats[trump][top] |= 1ull << card;
    for (auto& row : hand_key) for (auto& key : row) key = random_key();
    for (auto& row : pile_key) for (auto& key : row) key = random_key();
    seat_key = random_key();
    add_key = random_key();
}

u64 beating(const State& s) { return s.size ? s.hand[s.seat] & beats[s.trump[s.seat]][s.pile[s.size - 1]] : 0; }

bool over(const State& s) { return !s.hand[0] || !s.hand[1]; }

u64 legal(const State& s) {
    if (s.phase != Beat) return s.hand[s.seat];
    u64 able = beating(s);
    return !able || (flags & 1) ? able | 1ull << Up : able;
}

int pick_up_count(const State& s) {
    if (s.size <= 3 || (flags & 2)) return s.size;
    int top = s.pile[s.size - 1];
    if (top / 13 != s.trump[s.seat]) return 3;
    return top % 13 == 12 ? s.size : std::min(5, s.size);
}

void exchange(State& s, int seat, int from, int to) {
    for (int i = from; i < to; i++) {
        s.hand[seat] ^= 1ull << s.pile[i];
        s.key ^= hand_key[seat][s.pile[i]] ^ pile_key[i][s.pile[i]];
    }
}

struct Undo { int seat, phase, size, under; u64 key; };

Undo make(State& s, int move) {
    Undo undo{s.seat, s.phase, s.size, 0, s.key};
    if (move == Up) {
        int rest = s.size - pick_up_count(s);
        exchange(s, s.seat, rest, s.size);
        s.size = rest;
        s.phase = rest ? Beat : Lead;
        if (!(flags & 4)) { s.seat ^= 1; s.key ^= seat_key; }
        return undo;
    }
    undo.under = s.pile[s.size];
    s.hand[s.seat] ^= 1ull << move;
    s.key ^= hand_key[s.seat][move] ^ pile_key[s.size][move];
    s.pile[s.size++] = move;
    if (s.phase == Add) s.key ^= add_key;
    if (s.phase == Beat && s.hand[s.seat]) { s.phase = Add; s.key ^= add_key; }
    else { s.phase = Beat; s.seat ^= 1; s.key ^= seat_key; }
    return undo;
}

void unmake(State& s, int move, const Undo& undo) {
    if (move == Up) {
        for (int i = s.size; i < undo.size; i++) s.hand[undo.seat] ^= 1ull << s.pile[i];
    } else {
        s.hand[undo.seat] ^= 1ull << move;
        s.pile[undo.size] = undo.under;
    }
    s.seat = undo.seat; s.phase = undo.phase; s.size = undo.size; s.key = undo.key;
}

int worth(int seat, u64 hand) {
    int total = size_worth[__builtin_popcountll(hand)];
    int mask = (1 << ranks) - 1;
    for (int suit = 0; suit < 4; suit++)
        total += suit_worth[((seat * 4 + suit) << ranks) + (hand >> (suit * 13 + lowest_rank) & mask)];
    return total;
}

int card_worth(int seat, int card) {
    return suit_worth[((seat * 4 + card / 13) << ranks) + (1 << (card % 13 - lowest_rank))];
}

int evaluate(const State& s) {
    int total = worth(s.seat, s.hand[s.seat]) - worth(1 - s.seat, s.hand[1 - s.seat]);
    if (s.phase == Beat) total += phase_worth[2 + std::min(4, __builtin_popcountll(beating(s)))];
    else total += phase_worth[s.phase == Add];
    return std::clamp(total, -12000, 12000);
}

int end_value(const State& s) {
    u64 hand = s.hand[s.seat];
    return !(hand & (hand - 1)) && beating(s) ? 0 : -1;
}

struct Entry { u64 key; std::int16_t value; std::uint8_t depth, bound, move; };
enum Bound { None, Exact, Lower, Upper };

std::vector<Entry> table;
std::vector<u64> path;
u64 nodes, most_nodes;
bool stopped;

int search(State& s, int depth, int alpha, int beta, int ply, int turn, int& rests) {
    rests = Nowhere;
    if (++nodes >= most_nodes) stopped = true;
    if (stopped) return 0;
    if (over(s)) return (Win - turn) * end_value(s);
    if (s.phase != Add)
        for (int at = ply - 1; at >= 0; at--)
            if (path[at] == s.key) { rests = at; return 0; }
    u64 moves = legal(s);
    bool forced = moves == 1ull << Up && ply < DeepestPly;
    if (!forced && (depth <= 0 || ply >= DeepestPly)) return evaluate(s);
    Entry& entry = table[s.key & (table.size() - 1)];
    int first = 63;
    if (!forced && entry.key == s.key) {
        first = entry.move;
        int value = entry.value > Sure ? entry.value - turn : entry.value < -Sure ? entry.value + turn : entry.value;
        bool proof = (value > Sure && entry.bound != Upper) || (value < -Sure && entry.bound != Lower);
        if ((entry.depth >= depth || proof) && (entry.bound == Exact || (entry.bound == Lower && value >= beta) ||
                                                (entry.bound == Upper && value <= alpha)))
            return value;
    }
    struct Scored { int score, move; } list[54];
    int count = 0;
    u64 other = s.hand[1 - s.seat];
    for (u64 left = moves; left; left &= left - 1) {
        int move = __builtin_ctzll(left), score = 0;
        if (move == first) score = 1 << 30;
        else if (move == Up) score = -4000;
        else {
            score = -2 * card_worth(s.seat, move);
            if (s.phase != Beat) {
                int able = __builtin_popcountll(other & beats[s.trump[1 - s.seat]][move]);
                score += able ? -1200 * able : 2500;
            }
        }
        list[count++] = {score, move};
    }
    int best = -Infinite, best_move = 63, floor = alpha, lowest = Nowhere;
    path[ply] = s.key;
    for (int i = 0; i < count; i++) {
        std::swap(list[i], *std::max_element(list + i, list + count, [](auto& a, auto& b) { return a.score < b.score; }));
        int move = list[i].move, seat = s.seat, rested;
        Undo undo = make(s, move);
        bool adds = s.phase == Add;
        int below = adds ? depth : std::max(0, depth - 1);
        int value = s.seat == seat ? search(s, below, alpha, beta, ply + 1, turn + !adds, rested)
                                   : -search(s, below, -beta, -alpha, ply + 1, turn + !adds, rested);
        unmake(s, move, undo);
        if (stopped) return 0;
        lowest = std::min(lowest, rested);
        if (value > best) { best = value; best_move = move; }
        if (value > alpha) alpha = value;
        if (alpha >= beta) { lowest = rested; break; }
    }
    if (lowest < ply) rests = lowest;
    if (!forced) {
        int bound = best >= beta ? Lower : best > floor ? Exact : Upper;
        if (rests != Nowhere && best >= -Sure && best <= Sure) bound = None;
        int kept = best > Sure ? best + turn : best < -Sure ? best - turn : best;
        entry = {s.key, std::int16_t(kept), std::uint8_t(std::max(0, depth)), std::uint8_t(bound), std::uint8_t(best_move)};
    }
    return best;
}

u64 perft(State& s, int depth) {
    if (!depth) return 1;
    u64 total = 0;
    if (over(s)) return 0;
    for (u64 left = legal(s); left; left &= left - 1) {
        int move = __builtin_ctzll(left);
        Undo undo = make(s, move);
        total += perft(s, depth - 1);
        unmake(s, move, undo);
    }
    return total;
}

int main(int argc, char** argv) {
    prepare();
    bool counts = std::string(argv[1]) == "perft";
    most_nodes = std::strtoull(argv[counts ? 2 : 1], nullptr, 10);
    std::cin >> flags >> lowest_rank >> ranks;
    for (int& one : phase_worth) std::cin >> one;
    for (int& one : size_worth) std::cin >> one;
    suit_worth.resize(8 << ranks);
    for (int& one : suit_worth) std::cin >> one;
    std::size_t entries = 1024;
    while (!counts && argc > 2 && entries * 2 * sizeof(Entry) <= std::strtoull(argv[2], nullptr, 10) << 20) entries *= 2;
    table.resize(entries);
    path.resize(DeepestPly + 64);
    for (int more; std::cin >> more && more;) {
        State s{};
        std::cin >> s.hand[0] >> s.hand[1] >> s.trump[0] >> s.trump[1] >> s.seat >> s.phase >> s.size;
        for (int i = 0; i < s.size; i++) std::cin >> s.pile[i];
        std::fill(table.begin(), table.end(), Entry{});
        nodes = 0;
        stopped = false;
        auto started = std::chrono::steady_clock::now();
        int depth = 0;
        long long value = 0;
        if (counts) value = perft(s, int(most_nodes));
        for (int next = 1; !counts && next <= 60 && !stopped; next++) {
            int rests;
            int found = search(s, next, -Infinite, Infinite, 0, 0, rests);
            if (stopped) break;
            depth = next;
            value = found;
            if (std::abs(found) > Sure) break;
        }
        std::chrono::duration<double> took = std::chrono::steady_clock::now() - started;
        std::cout << nodes << ' ' << took.count() << ' ' << depth << ' ' << value << std::endl;
    }
}
