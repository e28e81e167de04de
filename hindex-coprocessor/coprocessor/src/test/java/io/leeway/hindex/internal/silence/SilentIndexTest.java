package io.leeway.hindex.internal.silence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.testkit.DocTable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.hbase.RegionTooBusyException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SilentIndexTest {

    private static final long TIMEOUT = 700;
    private static final Set<Wait> REFUSING =
            EnumSet.of(Wait.HANDLER, Wait.TURN, Wait.SHARED_ANSWER, Wait.ROW, Wait.REVIVAL);

    @ParameterizedTest
    @EnumSource(Wait.class)
    void whoWaitsInVainFailsSoThatItIsTriedAgain(Wait wait) {
        assertThatThrownBy(() -> wait.await(TIMEOUT, "words", millis -> false))
                .isExactlyInstanceOf(REFUSING.contains(wait) ? RegionTooBusyException.class : IOException.class)
                .hasMessageMatching(".*tr(y|ied) again.*");
    }

    @ParameterizedTest
    @EnumSource(Wait.class)
    void whoIsInterruptedFailsAndStaysInterrupted(Wait wait) {
        assertThatThrownBy(() -> wait.await(TIMEOUT, millis -> {
                    throw new InterruptedException();
                }))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("interrupted while ")
                .hasCauseInstanceOf(InterruptedException.class);
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void nobodyWaitsLongerThanOneCallMayTakeButWhoKeepsNothing() throws IOException {
        for (Wait wait : Wait.values()) {
            var waited = new ArrayList<Long>();
            wait.await(TIMEOUT, waited::add);
            assertThat(waited)
                    .as("%s", wait)
                    .containsExactly(
                            switch (wait) {
                                case HANDLER -> 100L;
                                case SHARED_ANSWER -> 0L;
                                case SWEEP -> 60_000L;
                                case TURN, ROW, REVIVAL, COMPACTION, REMOVAL -> TIMEOUT;
                                case VERIFICATION, EARLIER_LIFE -> 10_000L;
                            });
        }
    }

    @Test
    void aCompactionFailsOnlyForWhatNobodyWouldFindAgain() {
        for (CompactionRemovals removals : CompactionRemovals.values()) {
            var attempts = new ArrayList<Integer>();
            var putOff = new ArrayList<IOException>();
            CompactionRemovals.Removal silent = () -> {
                attempts.add(1);
                throw new IOException("silent");
            };
            switch (removals) {
                case OF_DROPPED, BEFORE_STRICT -> {
                    assertThatThrownBy(() -> removals.remove(silent, putOff::add))
                            .hasMessage("silent");
                    assertThat(putOff).isEmpty();
                }
                case OF_KEPT, BEFORE_LAZY -> {
                    assertThatCode(() -> removals.remove(silent, putOff::add)).doesNotThrowAnyException();
                    assertThat(putOff).hasSize(1);
                }
            }
            assertThat(attempts).hasSize(removals.name().startsWith("OF_") ? 3 : 1);
        }
    }

    @Test
    void anAnswerAtTheLastAttemptIsOne() throws IOException {
        var attempts = new ArrayList<Integer>();
        CompactionRemovals.OF_DROPPED.remove(
                () -> {
                    attempts.add(1);
                    if (attempts.size() < 3) {
                        throw new IOException("silent");
                    }
                },
                e -> attempts.clear());
        assertThat(attempts).hasSize(3);
    }

    @ParameterizedTest
    @EnumSource(Retry.class)
    void pausesGrowToALimit(Retry retry) {
        long pause = retry.firstMillis();
        for (int i = 0; i < 20; i++) {
            long next = retry.after(pause);
            assertThat(next).isBetween(pause, 2 * pause);
            pause = next;
        }
        assertThat(retry.after(pause)).isEqualTo(pause);
    }

    @Test
    void aRegionThatClosesWaitsForNoIndexAfterAnotherWaitedInVain() {
        assertThat(Close.mayBeAnswered(Close.longAgo())).isTrue();
        assertThat(Close.mayBeAnswered(System.nanoTime())).isFalse();
        assertThat(Close.FOLLOWING.millis(TIMEOUT, true)).isEqualTo(TIMEOUT);
        assertThat(Close.FOLLOWING.millis(60_000, true)).isEqualTo(1_000);
        assertThat(Close.FOLLOWING.millis(TIMEOUT, false)).isZero();
        assertThat(Close.FAILED.millis(TIMEOUT, false)).isEqualTo(TIMEOUT);
    }

    @Test
    void theTableOnTheDesignPageIsThePolicy() throws IOException {
        DocTable table = DocTable.of("Who waits, or what is to be done", "How long", "Then");
        List<SilentIndex> all = SilentIndex.all();
        all.forEach(each -> table.row(each.who(), each.limit(), each.then()));

        assertThat(all).doesNotHaveDuplicates().hasSizeGreaterThan(20);
        table.assertIn("hindex/design.md", "hindex silent index");
    }
}
