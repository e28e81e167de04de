package io.leeway.hindex.internal.encode;

/**
 * What became of a cell on its way into the index. A strict index refuses writes that are malformed; another leaves
 * them out.
 */
public enum Outcome {
    /** It has its entries. */
    INDEXED,
    /** There is nothing to index. */
    ABSENT,
    /** Its bytes are not what the definition says, or too long for a key: no entry for it. */
    MALFORMED
}
