package io.leeway.approx.flink;

import java.time.Duration;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.streaming.api.datastream.DataStream;

/** Turns the records and reports of an {@link ApproxKafkaSource} into answers. Immutable. */
public final class ApproxWindows {

    private final DataStream<ApproxEvent> events;
    private final double confidence;
    private final Duration settle;
    private final Duration patience;
    private final Duration retention;

    private ApproxWindows(
            DataStream<ApproxEvent> events, double confidence, Duration settle, Duration patience, Duration retention) {
        this.events = events;
        this.confidence = confidence;
        this.settle = settle;
        this.patience = patience;
        this.retention = retention;
    }

    /** Of these events, with intervals of 95 %. */
    public static ApproxWindows of(DataStream<ApproxEvent> events) {
        return new ApproxWindows(events, 0.95, Duration.ofSeconds(1), Duration.ofSeconds(30), Duration.ofHours(1));
    }

    /** The level of intervals, above 0 and below 1. */
    public ApproxWindows confidence(double level) {
        return new ApproxWindows(events, checkedLevel(level), settle, patience, retention);
    }

    /** For how long nothing new is to come of a window before it is answered, so that producers are taken together; 1 s. */
    public ApproxWindows settle(Duration time) {
        return new ApproxWindows(events, confidence, checked(time), patience, retention);
    }

    /** How long records that a report counts are waited for; then the answer has a warning. 30 s. */
    public ApproxWindows patience(Duration time) {
        return new ApproxWindows(events, confidence, settle, checked(time), retention);
    }

    /** How long a window that was answered is kept for late records, which lead to a further answer; 1 h. */
    public ApproxWindows retention(Duration time) {
        return new ApproxWindows(events, confidence, settle, patience, checked(time));
    }

    /** One answer for each group of each window, and further ones for late records. */
    public DataStream<WindowAnswer> answers() {
        return events.keyBy(ApproxEvent::window)
                .process(
                        new WindowFunction(confidence, settle.toMillis(), patience.toMillis(), retention.toMillis()),
                        TypeInformation.of(WindowAnswer.class))
                .name("answers");
    }

    static double checkedLevel(double level) {
        if (!(level > 0 && level < 1)) {
            throw new IllegalArgumentException("a level above 0 and below 1, not " + level);
        }
        return level;
    }

    private static Duration checked(Duration time) {
        if (time.isNegative()) {
            throw new IllegalArgumentException("a time that is not negative, not " + time);
        }
        return time;
    }
}
