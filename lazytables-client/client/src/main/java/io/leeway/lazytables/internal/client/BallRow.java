package io.leeway.lazytables.internal.client;

import io.leeway.lazytables.internal.row.Row;

/**
 * A server's answer to a read within a radius: of other processes' workers what they did up to a clock, as far as it
 * was there, and of the reader's process all that it sent.
 *
 * @param clock the clock behind which nothing of others is in the row
 * @param missing how many clocks up to it are missing, of all workers of other processes together
 * @param others how many workers other processes have
 * @param dataClock the clock of which it holds everything
 * @param values the values, to which this process's later clocks are added when it completes them
 */
record BallRow(int clock, long missing, long others, int dataClock, Row values) {

    /**
     * How many clocks of other processes' workers the row has too few or too many, at most, for a reader at this clock.
     */
    long apart(int reader) {
        return missing + others * Math.abs((long) reader - clock);
    }
}
