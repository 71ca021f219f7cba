// What a search costs when it is written by hand for one game and one algorithm: mold(actions, depth) with Exp3, one thread.
// The same rules, formulas and random numbers as the package, so that it grows the same tree; nothing else.
// Built by bench_compiled.py: g++ -O3 -march=native -shared -fPIC.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace {

// The Mersenne Twister, from a given state: doubles of 53 bits, as Python and numpy draw them.
struct Random {
    uint32_t key[624];
    int pos;

    uint32_t word() {
        if (pos >= 624) twist();
        uint32_t y = key[pos++];
        y ^= y >> 11;
        y ^= (y << 7) & 0x9d2c5680u;
        y ^= (y << 15) & 0xefc60000u;
        return y ^ (y >> 18);
    }
    void twist() {
        for (int k = 0; k < 624; ++k) {
            uint32_t y = (key[k] & 0x80000000u) | (key[(k + 1) % 624] & 0x7fffffffu);
            key[k] = key[(k + 397) % 624] ^ (y >> 1) ^ ((y & 1u) ? 0x9908b0dfu : 0u);
        }
        pos = 0;
    }
    double next() {
        uint32_t a = word() >> 5, b = word() >> 6;
        return (a * 67108864.0 + b) / 9007199254740992.0;
    }
};

struct State {
    int64_t actions, left;
    double result;
    bool same(const State& other) const { return left == other.left && result == other.result; }
};

struct Node {
    Node* next;
    int64_t visits;
    double row_value, col_value;
    State state;
    // followed by kids[actions * actions], row_gains, row_sums, col_gains, col_sums
    Node** kids() { return reinterpret_cast<Node**>(this + 1); }
    double* numbers(int k) {
        return reinterpret_cast<double*>(kids() + state.actions * state.actions) + k * state.actions;
    }
};

struct Arena {
    std::vector<char*> chunks;
    size_t used = 0, size = 0;
    char* take(size_t bytes) {
        if (used + bytes > size) {
            size = chunks.empty() ? (1u << 20) : size * 2;
            chunks.push_back(static_cast<char*>(std::calloc(size, 1)));
            used = 0;
        }
        char* place = chunks.back() + used;
        used += bytes;
        return place;
    }
    ~Arena() { for (char* chunk : chunks) std::free(chunk); }
};

Node* make(Arena& arena, const State& state) {
    size_t n = state.left > 0 ? state.actions : 0;
    Node* node = reinterpret_cast<Node*>(arena.take(sizeof(Node) + (n * n + 4 * n) * 8));
    node->state = state;
    return node;
}

State play(const State& state, Random& random) {
    if (state.left > 1) return {state.actions, state.left - 1, 0.5};
    return {state.actions, 0, random.next() < 0.5 ? 1.0 : 0.0};
}

double rollout(State state, Random& random) {
    while (state.left > 0) {
        if (state.actions > 1) { random.next(); random.next(); }
        state = play(state, random);
    }
    return state.result;
}

struct Choice { int64_t k; double probability; };

Choice choose(const double* gains, double* sums, int64_t n, double gamma, Random& random) {
    double policy[64], eta = gamma / n, total = 0.0;
    for (int64_t k = 0; k < n; ++k) total += policy[k] = std::exp(eta * gains[k]);
    double scale = 1.0 / total, keep = 1.0 - gamma, u = random.next();
    Choice choice{-1, 1.0};
    for (int64_t k = 0; k < n; ++k) {
        double share = policy[k] * scale;
        sums[k] += share;
        if (choice.k < 0) {
            double mixed = keep * share + eta;
            u -= mixed;
            if (u < 0.0 || k == n - 1) choice = {k, mixed};
        }
    }
    return choice;
}

void credit(double* gains, int64_t n, int64_t k, double gain) {
    gains[k] += gain;
    double top = gains[k];
    if (top > 0.0) for (int64_t m = 0; m < n; ++m) gains[m] -= top;
}

double meant(double probability, int64_t n, double gamma) { return (1.0 - gamma / (n * probability)) / (1.0 - gamma); }

struct Step { Node* node; int64_t i, j; double p, q; };

}  // namespace

// Makes the playouts; writes visits, row_value and nodes. `key` is the state of the Mersenne Twister, `pos` its position.
extern "C" void mold_exp3(int64_t actions, int64_t depth, double gamma, int64_t iterations, const uint32_t* key, int pos,
                          double* answer) {
    Random random;
    std::memcpy(random.key, key, sizeof random.key);
    random.pos = pos;
    Arena arena;
    Node* root = make(arena, {actions, depth, 0.5});
    int64_t created = 1;
    std::vector<Step> path(depth + 1);
    for (int64_t done = 0; done < iterations; ++done) {
        Node* node = root;
        int64_t steps = 0;
        double value = 0.0;
        bool fresh = false;
        while (node->state.left > 0) {
            ++node->visits;
            Choice row = choose(node->numbers(0), node->numbers(1), actions, gamma, random);
            Choice col = choose(node->numbers(2), node->numbers(3), actions, gamma, random);
            path[steps++] = {node, row.k, col.k, row.probability, col.probability};
            State state = play(node->state, random);
            Node** slot = node->kids() + row.k * actions + col.k;
            Node* child = *slot;
            while (child && !child->state.same(state)) child = child->next;
            if (!child) {
                child = make(arena, state);
                value = state.left > 0 ? rollout(state, random) : state.result;
                child->visits = 1;
                child->row_value = value;
                child->col_value = 1.0 - value;
                child->next = *slot;
                *slot = child;
                ++created;
                fresh = true;
                break;
            }
            node = child;
        }
        if (!fresh) {
            value = node->state.result;
            ++node->visits;
            node->row_value += value;
            node->col_value += 1.0 - value;
        }
        for (int64_t k = steps - 1; k >= 0; --k) {
            Step& step = path[k];
            step.node->row_value += value;
            step.node->col_value += 1.0 - value;
            credit(step.node->numbers(0), actions, step.i, meant(step.q, actions, gamma) * value / step.p);
            credit(step.node->numbers(2), actions, step.j, meant(step.p, actions, gamma) * (1.0 - value) / step.q);
        }
    }
    answer[0] = root->visits;
    answer[1] = root->row_value;
    answer[2] = created;
    for (int64_t k = 0; k < actions; ++k) answer[3 + k] = root->numbers(1)[k];
}
