package io.leeway.approx.atp;

import java.util.List;

/**
 * What became of a job.
 *
 * @param job the job
 * @param groups one entry a group
 */
public record JobReport(int job, List<Group> groups) {

    public JobReport {
        groups = List.copyOf(groups);
    }

    /** Whether every group has what it was promised. */
    public boolean kept() {
        return groups.stream().allMatch(Group::kept);
    }

    /**
     * What became of one group.
     *
     * @param group the group
     * @param msr what was promised
     * @param messages how many were offered, exactly
     * @param delivered how many arrived complete; at the sender: of how many it knows
     * @param bytesOffered the lengths of all of them
     * @param bytesDelivered the lengths of those that arrived
     * @param sent messages that were sent at least once
     * @param resent packets that were sent again
     * @param biasZ by how many standard errors the mean length of what arrived is off that of all; 0 where it cannot be told
     * @param missing the messages that did not arrive, as ranges; empty at the sender
     */
    public record Group(
            int group,
            double msr,
            long messages,
            long delivered,
            long bytesOffered,
            long bytesDelivered,
            long sent,
            long resent,
            double biasZ,
            List<Range> missing) {

        public Group {
            missing = List.copyOf(missing);
        }

        /** Whether at least {@code ceil(msr * messages)} arrived. */
        public boolean kept() {
            return delivered >= GroupSpec.need(msr, messages);
        }
    }

    /**
     * Messages from one number to another.
     *
     * @param first the first
     * @param last the last, included
     */
    public record Range(int first, int last) {}
}
