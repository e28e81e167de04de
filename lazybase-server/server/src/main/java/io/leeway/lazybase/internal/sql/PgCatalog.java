package io.leeway.lazybase.internal.sql;

import io.leeway.lazybase.internal.model.Catalog;
import org.apache.calcite.jdbc.CalciteSchema;

/** The catalogue that PostgreSQL's tools ask for. */
final class PgCatalog {

    private PgCatalog() {}

    static void addTo(CalciteSchema root, Catalog catalog, Engine engine) {}
}
