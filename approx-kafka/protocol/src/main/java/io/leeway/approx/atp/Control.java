package io.leeway.approx.atp;

import java.util.List;

/** What sender and receiver tell each other reliably and in order. */
public sealed interface Control {

    /** The job. */
    int job();

    /**
     * A job begins.
     *
     * @param job the job
     * @param groups its groups
     */
    record Open(int job, List<GroupSpec> groups) implements Control {
        public Open {
            groups = List.copyOf(groups);
        }
    }

    /**
     * A job is over: with its promise kept, or at its deadline.
     *
     * @param job the job
     * @param groups exact totals of what was offered
     */
    record Close(int job, List<Totals> groups) implements Control {
        public Close {
            groups = List.copyOf(groups);
        }
    }

    /**
     * What was offered to the sender of one group, whether it was sent or not.
     *
     * @param group the group
     * @param msr what was promised
     * @param messages how many messages
     * @param bytes their lengths together
     * @param squares the squares of their lengths together
     * @param sent messages that were sent at least once
     * @param resent packets that were sent again
     * @param promised whether the sender knows that the promise is kept
     */
    record Totals(
            int group,
            double msr,
            long messages,
            long bytes,
            double squares,
            long sent,
            long resent,
            boolean promised) {

        /**
         * By how many standard errors the mean length of a simple random sample would be off as that of this one is; 0
         * where it cannot be told.
         *
         * @param delivered how many messages the sample has
         * @param bytesDelivered their lengths together
         */
        public double biasZ(long delivered, long bytesDelivered) {
            double all = messages;
            if (delivered < 2 || delivered >= all) {
                return 0;
            }
            double mean = bytes / all;
            double variance = Math.max(0, squares / all - mean * mean) * all / (all - 1);
            double error = Math.sqrt(variance * (1 - delivered / all) / delivered);
            return error == 0 ? 0 : ((double) bytesDelivered / delivered - mean) / error;
        }
    }
}
