package io.leeway.lazytables;

/** What a cell of a table holds. */
public enum CellType {
    /** 32-bit integers; sums wrap around as Java's do. */
    INT,
    /** 64-bit integers; sums wrap around as Java's do. */
    LONG,
    /** 32-bit floating point numbers. */
    FLOAT,
    /** 64-bit floating point numbers. */
    DOUBLE;

    /** Whether cells hold integers, which are updated with integers only. */
    public boolean integral() {
        return this == INT || this == LONG;
    }
}
