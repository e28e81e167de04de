package io.leeway.pipelining.internal.optimise;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.leeway.testkit.Depth;
import io.leeway.testkit.Seeds;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class OptimiserTest {

    /** AutoPipelining §4.3, Figure 21. */
    private static final Loads EXAMPLE = new Loads(List.of(
            Loads.Row.of(0.90, Map.of(1, 0.15, 3, 0.50, 4, 0.20)),
            Loads.Row.of(1.00, Map.of(3, 0.50, 4, 0.20)),
            Loads.Row.of(0.90, Map.of(6, 0.30, 4, 0.15, 10, 0.05)),
            Loads.Row.of(0.95, Map.of(8, 0.60, 9, 0.30, 10, 0.20))));

    private static final List<Search> SEARCHES =
            List.of(Search.BASIC, Search.PRUNED, Search.SORTED, Search.DEFAULT.within(Long.MAX_VALUE));

    @Test
    void solvesTheExampleOfThePaper() {
        for (Search search : SEARCHES) {
            Solution solution = Optimiser.optimise(EXAMPLE, 0.8, Set.of(), search);

            assertThat(solution.choices()).isEqualTo(Map.of(0, 4, 1, 4, 2, 4, 3, 8));
            assertThat(solution.utility()).isCloseTo(0.8, within(1e-9));
            assertThat(solution.utility(8)).isCloseTo(0.6, within(1e-9));
            assertThat(solution.complete()).isTrue();
        }
    }

    @Test
    void looksAtAsManyNodesAsThePaperDoes() {
        Solution basic = Optimiser.optimise(EXAMPLE, 0.8, Set.of(), Search.BASIC);

        assertThat(basic.nodes()).isEqualTo(9);
        assertThat(basic.leaves()).isEqualTo(5);
        assertThat(Optimiser.optimise(EXAMPLE, 0.8, Set.of(), Search.PRUNED).nodes())
                .isEqualTo(5);
        assertThat(Optimiser.optimise(EXAMPLE, 0.8, Set.of(), Search.SORTED).nodes())
                .isEqualTo(3);
    }

    @Test
    void computesTheUtilitiesOfTheExample() {
        Map<Integer, Double> utilities = EXAMPLE.utilities();

        var expected = Map.of(1, 0.75, 3, 1.0, 4, 0.8, 6, 0.6, 8, 0.6, 9, 0.65, 10, 0.85);
        expected.forEach((port, utility) ->
                assertThat(utilities.get(port)).as("o%d", port).isCloseTo(utility, within(1e-9)));
        assertThat(utilities).hasSameSizeAs(expected);
    }

    @Test
    void leavesThreadsAloneThatAreNotBusyEnough() {
        Solution solution = Optimiser.optimise(EXAMPLE, 0.92, Set.of(), Search.BASIC);

        assertThat(solution.choices().keySet()).isSubsetOf(1, 3);
    }

    @Test
    void neverChoosesWhatIsExcluded() {
        for (Search search : SEARCHES) {
            assertThat(Optimiser.optimise(EXAMPLE, 0.8, Set.of(4, 8), search).ports())
                    .doesNotContain(4, 8);
        }
    }

    @Test
    void countsTheCostOfHandingOver() {
        var cheap = Loads.Row.of(1.0, Map.of(1, 0.5));
        var dear = new Loads.Row(1.0, Map.of(1, 0.5), Map.of(1, 0.6));

        assertThat(Optimiser.optimise(new Loads(List.of(cheap)), 0.8, Set.of(), Search.DEFAULT)
                        .ports())
                .containsExactly(1);
        assertThat(Optimiser.optimise(new Loads(List.of(dear)), 0.8, Set.of(), Search.DEFAULT)
                        .ports())
                .as("each side would be busier than the one thread is")
                .isEmpty();
    }

    @Test
    void agreesWithBruteForceOnEveryIncidenceOfThreadsAndUpToEightOperators() {
        var random = Seeds.random("optimiser");
        int threads = Depth.of(3, 4);
        long shapes = 0;
        for (int operators = 1; operators <= 8; operators++) {
            int[] owners = new int[operators];
            Arrays.fill(owners, 1);
            do {
                shapes++;
                check(loads(owners, threads, random));
            } while (next(owners, (1 << threads) - 1));
        }
        // Multisets of up to 8 owners' sets: each shape once, whatever the operators are called.
        assertThat(shapes).isEqualTo(threads == 3 ? 6_434 : 490_313);
    }

    /** The next multiset in order, as a non-descending array; false after the last. */
    private static boolean next(int[] owners, int most) {
        int place = owners.length - 1;
        while (place >= 0 && owners[place] == most) {
            place--;
        }
        if (place < 0) {
            return false;
        }
        Arrays.fill(owners, place, owners.length, owners[place] + 1);
        return true;
    }

    private static Loads loads(int[] owners, int threads, RandomGenerator random) {
        var rows = new ArrayList<Loads.Row>();
        for (int thread = 0; thread < threads; thread++) {
            double total = 0.7 + 0.3 * random.nextDouble();
            var ports = new TreeMap<Integer, Double>();
            for (int operator = 0; operator < owners.length; operator++) {
                if ((owners[operator] >> thread & 1) == 1) {
                    // On a grid, so that ties come.
                    ports.put(operator, total * (1 + random.nextInt(10)) / 10);
                }
            }
            rows.add(Loads.Row.of(total, ports));
        }
        return new Loads(rows);
    }

    private static void check(Loads loads) {
        double expected = bruteForce(loads);
        for (Search search : SEARCHES) {
            Solution found = Optimiser.optimise(loads, 0.8, Set.of(), search);
            assertThat(found.utility()).as("%s %s", search, loads).isCloseTo(expected, within(1e-9));
            assertOnePerThread(loads, found);
        }
    }

    private static void assertOnePerThread(Loads loads, Solution found) {
        found.choices().keySet().forEach(thread -> {
            var inPath = new TreeSet<>(found.ports());
            inPath.retainAll(loads.threads().get(thread).ports().keySet());
            assertThat(inPath).as("new threads in the path of one").hasSize(1);
        });
    }

    /** The largest over all groups of the smallest U(C) over all sets with exactly one port in each busy thread's path. */
    private static double bruteForce(Loads loads) {
        double worst = 0;
        for (List<Integer> group : groups(loads)) {
            double best = Double.POSITIVE_INFINITY;
            for (int set = 1; set < 256; set++) {
                best = Math.min(best, value(loads, group, set));
            }
            double limit = group.stream()
                    .mapToDouble(thread -> loads.threads().get(thread).total())
                    .max()
                    .orElse(0);
            if (best < limit - 1e-9 && best < 1) {
                worst = Math.max(worst, best);
            }
        }
        return worst;
    }

    private static double value(Loads loads, List<Integer> group, int set) {
        double largest = 0;
        int used = 0;
        for (int thread : group) {
            int chosen = -1;
            for (int port : loads.threads().get(thread).ports().keySet()) {
                if ((set >> port & 1) == 1) {
                    if (chosen >= 0) {
                        return Double.POSITIVE_INFINITY;
                    }
                    chosen = port;
                }
            }
            if (chosen < 0) {
                return Double.POSITIVE_INFINITY;
            }
            used |= 1 << chosen;
            largest = Math.max(largest, utility(loads, chosen));
        }
        return used == set ? largest : Double.POSITIVE_INFINITY;
    }

    private static double utility(Loads loads, int port) {
        double moved = 0;
        double left = 0;
        for (Loads.Row row : loads.threads()) {
            if (row.ports().containsKey(port)) {
                moved += row.ports().get(port);
                left = Math.max(left, row.total() - row.ports().get(port));
            }
        }
        return Math.max(moved, left);
    }

    private static List<List<Integer>> groups(Loads loads) {
        var groups = new ArrayList<List<Integer>>();
        var ports = new ArrayList<Set<Integer>>();
        for (int thread = 0; thread < loads.threads().size(); thread++) {
            Loads.Row row = loads.threads().get(thread);
            if (row.total() < 0.8) {
                continue;
            }
            var members = new ArrayList<>(List.of(thread));
            Set<Integer> all = new TreeSet<>(row.ports().keySet());
            for (int other = groups.size() - 1; other >= 0; other--) {
                if (ports.get(other).stream().anyMatch(all::contains)) {
                    members.addAll(groups.remove(other));
                    all.addAll(ports.remove(other));
                }
            }
            groups.add(members);
            ports.add(all);
        }
        return groups;
    }

    @Test
    void endsAtItsLimitOfNodesWithTheBestSoFar() {
        Loads loads = reverseTree(64);

        Solution cut = Optimiser.optimise(loads, 0.5, Set.of(), Search.BASIC.within(50));

        assertThat(cut.nodes()).isEqualTo(50);
        assertThat(cut.complete()).isFalse();
    }

    @Test
    void repeatsItself() {
        Loads loads = reverseTree(32);

        assertThat(Optimiser.optimise(loads, 0.5, Set.of(), Search.SORTED))
                .isEqualTo(Optimiser.optimise(loads, 0.5, Set.of(), Search.SORTED));
    }

    /** AutoPipelining §4.8.3: each leaf starts a thread whose path leads to the root; here with equal shares. */
    static Loads reverseTree(int leaves) {
        var rows = new ArrayList<Loads.Row>();
        int depth = Integer.numberOfTrailingZeros(leaves);
        for (int leaf = leaves; leaf < 2 * leaves; leaf++) {
            var ports = new TreeMap<Integer, Double>();
            int level = depth;
            for (int node = leaf / 2; node >= 1; node /= 2) {
                ports.put(node, 0.9 * level / (depth + 1));
                level--;
            }
            rows.add(Loads.Row.of(0.9, ports));
        }
        return new Loads(rows);
    }
}
