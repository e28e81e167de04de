package io.leeway.approx.atp;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A unit that accuracy is promised for: a batch, or one window of a stream.
 *
 * @param id positive, and larger than that of every job opened before on this flow
 * @param groups at least one
 * @param deadline when it is closed with what has arrived, in nanoseconds of the sender's clock; {@code Long.MAX_VALUE}
 *     for never
 */
public record JobSpec(int id, List<GroupSpec> groups, long deadline) {

    public JobSpec {
        groups = List.copyOf(groups);
        if (id <= 0 || groups.isEmpty()) {
            throw new IllegalArgumentException("a job has a positive id and at least one group: " + id + ", " + groups);
        }
        Set<Integer> ids = new HashSet<>();
        for (GroupSpec group : groups) {
            if (!ids.add(group.id())) {
                throw new IllegalArgumentException("group " + group.id() + " is twice in job " + id);
            }
        }
    }

    /** A job without a deadline. */
    public static JobSpec of(int id, GroupSpec... groups) {
        return new JobSpec(id, List.of(groups), Long.MAX_VALUE);
    }
}
