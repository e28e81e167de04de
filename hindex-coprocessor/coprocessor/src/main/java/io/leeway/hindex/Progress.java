package io.leeway.hindex;

/**
 * How far a build or a comparison is.
 *
 * @param rows of the base table that are done; of a build also those of an earlier run that it goes on with
 * @param entries that were written for them, or compared
 * @param share of the work that is done, from 0 to 1; an estimate that takes keys for evenly spread
 */
public record Progress(long rows, long entries, double share) {}
