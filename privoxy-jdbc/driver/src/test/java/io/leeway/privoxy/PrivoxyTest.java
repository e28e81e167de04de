package io.leeway.privoxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PrivoxyTest {

    @AfterEach
    void nothingIsLeftBehind() {
        assertThat(Privoxy.current()).isEmpty();
    }

    @Test
    void aRequestLastsFromBeginToClose() {
        try (PrivoxyRequest request = Privoxy.begin(Map.of("MyUId", 2L))) {
            assertThat(request.isOpen()).isTrue();
            assertThat(request.parameters()).containsExactly("MyUId");
            assertThat(Privoxy.current()).isPresent();
        }
    }

    @Test
    void aRequestWithTheSameContextInsideIsPartOfIt() {
        try (PrivoxyRequest outer = Privoxy.begin(Map.of("MyUId", 2L))) {
            try (PrivoxyRequest inner = Privoxy.begin(Map.of("MyUId", 2))) {
                assertThat(inner.isOpen()).isTrue();
            }
            assertThat(outer.isOpen()).isTrue();
            assertThat(Privoxy.current()).isPresent();
        }
    }

    @Test
    void aRequestWithAnotherContextHidesTheOuterOneUntilItIsClosed() {
        try (PrivoxyRequest outer = Privoxy.begin(Map.of("MyUId", 2))) {
            try (PrivoxyRequest inner = Privoxy.begin(Map.of("Job", "nightly"))) {
                assertThat(inner.isOpen()).isTrue();
                assertThat(current()).containsExactly("Job");
            }
            assertThat(outer.isOpen()).isTrue();
            assertThat(current()).containsExactly("MyUId");
        }
    }

    @Test
    void closingTheOuterLeavesNoForgottenInnerOne() {
        PrivoxyRequest outer = Privoxy.begin(Map.of("MyUId", 2));
        PrivoxyRequest forgotten = Privoxy.begin(Map.of("MyUId", 3));

        outer.close();

        assertThat(Privoxy.current()).isEmpty();
        forgotten.close();
        assertThat(forgotten.isOpen()).isFalse();
    }

    @Test
    void closingTwiceIsClosingOnce() {
        try (PrivoxyRequest outer = Privoxy.begin(Map.of("MyUId", 2))) {
            PrivoxyRequest inner = Privoxy.begin(Map.of("MyUId", 3));
            inner.close();
            inner.close();
            assertThat(outer.isOpen()).isTrue();
            assertThat(current()).containsExactly("MyUId");
        }
    }

    @Test
    void otherThreadsJoin() throws Exception {
        var seen = new AtomicReference<Object>();
        try (PrivoxyRequest request = Privoxy.begin(Map.of("MyUId", 2))) {
            var stranger = new Thread(() -> seen.set(Privoxy.current()));
            stranger.start();
            stranger.join();
            assertThat(seen.get()).isEqualTo(Optional.empty());

            var joined = new Thread(request.wrap(() -> {
                seen.set(current());
            }));
            joined.start();
            joined.join();
            assertThat(seen.get()).isEqualTo(Set.of("MyUId"));

            Executor executor = request.wrap(task -> new Thread(task).start());
            var done = new CountDownLatch(1);
            executor.execute(() -> {
                seen.set("executed for " + current());
                done.countDown();
            });
            done.await();
            assertThat(seen.get()).isEqualTo("executed for [MyUId]");
        }
    }

    @Test
    void aWrappedTaskGivesItsResultAndLeavesTheThreadAsItWas() throws Exception {
        PrivoxyRequest request = Privoxy.open(Map.of("MyUId", 2));
        assertThat(Privoxy.current()).isEmpty();

        assertThat(request.wrap(() -> current().toString()).call()).isEqualTo("[MyUId]");
        assertThat(request.wrapSupplier(() -> current().toString()).get()).isEqualTo("[MyUId]");
        assertThatThrownBy(() -> request.wrap((Runnable) () -> {
                            throw new IllegalStateException("failed");
                        })
                        .run())
                .hasMessage("failed");

        assertThat(Privoxy.current()).isEmpty();
        request.close();
    }

    @Test
    void aRequestThatHasEndedCannotBeJoined() {
        PrivoxyRequest request = Privoxy.open(Map.of("MyUId", 2));
        request.close();

        assertThat(request.isOpen()).isFalse();
        assertThatThrownBy(request::join).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void aJoinedThreadIsLeftByItselfOnly() throws Exception {
        PrivoxyRequest request = Privoxy.open(Map.of("MyUId", 2));
        PrivoxyRequest.Joined joined = request.join();
        var failure = new AtomicReference<Throwable>();
        var other = new Thread(() -> {
            try {
                joined.close();
            } catch (IllegalStateException expected) {
                failure.set(expected);
            }
        });
        other.start();
        other.join();

        assertThat(failure.get()).isInstanceOf(IllegalStateException.class);
        joined.close();
        request.close();
    }

    @Test
    void theCurrentRequestCanBeJoinedButNotEndedByOthers() {
        try (PrivoxyRequest request = Privoxy.begin(Map.of("MyUId", 2))) {
            Privoxy.current().orElseThrow().close();
            assertThat(request.isOpen()).isTrue();
        }
    }

    @Test
    void aContextHasCanonicalValuesOnly() {
        assertThatThrownBy(() -> Privoxy.begin(Map.of("MyUId", new Object())))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private static Set<String> current() {
        return Privoxy.current().orElseThrow().parameters();
    }
}
