package io.leeway.privoxy.internal.fuzz.oracle;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Decisions of a grammar: drawn, or made once more. The grammars give the simplest option the number 0, so that a finding
 * becomes smaller when decisions are left out or become 0, see {@link #shrunk}.
 */
final class Choices {

    private final @Nullable RandomGenerator random;
    private final List<Integer> given;
    private final List<Integer> made = new ArrayList<>();

    private Choices(@Nullable RandomGenerator random, List<Integer> given) {
        this.random = random;
        this.given = given;
    }

    static Choices drawn(RandomGenerator random) {
        return new Choices(random, List.of());
    }

    /** Those of before; where they end, the simplest. */
    static Choices again(List<Integer> made) {
        return new Choices(null, made);
    }

    /** From 0 to one less than the bound. */
    int below(int bound) {
        int next;
        if (random != null) {
            next = random.nextInt(bound);
        } else {
            next = made.size() < given.size() ? given.get(made.size()) % bound : 0;
        }
        made.add(next);
        return next;
    }

    /** Once in so many times; never is the simplest. */
    boolean onceIn(int times) {
        return below(times) == times - 1;
    }

    /** The first is the simplest. */
    @SafeVarargs
    final <T> T pick(T... options) {
        return options[below(options.length)];
    }

    <T> T pick(List<T> options) {
        return options.get(below(options.size()));
    }

    List<Integer> made() {
        return List.copyOf(made);
    }

    /** Fewer and smaller decisions with which something still goes wrong. */
    static List<Integer> shrunk(List<Integer> made, Predicate<List<Integer>> isStillWrong, int tries) {
        var shrinking = new Shrinking(made, isStillWrong, tries);
        do {
            shrinking.isBetter = false;
            for (int length = 16; length > 0; length /= 2) {
                shrinking.leaveOut(length);
            }
            shrinking.lower();
        } while (shrinking.isBetter && shrinking.left > 0);
        return shrinking.best;
    }

    private static final class Shrinking {
        private final Predicate<List<Integer>> isStillWrong;
        private List<Integer> best;
        private int left;
        private boolean isBetter;

        Shrinking(List<Integer> made, Predicate<List<Integer>> isStillWrong, int tries) {
            this.best = List.copyOf(made);
            this.isStillWrong = isStillWrong;
            this.left = tries;
        }

        void leaveOut(int length) {
            for (int from = best.size() - length; from >= 0 && left > 0; from -= length) {
                // What was taken may have shortened it by more.
                if (from + length <= best.size()) {
                    var without = new ArrayList<>(best);
                    without.subList(from, from + length).clear();
                    take(without);
                }
            }
        }

        void lower() {
            for (int i = 0; i < best.size() && left > 0; i++) {
                if (best.get(i) != 0 && !takeAt(i, 0) && best.get(i) > 1) {
                    takeAt(i, best.get(i) - 1);
                }
            }
        }

        private boolean takeAt(int position, int value) {
            var other = new ArrayList<>(best);
            other.set(position, value);
            return take(other);
        }

        private boolean take(List<Integer> other) {
            left--;
            if (!isStillWrong.test(other)) {
                return false;
            }
            best = List.copyOf(other);
            isBetter = true;
            return true;
        }
    }
}
