package io.leeway.testkit.db;

/**
 * A running database server that hands out empty databases.
 *
 * <p>Shared by all tests of a JVM and stopped when the JVM ends; tests therefore never stop it, and never use a database
 * that they did not get from {@link #freshDatabase(String)}. Thread-safe.
 */
public interface DatabaseServer {

    /** What runs, and from where, for people: {@code PostgreSQL 18.1 (embedded)}. */
    String description();

    /**
     * Creates an empty database.
     *
     * @param name letters, digits and underscores; a number is appended, so the same name may be asked for twice
     * @return the database; closing it drops it
     */
    TestDatabase freshDatabase(String name);
}
