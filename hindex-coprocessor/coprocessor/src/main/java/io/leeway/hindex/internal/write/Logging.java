package io.leeway.hindex.internal.write;

import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Mutation;

/*
 * Model: what a region has in memory is lost with its server, but for what its log has got. Writes whose cells may be lost though
 * they were acknowledged have their entries in the index, whose log is waited for. So where a row falls back to what it was
 * before, its former entries must be there: nobody removes entries because of such a write until the family was flushed.
 *
 * An entry over several columns speaks of cells that several writes brought. Of these no later one must stay where an earlier one
 * is lost: the row would show a state that it never had, without an entry. A log loses its end only; so such writes go to the
 * log, but are not waited for.
 */
/** What the log has of the writes of a table. Thread-safe. */
public final class Logging {

    /** The table's, when the region was opened. */
    private final Durability ofTable;

    /** Where a write says nothing, this holds. */
    public Logging(Durability ofTable) {
        this.ofTable = ofTable;
    }

    /** Whether a write may be acknowledged and lost. */
    boolean mayBeLost(Mutation mutation) {
        Durability durability = of(mutation);
        return durability == Durability.SKIP_WAL || durability == Durability.ASYNC_WAL;
    }

    /**
     * Has a write logged, before HBase asks for that; after that later ones are not kept without it.
     *
     * <p>HBase reads the durability after the hooks, so a change here counts. The write is replicated by that, as the
     * limits say.
     */
    void require(Mutation mutation) {
        if (of(mutation) == Durability.SKIP_WAL) {
            mutation.setDurability(Durability.ASYNC_WAL);
        }
    }

    private Durability of(Mutation mutation) {
        Durability asked = mutation.getDurability();
        return asked == Durability.USE_DEFAULT ? ofTable : asked;
    }
}
