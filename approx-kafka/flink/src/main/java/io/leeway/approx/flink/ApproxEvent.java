package io.leeway.approx.flink;

import io.leeway.approx.WindowReport;
import org.jspecify.annotations.Nullable;

/**
 * What an {@link ApproxKafkaSource} reads: a record of the sample, or the report of a window that is over.
 *
 * @param topic the topic of the record, or of which the report tells
 * @param from the first millisecond of the window
 * @param to the first millisecond after it
 * @param group the group's name
 * @param counted whether windows of the topic are by count; then records are of the window whose report they name, and
 *     {@code from} and {@code to} of a record are 0
 * @param source which report counts the record ({@code approx.mark=on}); empty if records do not say. Of a report: its own
 * @param timestamp of the record; of a report: {@code to}
 * @param key the record's key, or null
 * @param value the record's value, or null
 * @param number the record's number, as the rule's {@code value} says; NaN if there is none
 * @param report the report as JSON; null if this is a record
 */
@SuppressWarnings("ArrayRecordComponent") // never compared; copies would cost on the way of every record
public record ApproxEvent(
        String topic,
        long from,
        long to,
        String group,
        boolean counted,
        String source,
        long timestamp,
        byte @Nullable [] key,
        byte @Nullable [] value,
        double number,
        @Nullable String report) {

    /** Whether this is a record of the sample, and not a report. */
    public boolean isRecord() {
        return report == null;
    }

    /** The report; null if this is a record. */
    public @Nullable WindowReport toReport() {
        return report == null ? null : WindowReport.fromJson(report);
    }

    /** What all events of one group of one window have in common. */
    String window() {
        return topic + '\n' + (counted ? source : Long.toString(from)) + '\n' + group;
    }
}
