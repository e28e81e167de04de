package io.leeway.eppi.internal.net;

/** What a frame is. The order is part of the protocol's version. */
public enum Kind {
    /** Version and roster; the first frame of both sides. */
    HELLO,
    /** An error code and a text; the last frame. */
    REFUSAL,
    /** A part of something longer; more follow. */
    PART,
    /** Nothing; that somebody waits and lives. */
    ALIVE,

    /** Provider to the first coordinator: ready for a construction. */
    WAIT,
    /** First coordinator to waiting providers and to the others: a construction begins. */
    START,
    /** First coordinator to the others: parameters. */
    OPEN,
    /** The answer: a random number and decoys. */
    READY,
    /** First coordinator to the others: all random numbers and persons. */
    BEGIN,
    /** A coordinator to another: the connection for the secure computation. */
    LINK,
    /** A message of the secure computation. */
    COMPUTE,

    /** Provider to a coordinator: takes part in a construction. */
    JOIN,
    /** Coordinator to a provider: the persons, or their digest. */
    PERSONS,
    /** Provider to all coordinators: digests of its shares. */
    COMMITMENT,
    /** Coordinator to a provider: all have committed. */
    COMMITTED,
    /** Provider to a coordinator: its share. */
    SHARE,
    /** Coordinator to a provider: what is known of all persons, or its digest. */
    RESULT,

    /** First coordinator to the index server: an index begins. */
    INDEX,
    /** Provider to the index server: its row. */
    ROW,
    /** Index server to the first coordinator: all rows are there. Index server to a provider: the row is. */
    COMPLETE,
    /** Coordinator to the index server: asks for the index to check it. */
    FETCH,
    /** The index. */
    FILE,
    /** First coordinator to the others: check and sign. */
    SIGN,
    /** Coordinator to the index server: its signature. */
    SIGNATURE,
    /** The end of a construction. */
    DONE,

    /** Searcher to a provider: asks for records. */
    SEARCH,
    /** The records. */
    RECORDS
}
