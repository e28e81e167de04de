package io.leeway.approx.internal.window;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.approx.ApproxOptions;
import io.leeway.approx.internal.wire.RecordData;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

class TopicWindowsTest {

    private final List<TopicWindows.Job> opened = new ArrayList<>();

    private static TopicWindows windows(String rule) {
        ApproxOptions options = ApproxOptions.of(Map.of("approx.topics", "trips(" + rule + ")"));
        return new TopicWindows("trips", options.topicRules().get(0), 1_000);
    }

    private void take(TopicWindows windows, String key, long timestamp, long millis) {
        byte[] bytes = key.getBytes(StandardCharsets.UTF_8);
        RecordData record = new RecordData("trips", 0, timestamp, bytes, bytes, List.of());
        windows.taken(windows.place(record, opened.size() + 1, millis, opened::add), record);
    }

    @Test
    void aWindowByTimeEndsWhenALaterRecordHasCome() {
        TopicWindows windows = windows("msr=0.5;window=10s");
        take(windows, "a", 9_999, 9_999);
        take(windows, "a", 10_000, 10_000);
        assertThat(windows.takeEnded(10_000)).isEmpty();
        take(windows, "a", 11_000, 11_000);
        assertThat(windows.takeEnded(11_000)).singleElement().satisfies(job -> {
            assertThat(job.window().from()).isZero();
            assertThat(job.count()).isEqualTo(1);
        });
        assertThat(opened).hasSize(2);
    }

    @Test
    void aClockThatIsAheadEndsNobodysWindow() {
        TopicWindows windows = windows("msr=0.5;window=10s");
        take(windows, "a", 1_000, 1_000);
        take(windows, "ahead", 86_400_000, 1_000);
        take(windows, "a", 2_000, 2_000);
        assertThat(windows.takeEnded(2_000)).isEmpty();
        assertThat(opened).hasSize(2);
        take(windows, "a", 11_000, 11_000);
        assertThat(windows.takeEnded(11_000)).singleElement().satisfies(job -> {
            assertThat(job.window().from()).isZero();
            assertThat(job.count()).isEqualTo(2);
        });
        // That of the other clock waits for more of it, but not for ever.
        assertThat(windows.takeEnded(12_000))
                .singleElement()
                .satisfies(job -> assertThat(job.window().from()).isEqualTo(86_400_000));
    }

    @Test
    void aWindowByCountEndsWithItsLastRecordWhateverTheTimestamps() {
        TopicWindows windows = windows("msr=0.5;window=3r");
        for (int i = 0; i < 7; i++) {
            take(windows, "a", 50_000L - i * 20_000L, 0);
        }
        List<TopicWindows.Job> ended = windows.takeEnded(0);
        assertThat(ended).hasSize(2).allMatch(job -> job.count() == 3);
        assertThat(ended.get(1).window().from()).isEqualTo(50_000L - 3 * 20_000L);
        assertThat(opened).hasSize(3).allMatch(job -> job.spec().expected() == 3);
        // The third waits for two more, but not for ever.
        assertThat(windows.takeEnded(10_999)).isEmpty();
        assertThat(windows.takeEnded(11_000)).singleElement().matches(job -> job.count() == 1);
    }

    @Test
    void groupsAreCountedEachForItself() {
        TopicWindows windows = windows("msr=0.5;window=2r;groups=key:2");
        take(windows, "a", 1, 0);
        take(windows, "b", 1, 0);
        assertThat(windows.takeEnded(0)).isEmpty();
        take(windows, "b", 1, 0);
        assertThat(windows.takeEnded(0)).singleElement().matches(job -> job.count() == 2);
        assertThat(windows.takeAll()).singleElement().matches(job -> job.count() == 1);
    }

    @Test
    void aQuotaLeadsToSamplesOfOneSizeWhateverTheSizeOfAGroup() {
        TopicWindows windows = windows("quota=2;window=10s;groups=key:2");
        for (int i = 0; i < 8; i++) {
            take(windows, "a", 1_000, 1_000);
        }
        take(windows, "b", 1_000, 1_000);
        // Of a group that is new nothing is known.
        assertThat(opened).allMatch(job -> job.spec().msr() == 1);
        take(windows, "a", 12_000, 12_000);
        windows.takeEnded(12_000);
        opened.clear();
        take(windows, "a", 25_000, 25_000);
        take(windows, "b", 25_000, 25_000);
        assertThat(opened.get(1).spec().msr()).isEqualTo(1);
        // The last window of "a" that ended had 8 records, of which two are a quarter.
        assertThat(opened.get(0).spec().msr()).isEqualTo(0.25);
        TopicWindows counted = windows("quota=2;window=10r");
        take(counted, "a", 1, 0);
        assertThat(opened.get(2).spec().msr()).isEqualTo(0.2);
    }

    @Test
    void aQuotaHoldsForWindowsThatBeginBeforeTheFirstHasEnded() {
        TopicWindows windows = windows("quota=2;window=10s");
        for (int i = 0; i < 8; i++) {
            take(windows, "a", 1_000, 1_000);
        }
        take(windows, "a", 10_000, 9_000);
        // The clock is behind: no window ends by these timestamps.
        take(windows, "a", 20_000, 9_000);
        assertThat(windows.takeEnded(9_000)).isEmpty();
        assertThat(opened).extracting(job -> job.spec().msr()).containsExactly(1.0, 0.25, 0.25);
    }

    @Test
    @EnabledForJreRange(max = JRE.JAVA_21, disabledReason = "DataSketches refuses later ones")
    void reportsOfATopicWithSketchesHaveThem() {
        TopicWindows windows = windows("msr=0.5;sketches=on");
        take(windows, "a", 1, 0);
        assertThat(opened.get(0).sketches()).isNotEmpty();
        TopicWindows without = windows("msr=0.5");
        take(without, "a", 1, 0);
        assertThat(opened.get(1).sketches()).isEmpty();
    }
}
