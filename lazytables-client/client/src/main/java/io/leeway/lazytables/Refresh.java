package io.leeway.lazytables;

/** How eagerly {@link Worker#refresh} asks for a row that is cached already. */
public enum Refresh {
    /** Only if the read could not be answered with what is cached. */
    CONSERVATIVE,
    /** Unless nothing newer can exist that all workers have completed. */
    AGGRESSIVE
}
