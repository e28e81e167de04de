package io.leeway.lazytables.internal.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.lazytables.internal.wire.Protocol;
import java.util.List;
import org.junit.jupiter.api.Test;

class LifeTest {

    private static final List<Life> WAITED_FOR =
            List.of(new Life.Playing(), new Life.Unfinished(), new Life.Awaited(0, false), new Life.Awaited(0, true));
    private static final List<Life> LEFT = List.of(new Life.Ended(), new Life.Dropped());

    @Test
    void aSnapshotSaysWhichLifeItIs() {
        assertThat(WAITED_FOR).allSatisfy(life -> {
            assertThat(Life.of(life.flags())).isEqualTo(life);
            assertThat(Life.of(life.forsaken().flags())).isEqualTo(new Life.Lost(life));
        });
        assertThat(LEFT).allSatisfy(life -> assertThat(Life.of(life.flags())).isEqualTo(life));
    }

    /** Earlier releases kept that it had closed before. */
    @Test
    void ofOneThatWasDroppedASnapshotMaySayThatItWasUnfinished() {
        assertThat(Life.of(Life.LEFT | Life.DROPPED | Life.UNFINISHED)).isEqualTo(new Life.Dropped());
    }

    @Test
    void aSnapshotSaysHowAProcessBegan() {
        assertThat(List.of(
                        new Begin.Begun(false),
                        new Begin.Begun(true),
                        new Begin.Asked(Begin.Before.COUNTED),
                        new Begin.Asked(Begin.Before.SKIPPED),
                        new Begin.Asked(Begin.Before.GONE_ON)))
                .allSatisfy(begin -> assertThat(Begin.of(begin.flags())).isEqualTo(begin));
    }

    @Test
    void bitsOfOneThingAreOfNoOther() {
        int lives = Life.LEFT | Life.DROPPED | Life.AWAITED | Life.UNFINISHED | Life.LOST;
        int begins = Begin.NOT_RESUMED | Begin.SKIPPED | Begin.JOINED;

        assertThat(lives & begins).isZero();
        assertThat(Integer.bitCount(lives | begins)).isEqualTo(8);
    }

    @Test
    void whoHasLeftIsNotLost() {
        assertThat(LEFT).allSatisfy(life -> assertThat(life.forsaken()).isEqualTo(life));
    }

    @Test
    void whoIsWaitedForInVainIsToldSo() {
        assertThat(WAITED_FOR)
                .allSatisfy(life -> assertThat(life.forsaken().outlook(true)).isEqualTo(Protocol.GONE));
        assertThat(new Life.Unfinished().outlook(false)).isEqualTo(Protocol.UNFINISHED);
        assertThat(new Life.Unfinished().outlook(true)).isEqualTo(Protocol.COMES);
    }

    @Test
    void whoIsLostCountsAsBefore() {
        assertThat(new Life.Lost(new Life.Awaited(7, false)).counted(5)).isEqualTo(7);
        assertThat(new Life.Playing().forsaken().closed()).isEqualTo(new Life.Lost(new Life.Unfinished()));
        assertThat(new Life.Lost(new Life.Playing()).hasEnded()).isFalse();
    }

    /** What waited for the word of one that was dropped was applied on this server, and perhaps on no other. */
    @Test
    void whoeverFollowsOneThatWasDroppedBeginsBehindIt() {
        assertThat(new Life.Dropped().awaited(3).isBehind(3, 3)).isTrue();
        assertThat(new Life.Dropped().awaited(3).awaited(4).isBehind(4, 4)).isTrue();
        assertThat(new Life.Ended().awaited(3).isBehind(3, 3)).isFalse();
    }

    @Test
    void whomOneServerWaitsForAgainAllWaitFor() {
        assertThat(Life.merged(List.of(new Life.Ended(), new Life.Awaited(3, false))))
                .isEqualTo(new Life.Awaited(0, false));
        assertThat(Life.merged(List.of(new Life.Dropped(), new Life.Awaited(3, false))))
                .isEqualTo(new Life.Awaited(0, false));
        assertThat(Life.merged(List.of(new Life.Ended(), new Life.Dropped()))).isEqualTo(new Life.Dropped());
    }

    @Test
    void whatOneServerHasHeardCountsForAll() {
        assertThat(Life.merged(List.of(new Life.Playing(), new Life.Unfinished())))
                .isEqualTo(new Life.Unfinished());
        assertThat(Life.merged(List.of(new Life.Lost(new Life.Playing()), new Life.Unfinished())))
                .isEqualTo(new Life.Lost(new Life.Unfinished()));
    }

    @Test
    void whoEndsBeforeItHasSaidWhereItGoesOnLeavesTheQuestionAsItWas() {
        assertThat(new Begin.Asked(Begin.Before.GONE_ON).again()).isEqualTo(new Begin.Asked(Begin.Before.GONE_ON));
        assertThat(new Begin.Begun(true).again()).isEqualTo(new Begin.Asked(Begin.Before.SKIPPED));
        assertThat(new Begin.Begun(true).applied().again()).isEqualTo(new Begin.Asked(Begin.Before.COUNTED));
    }
}
