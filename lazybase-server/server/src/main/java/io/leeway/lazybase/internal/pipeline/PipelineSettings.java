package io.leeway.lazybase.internal.pipeline;

import java.time.Duration;

/**
 * How the pipeline works.
 *
 * @param sealRows an SCU with so many rows takes no more
 * @param sealBytes an SCU with so many bytes in memory takes no more
 * @param sealAge an SCU takes no more so long after its first commit
 * @param commitBytes what a commit may take in memory
 * @param backlogBytes what commits may take in memory before they are sorted; then further ones wait
 * @param commitWait how long they wait
 * @param workers threads that sort and merge; 0 if somebody else calls the stages
 * @param fanOut how many runs one merge takes
 * @param authorityInterval how often the authority is renewed if there is anything
 * @param partRows about how many rows a file of the authority has
 * @param extentRows rows of an extent at most
 * @param extentBytes bytes of an extent before compression, about
 * @param cacheBytes memory for decoded columns
 * @param reserve free space below which no commit is taken
 */
public record PipelineSettings(
        long sealRows,
        long sealBytes,
        Duration sealAge,
        long commitBytes,
        long backlogBytes,
        Duration commitWait,
        int workers,
        int fanOut,
        Duration authorityInterval,
        long partRows,
        int extentRows,
        long extentBytes,
        long cacheBytes,
        long reserve) {

    /** For tests that call the stages themselves: tiny pieces, so that everything happens. */
    public static PipelineSettings manual(int partRows, int extentRows) {
        return new PipelineSettings(
                Long.MAX_VALUE,
                Long.MAX_VALUE,
                Duration.ofDays(1),
                64 << 20,
                1L << 30,
                Duration.ofSeconds(60),
                0,
                3,
                Duration.ZERO,
                partRows,
                extentRows,
                1 << 20,
                16 << 20,
                0);
    }
}
