package io.leeway.lazytables;

import io.leeway.lazytables.internal.client.ClientTable;

/** A table of an instance, to be named in operations of its {@link Worker}s. Immutable. */
public final class Table {

    final LazyTables owner;
    final ClientTable inner;

    Table(LazyTables owner, ClientTable inner) {
        this.owner = owner;
        this.inner = inner;
    }

    /** The name under which all processes know the table. */
    public String name() {
        return inner.name();
    }

    /** What the table is made of. */
    public TableSpec spec() {
        return inner.spec();
    }

    @Override
    public String toString() {
        return name() + " " + spec();
    }
}
