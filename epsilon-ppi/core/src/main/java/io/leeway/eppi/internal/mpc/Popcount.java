package io.leeway.eppi.internal.mpc;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Counts ones by carry-save additions: three vectors of one weight become one of that weight and one of the double, with
 * an AND for each place. Until every weight has one vector left.
 */
final class Popcount {

    private final int unit;
    private final List<@Nullable Wire> levels = new ArrayList<>();
    private final List<Step> steps = new ArrayList<>();

    private record Step(
            int level,
            Wire sum,
            @Nullable Wire carryBase,
            @Nullable Wire rest) {}

    /**
     * A count.
     *
     * @param vectors one behind the other
     * @param unit words of one vector
     */
    Popcount(Wire vectors, int unit) {
        this.unit = unit;
        levels.add(vectors);
    }

    boolean isDone() {
        return levels.stream().allMatch(level -> level == null || level.words() <= unit);
    }

    /** What one round multiplies. */
    void plan(List<Wire> left, List<Wire> right) {
        steps.clear();
        for (int i = 0; i < levels.size(); i++) {
            Wire level = levels.get(i);
            if (level != null && level.words() > unit) {
                plan(i, level, left, right);
            }
        }
    }

    private void plan(int index, Wire level, List<Wire> left, List<Wire> right) {
        int vectors = level.words() / unit;
        int third = Math.max(1, vectors / 3) * unit;
        Wire a = level.slice(0, third);
        Wire b = level.slice(third, 2 * third);
        if (vectors == 2) {
            left.add(a);
            right.add(b);
            steps.add(new Step(index, a.xor(b), null, null));
            return;
        }
        Wire c = level.slice(2 * third, 3 * third);
        left.add(a.xor(c));
        right.add(b.xor(c));
        Wire rest = 3 * third == level.words() ? null : level.slice(3 * third, level.words());
        steps.add(new Step(index, a.xor(b).xor(c), c, rest));
    }

    /** Takes what one round multiplied. */
    void take(Iterator<Wire> products) {
        var carries = new ArrayList<Wire>();
        for (Step step : steps) {
            Wire product = products.next();
            carries.add(step.carryBase == null ? product : product.xor(step.carryBase));
            levels.set(step.level, step.rest == null ? step.sum : Wire.concat(List.of(step.sum, step.rest)));
        }
        for (int i = 0; i < carries.size(); i++) {
            add(steps.get(i).level + 1, carries.get(i));
        }
    }

    private void add(int level, Wire carry) {
        if (level == levels.size()) {
            levels.add(carry);
            return;
        }
        Wire old = levels.get(level);
        levels.set(level, old == null ? carry : Wire.concat(List.of(old, carry)));
    }

    int bits() {
        return levels.size();
    }

    /** A bit of the number of ones; zeros above the highest. */
    Wire bit(int index, Wire zero) {
        Wire level = index < levels.size() ? levels.get(index) : null;
        return level == null ? zero : level;
    }

    /** Runs several counts to their end, in the same rounds. */
    static void run(Engine engine, List<Popcount> counts) {
        while (!counts.stream().allMatch(Popcount::isDone)) {
            var left = new ArrayList<Wire>();
            var right = new ArrayList<Wire>();
            counts.forEach(count -> count.plan(left, right));
            Iterator<Wire> products = engine.and(left, right).iterator();
            counts.forEach(count -> count.take(products));
        }
    }
}
