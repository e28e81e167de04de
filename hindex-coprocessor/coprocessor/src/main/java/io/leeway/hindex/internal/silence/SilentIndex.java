package io.leeway.hindex.internal.silence;

import java.util.List;
import java.util.stream.Stream;

/*
 * Model: an index is silent while the region of its table does not answer: its server stands still or was killed, or the region
 * is on its way to another one. Nobody knows then whether what was sent is carried out, and so nothing is concluded from it: an
 * entry that may be there is looked at later, one that may be gone is not written again meanwhile (see UnsettledRemovals).
 *
 * What is done depends on who waits, and on what he keeps from others meanwhile:
 * - A write or a load keeps a handler and locks of rows, and nothing of it is in the table yet. It waits as long as one call may
 *   take, however many others wait before it, and is refused with an error after which clients try again: no write is lost.
 * - A read keeps a handler as well, and changes nothing. It fails, and for a while reads that can do without do not ask.
 * - A compaction keeps its old files, and begins anew if it fails. So it fails where its file would have no version any more by
 *   which an obsolete entry is found; where the version stays, the next compaction finds the entry, and this one goes on.
 * - What is repaired, or follows after writes, keeps nobody waiting, and nobody else would do it: it is tried again without end,
 *   with pauses that grow, so that an index that comes back is not met by all at once.
 * - A region that closes may be on the server of its index, which stops only when all its regions are closed. It gives up at
 *   once: what it leaves is written in the index's table or can be found there, and is the next life's to do.
 */
/**
 * Who waits for an index that does not answer, for how long, and what is done then.
 *
 * <p>Numbers and words stand here, and nowhere else: the table of the documentation is made of them.
 */
public sealed interface SilentIndex permits Wait, Read, CompactionRemovals, Retry, Close {

    /** Who waits, or what is to be done. */
    String who();

    /** For how long at most, or with which pauses. */
    String limit();

    /** What is done then. */
    String then();

    /** All of them, in the order of the documentation. */
    static List<SilentIndex> all() {
        return Stream.<SilentIndex[]>of(
                        Wait.values(), Read.values(), CompactionRemovals.values(), Retry.values(), Close.values())
                .flatMap(Stream::of)
                .toList();
    }
}
