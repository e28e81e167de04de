package io.leeway.approx.internal.shim;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.approx.internal.wire.RecordData;
import java.util.List;
import org.junit.jupiter.api.Test;

class TopicLimitsTest {

    private static final long NOW = 1_000_000_000L;
    private static final long HOUR = 3_600_000;
    private static final long HELD = 60_000;

    private static RecordData record(long timestamp, int length, boolean keyed) {
        return new RecordData("t", 0, timestamp, keyed ? new byte[4] : null, new byte[length], List.of());
    }

    private static boolean takes(TopicLimits limits, RecordData... records) {
        return limits.takes(List.of(records), NOW, HELD);
    }

    @Test
    void aTopicOfWhichNothingIsKnownTakesAll() {
        assertThat(takes(TopicLimits.NONE, record(Long.MAX_VALUE, 10_000_000, false), record(Long.MIN_VALUE, 0, true)))
                .isTrue();
    }

    @Test
    void timestampsAreJudgedByTheClockAndByHowLongARecordIsOnItsWay() {
        TopicLimits limits = new TopicLimits(true, Long.MAX_VALUE, HOUR, HOUR, false);
        assertThat(takes(limits, record(NOW + HOUR - 1_000, 1, false))).isTrue();
        assertThat(takes(limits, record(NOW, 1, false), record(NOW + HOUR - 999, 1, false)))
                .isFalse();
        assertThat(takes(limits, record(NOW - HOUR + HELD + 1_000, 1, false))).isTrue();
        assertThat(takes(limits, record(NOW - HOUR + HELD + 999, 1, false))).isFalse();
    }

    @Test
    void aShortLimitIsNotUsedUpByTheMargin() {
        TopicLimits limits = new TopicLimits(true, Long.MAX_VALUE, 100, 100, false);
        assertThat(takes(limits, record(NOW + 90, 1, false), record(NOW - 50, 1, false)))
                .isTrue();
    }

    @Test
    void aRecordIsAsLongAsABatchOfIt() {
        TopicLimits limits = new TopicLimits(true, 1_000, Long.MAX_VALUE, Long.MAX_VALUE, false);
        assertThat(takes(limits, record(NOW, 800, false), record(NOW, 850, false)))
                .isTrue();
        assertThat(takes(limits, record(NOW, 900, false))).isFalse();
        RecordData headers = record(NOW, 800, false).with(new RecordData.Header("name", new byte[100]));
        assertThat(takes(limits, headers)).isFalse();
    }

    @Test
    void whereKeysAreNeededAndWhereNobodyMayWriteIsKnown() {
        assertThat(takes(
                        new TopicLimits(true, Long.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE, true),
                        record(1, 1, true)))
                .isTrue();
        assertThat(takes(
                        new TopicLimits(true, Long.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE, true),
                        record(1, 1, true),
                        record(1, 1, false)))
                .isFalse();
        assertThat(takes(
                        new TopicLimits(false, Long.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE, false),
                        record(1, 1, true)))
                .isFalse();
    }

    @Test
    void aTopicIsAskedAboutAgainAfterTenSecondsByOneAndAfterOneIfItCannotBeWrittenInto() {
        KnownLimits known = new KnownLimits();
        List<String> topics = List.of("a", "b");
        assertThat(known.due(topics, 0)).containsExactly("a", "b");
        assertThat(known.isKnown(topics)).isFalse();
        known.put("a", new TopicLimits(false, 1, 1, 1, false), 0);
        known.giveUp(topics, 0);
        assertThat(known.isKnown(topics)).isTrue();
        assertThat(known.of("a").writable()).isFalse();
        assertThat(known.of("b")).isEqualTo(TopicLimits.NONE);
        assertThat(known.due(topics, 900_000_000L)).isEmpty();
        assertThat(known.due(topics, 1_100_000_000L)).containsExactly("a");
        assertThat(known.due(topics, 1_200_000_000L)).isEmpty();
        assertThat(known.due(topics, 10_100_000_000L)).containsExactly("a", "b");
    }
}
