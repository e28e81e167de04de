package io.leeway.lazytables.internal.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.leeway.lazytables.LazyTablesException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ChildrenTest {

    private final Children children = new Children();

    @Test
    void aProcessThatIsBeingStartedWhenAllAreEndedEndsToo() throws Exception {
        var ending = new Thread(children::end, "ending");
        var ended = new CompletableFuture<Integer>();

        Child child = children.start(() -> {
            ending.start();
            // It waits for this one, or has already gone past it.
            await().atMost(Duration.ofSeconds(30))
                    .until(() -> EnumSet.of(Thread.State.BLOCKED, Thread.State.TERMINATED)
                            .contains(ending.getState()));
            return sleeping();
        });
        child.onEnd(ended::complete);
        try {
            assertThat(ended.get(30, TimeUnit.SECONDS)).isEqualTo(143);
        } finally {
            child.tellToEnd();
        }
    }

    @Test
    void noProcessIsStartedWhenAllWereEnded() {
        children.end();

        assertThatThrownBy(() -> children.start(ChildrenTest::sleeping))
                .isInstanceOf(LazyTablesException.class)
                .hasMessageContaining("all were told to end");
    }

    private static Child sleeping() {
        return Child.start("sleep", List.of("sleep", "600"), Map.of(), line -> {}, CommandLine.LISTENING);
    }
}
