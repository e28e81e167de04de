package io.leeway.lazybase.internal.pipeline;

/**
 * A file of a run.
 *
 * @param file its name
 * @param rows of it
 * @param bytes of it
 * @param min its least key
 * @param max its greatest key
 */
@SuppressWarnings("ArrayRecordComponent")
public record RunInfo(String file, long rows, long bytes, byte[] min, byte[] max) {}
