package io.leeway.hindex;

/** How an index is compared with its table; both find the same. */
public enum VerifyMethod {
    /** Looks up each row in the index and each entry in the table: random reads, no memory. */
    HASH,
    /** Sorts what the table says and compares it in one pass: reads in order, temporary files on the client. */
    MERGE
}
