package io.leeway.pipelining.internal.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.leeway.testkit.Seeds;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SamplesTest {

    @Test
    void countsAnOperatorForAllThatItCalls() {
        var stack = new ExecutionStack();
        var samples = new Samples();

        int outer = stack.enter(7);
        look(samples, stack);
        int inner = stack.enter(8);
        look(samples, stack);
        stack.leave(inner);
        look(samples, stack);
        stack.leave(outer);
        look(samples, stack);

        assertThat(samples.operators(stack)).isEqualTo(Map.of(7, 0.75, 8, 0.25));
        assertThat(samples.busy(stack)).isEqualTo(1.0);
    }

    @Test
    void countsAnOperatorOnceThatIsOnTheStackTwice() {
        var stack = new ExecutionStack();
        var samples = new Samples();
        stack.enter(7);
        stack.enter(8);
        stack.enter(7);

        look(samples, stack);

        assertThat(samples.operators(stack)).isEqualTo(Map.of(7, 1.0, 8, 1.0));
    }

    @Test
    void countsNothingWhileAThreadWaits() {
        var stack = new ExecutionStack();
        var samples = new Samples();
        stack.enter(7);
        stack.waiting(true);

        look(samples, stack);

        assertThat(samples.busy(stack)).isZero();
        assertThat(samples.operators(stack)).isEmpty();
    }

    @Test
    void survivesStacksThatAreDeeperThanItSees() {
        var stack = new ExecutionStack();
        for (int depth = 0; depth < 3 * ExecutionStack.DEEPEST; depth++) {
            stack.enter(depth);
        }
        var samples = new Samples();

        look(samples, stack);
        stack.leave(0);
        look(samples, stack);

        assertThat(samples.operators(stack)).hasSize(ExecutionStack.DEEPEST).containsEntry(0, 0.5);
    }

    /** In virtual time, so that no machine is slow: operators with known costs, looked at in random moments. */
    @Test
    void comesWithinFivePointsOfTheTrueShares() {
        var random = Seeds.random("profile");
        double[] costs = {0.1, 0.45, 0.15, 0.3};
        var stack = new ExecutionStack();
        var samples = new Samples();
        for (int sample = 0; sample < 2_000; sample++) {
            double at = random.nextDouble();
            int operator = 0;
            int depth = stack.enter(0);
            while (at > costs[operator] && operator < costs.length - 1) {
                at -= costs[operator];
                operator++;
                stack.enter(operator);
            }
            look(samples, stack);
            stack.leave(depth);
        }

        assertThat(samples.operators(stack).get(1)).isCloseTo(0.9, within(0.05));
        assertThat(samples.operators(stack).get(2)).isCloseTo(0.45, within(0.05));
        assertThat(samples.operators(stack).get(3)).isCloseTo(0.3, within(0.05));
    }

    private static void look(Samples samples, ExecutionStack stack) {
        samples.begin();
        samples.look(stack, true);
    }
}
