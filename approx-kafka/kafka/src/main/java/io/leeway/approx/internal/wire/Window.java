package io.leeway.approx.internal.wire;

import java.util.List;

/**
 * What a job is to the application: the records of one topic in a span of time.
 *
 * @param topic the topic
 * @param from the first millisecond
 * @param to the first millisecond after it
 * @param groups the names of its groups, by number
 */
public record Window(String topic, long from, long to, List<String> groups) {

    public Window {
        groups = List.copyOf(groups);
    }
}
