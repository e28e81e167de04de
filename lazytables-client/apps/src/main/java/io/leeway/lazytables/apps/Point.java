package io.leeway.lazytables.apps;

/**
 * How far a run was at some time.
 *
 * @param passes over the data
 * @param nanos since the workers began
 * @param value of the measure
 */
public record Point(double passes, long nanos, double value) {}
