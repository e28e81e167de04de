package io.leeway.benchmarks.autotune;

import io.leeway.autotune.KnobValue;
import io.leeway.autotune.Setting;
import io.leeway.autotune.lab.Parameter;
import io.leeway.autotune.lab.Space;
import java.util.List;
import java.util.Random;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/** Functions to search, each with its optimum at another place for every seed. {@code functions.py} has the same ones. */
@SuppressWarnings("ImmutableEnumChecker") // A Space is immutable.
enum Functions {
    BRANIN("Branin", cube(2), 1.0, 0.397887),
    HARTMANN("Hartmann-6", cube(6), 0.1, -3.32237),
    ACKLEY("Ackley-10", cube(10), 0.3, 0),
    SERVICE("service model", service(), 0.02, 0);

    private static final double[] ALPHA = {1, 1.2, 3, 3.2};
    private static final double[][] A = {
        {10, 3, 17, 3.5, 1.7, 8}, {0.05, 10, 17, 0.1, 8, 14}, {3, 3.5, 1.7, 10, 17, 8}, {17, 8, 0.05, 10, 0.1, 14}
    };
    private static final double[][] P = {
        {.1312, .1696, .5569, .0124, .8283, .5886},
        {.2329, .4135, .8307, .3736, .1004, .9991},
        {.2348, .1451, .3522, .2883, .3047, .6650},
        {.4047, .8828, .8732, .5743, .1091, .0381}
    };

    private final String title;
    private final Space space;
    private final double noise;
    private final double optimum;

    Functions(String title, Space space, double noise, double optimum) {
        this.title = title;
        this.space = space;
        this.noise = noise;
        this.optimum = optimum;
    }

    private static Space cube(int n) {
        return Space.of(
                IntStream.range(0, n)
                        .mapToObj(i -> Parameter.real("x" + i, 0, 1, 0.5))
                        .toList(),
                List.of());
    }

    /** Seven parameters of a service: whole numbers, a word, an ordered word, shares. */
    private static Space service() {
        return Space.of(
                Parameter.integer("threads", 1, 256, 4),
                Parameter.integer("pool", 1, 64, 2),
                Parameter.integer("queue", 1, 1024, 1024),
                Parameter.categorical("collector", List.of("serial", "parallel", "g1", "zgc"), "serial"),
                Parameter.real("cpu", 0.25, 4, 0.5),
                Parameter.ordered("memory", List.of("256", "512", "1024", "2048", "4096"), "256"),
                Parameter.real("timeout", 0.05, 5, 5));
    }

    String title() {
        return title;
    }

    Space space() {
        return space;
    }

    double noise() {
        return noise;
    }

    /** The value of a configuration, less that of the best. */
    ToDoubleFunction<Setting> regret(long seed) {
        return setting -> value(setting, seed) - optimum;
    }

    private double value(Setting setting, long seed) {
        if (this == SERVICE) {
            return serviceCost(setting, seed);
        }
        double[] x = IntStream.range(0, space.size())
                .mapToDouble(i -> setting.get("x" + i).number() + 0.2 * (shift(seed, i) - 0.5))
                .toArray();
        return switch (this) {
            case BRANIN -> branin(x);
            case HARTMANN -> hartmann(x);
            default -> ackley(x, seed);
        };
    }

    /** In [0, 1): integers only, so that every language has the same. */
    static double shift(long seed, int i) {
        return (seed * 7_919 + i * 104_729L + seed * i * 31) % 1_000 / 1_000.0;
    }

    private static double branin(double[] u) {
        double x = 15 * u[0] - 5;
        double y = 15 * u[1];
        double a = y - 5.1 / (4 * Math.PI * Math.PI) * x * x + 5 / Math.PI * x - 6;
        return a * a + 10 * (1 - 1 / (8 * Math.PI)) * Math.cos(x) + 10;
    }

    private static double hartmann(double[] x) {
        double sum = 0;
        for (int i = 0; i < 4; i++) {
            double inner = 0;
            for (int j = 0; j < 6; j++) {
                inner += A[i][j] * (x[j] - P[i][j]) * (x[j] - P[i][j]);
            }
            sum -= ALPHA[i] * Math.exp(-inner);
        }
        return sum;
    }

    private static double ackley(double[] u, long seed) {
        double squares = 0;
        double cosines = 0;
        for (int i = 0; i < u.length; i++) {
            double z = 65.536 * (u[i] - 0.2 * (shift(seed, i) - 0.5) - 0.25 - 0.5 * shift(seed, i + 50));
            squares += z * z;
            cosines += Math.cos(2 * Math.PI * z);
        }
        return -20 * Math.exp(-0.2 * Math.sqrt(squares / u.length)) - Math.exp(cosines / u.length) + 20 + Math.E;
    }

    /** Threads, pool and queue want to fit the CPU; words cost by themselves; too little of anything is a cliff. */
    private static double serviceCost(Setting setting, long seed) {
        double cpu = setting.get("cpu").number();
        double bestCpu = 1.5 + 2 * shift(seed, 1);
        double bestPool = 6 + 30 * shift(seed, 2);
        double threads = Math.log(setting.get("threads").number() / (16 * cpu)) / Math.log(2);
        double pool = Math.log(setting.get("pool").number() / bestPool) / Math.log(2);
        double queue = Math.log(setting.get("queue").number() / 64) / Math.log(2);
        double collector = List.of(0.6, 0.25, 0.0, 0.1)
                .get(List.of("serial", "parallel", "g1", "zgc")
                        .indexOf(setting.get("collector").toString()));
        double memory = Math.log(Double.parseDouble(word(setting)) / 1024) / Math.log(2);
        double timeout = setting.get("timeout").number() - 0.5 - 2 * shift(seed, 3);
        double cost = 0.08 * threads * threads
                + 0.1 * pool * pool
                + 0.01 * queue * queue
                + collector * (memory < 0 ? 2 : 1)
                + 0.05 * memory * memory
                + 0.3 * (cpu - bestCpu) * (cpu - bestCpu)
                + 0.04 * timeout * timeout;
        // Work that does not fit waits for ever.
        double overload =
                Math.max(0, 3 / Math.max(0.25, cpu) / setting.get("threads").number() - 0.5)
                        + Math.max(0, 3 / setting.get("pool").number() - 0.5);
        return cost + 20 * overload;
    }

    private static String word(Setting setting) {
        KnobValue value = setting.get("memory");
        return value.toString();
    }

    /** A noisy measurement. */
    double measured(Setting setting, long seed, Random random) {
        return regret(seed).applyAsDouble(setting) + noise * random.nextGaussian();
    }
}
