package io.leeway.benchmarks.lazytables;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** What threads took is told by Linux, in /proc. */
@EnabledOnOs(OS.LINUX)
class ThreadTimesTest {

    @Test
    void theCompilersOfThisProcessHaveTakenTime() {
        ThreadTimes compilers = ThreadTimes.of(ProcessHandle.current(), ThreadTimes.COMPILERS);

        assertThat(compilers.areSeen()).isTrue();
        assertThat(compilers.cpuNanos()).isPositive().isLessThan(CpuTime.own() + 1_000_000_000L);
    }

    @Test
    void onlyThreadsThatAreNamedAreCounted() throws Exception {
        var names = List.of("a-thread-with-a-name-that-is-cut-off");
        assertThat(ThreadTimes.of(ProcessHandle.current(), names).areSeen()).isFalse();
        var end = new CountDownLatch(1);
        var computed = new CountDownLatch(1);
        var thread = new Thread(
                () -> {
                    long cpu = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() + 50_000_000;
                    while (ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() < cpu) {
                        Thread.onSpinWait();
                    }
                    computed.countDown();
                    try {
                        end.await();
                    } catch (InterruptedException interrupted) {
                        Thread.currentThread().interrupt();
                    }
                },
                names.get(0) + "-1");
        thread.start();
        assertThat(computed.await(60, TimeUnit.SECONDS)).isTrue();

        ThreadTimes times = ThreadTimes.of(ProcessHandle.current(), names);
        long nanos = times.cpuNanos();
        end.countDown();
        thread.join();

        // What it did while it was on a core is told when it leaves it, and at each tick.
        assertThat(nanos).isGreaterThan(40_000_000);
        assertThat(times.cpuNanos()).isGreaterThanOrEqualTo(nanos);
    }
}
