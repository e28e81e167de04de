package io.leeway.netsim.internal.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.testkit.Depth;
import io.leeway.testkit.Seeds;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class EventQueueTest {

    private record Entry(long time, int order) {}

    @Test
    void givesEventsByTimeAndThenByAge() {
        RandomGenerator random = Seeds.random("queue");
        EventQueue queue = new EventQueue();
        PriorityQueue<Entry> model =
                new PriorityQueue<>(Comparator.comparingLong(Entry::time).thenComparingInt(Entry::order));
        int order = 0;
        for (int i = 0; i < Depth.of(100_000, 5_000_000); i++) {
            if (model.isEmpty() || random.nextInt(100) < 55) {
                // Few different times, so that ties are common.
                long time = queue.now() + random.nextInt(50);
                queue.add(time, order & 15, order & 0xFFF_FFFF, -order);
                model.add(new Entry(time, order));
                order++;
            } else {
                Entry expected = model.remove();
                assertThat(queue.poll()).isTrue();
                assertThat(queue.now()).isEqualTo(expected.time());
                assertThat(queue.b()).isEqualTo(-expected.order());
                assertThat(queue.a()).isEqualTo(expected.order());
                assertThat(queue.kind()).isEqualTo(expected.order() & 15);
            }
        }
        assertThat(queue.size()).isEqualTo(model.size());
    }

    @Test
    void refusesThePast() {
        EventQueue queue = new EventQueue();
        queue.add(5, 0, 0, 0);
        queue.poll();

        assertThatThrownBy(() -> queue.add(4, 0, 0, 0)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void randomNumbersAreAsWideAsTheyShould() {
        Rng rng = new Rng(Seeds.seed("wide"));
        Samples exponential = new Samples();
        Samples gaussian = new Samples();
        for (int i = 0; i < 100_000; i++) {
            exponential.add(rng.nextExponential());
            gaussian.add(rng.nextGaussian());
        }
        assertThat(exponential.mean()).isBetween(0.97, 1.03);
        assertThat(exponential.quantile(0.5)).isBetween(0.66, 0.73);
        assertThat(gaussian.mean()).isBetween(-0.03, 0.03);
        assertThat(gaussian.quantile(0.975)).isBetween(1.9, 2.02);
    }
}
