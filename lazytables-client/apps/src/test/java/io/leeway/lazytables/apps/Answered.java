package io.leeway.lazytables.apps;

import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * An application in which no worker begins the work of a clock before all have what they have asked for: how stale reads are that wait for nobody does not depend then on which threads the machine runs
 * first. What workers do in a clock has reached the servers when they begin the second one after it, since what they ask for then comes behind it.
 *
 * @param <R> what comes out
 */
public final class Answered<R> extends ForwardingApplication<R> {

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final CyclicBarrier barrier;

    /** With so many workers, none of which shares its instance with another one. */
    public Answered(Application<R> inner, int workers) {
        super(inner);
        barrier = new CyclicBarrier(workers);
    }

    @Override
    protected Part<R> part(Seat seat, Part<R> part) {
        return new ForwardingPart<>(part) {

            private int begun = -1;

            @Override
            public void work(int block) {
                if (begun != seat.worker().clocks()) {
                    begun = seat.worker().clocks();
                    await().pollDelay(Duration.ZERO)
                            .pollInterval(Duration.ofMillis(1))
                            .atMost(PATIENCE)
                            .until(() -> seat.statistics().waiting().askedRows() == 0);
                    meet();
                }
                super.work(block);
            }
        };
    }

    private void meet() {
        try {
            barrier.await(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        } catch (InterruptedException | BrokenBarrierException | TimeoutException e) {
            throw new IllegalStateException("a worker did not come", e);
        }
    }
}
