package io.leeway.privoxy.internal.normalize;

/**
 * A column with the name by which it is found; a name that cannot be told is {@link #UNNAMED}.
 *
 * <p>What an expression in a select list is called differs by database and version; as a name that cannot be told it
 * keeps a reference from being taken for a column further out ({@link Scope}).
 *
 * @param hidden whether {@code *} leaves it out
 */
record ScopeColumn(String name, Cell cell, boolean hidden) {

    /** No identifier is empty. */
    static final String UNNAMED = "";

    ScopeColumn(String name, Cell cell) {
        this(name, cell, false);
    }

    /** The same column with another cell. */
    ScopeColumn with(Cell other) {
        return new ScopeColumn(name, other, hidden);
    }

    /** The same column under another name. */
    ScopeColumn named(String other) {
        return new ScopeColumn(other, cell, hidden);
    }
}
