package io.leeway.hindex.internal.encode;

/** What became of a cell on its way into the index. */
public enum Outcome {
    /** It has its entries. */
    INDEXED,
    /** There is nothing to index. */
    ABSENT,
    /** Its bytes are not what the definition says, or too long for a key: no entry for it. */
    MALFORMED
}
