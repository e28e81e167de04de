package io.leeway.hindex.internal.write;

import org.apache.hadoop.hbase.Cell;

/**
 * Where the timestamps of a mutation come from. It decides what is read before the write: a timestamp that the row
 * never had replaces nothing, and hides or reveals nothing that is not known from the mutation alone.
 */
enum Origin {
    /** All from the server: no other write of the row has them. */
    SERVER,
    /** From the client, but above all that the row had. */
    CLIENT_NEW,
    /** From the client; the row may have had them. */
    CLIENT_LATE;

    /** Whether what readers do not see matters too, so that all that is stored of the column has to be read. */
    boolean needsAll(Cell.Type type) {
        // A put at a timestamp of its own hides nothing; one at a known timestamp may replace what is hidden as well. A
        // delete of one version may bring back any that stands behind it; one of all versions brings back none.
        return switch (type) {
            case Put -> this == CLIENT_LATE;
            case Delete, DeleteFamilyVersion -> true;
            case DeleteColumn, DeleteFamily -> false;
        };
    }
}
