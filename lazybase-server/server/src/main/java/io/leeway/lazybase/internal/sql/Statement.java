package io.leeway.lazybase.internal.sql;

import io.leeway.lazybase.internal.model.ColumnType;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A statement as it was read; names are not looked up yet. */
public sealed interface Statement {

    /** Its text. */
    String sql();

    /** Anything that Calcite plans. */
    record Query(String sql) implements Statement {}

    /** How the plan of a query looks; with {@code freshness} what each freshness would cost. */
    record Explain(String sql, Query query, boolean freshness) implements Statement {}

    /** A value: a constant, a parameter (from 1) or an expression that Calcite computes. */
    sealed interface Value {
        /** A constant; null is NULL. */
        record Constant(@Nullable Object value) implements Value {}

        /** A parameter. */
        record Parameter(int number) implements Value {}

        /** Something else. */
        record Expression(String sql) implements Value {}
    }

    /** What an INSERT does with a column of a row that may be there. */
    enum Onto {
        PUT,
        ADD
    }

    /**
     * Rows that are put, or whose given columns are.
     *
     * @param columns names; empty for all
     * @param rows of values; empty if there is a query
     * @param query whose rows are inserted
     * @param patch whether untouched columns stay
     * @param adds names of the columns that are added to
     * @param keep whether rows that are there stay as they are
     */
    record Insert(
            String sql,
            String table,
            List<String> columns,
            List<List<Value>> rows,
            @Nullable String query,
            boolean patch,
            List<String> adds,
            boolean keep)
            implements Statement {}

    /** {@code column = value}, or {@code column = column + value}. */
    record Assignment(String column, Value value, boolean add) {}

    /** {@code column = value} in a condition. */
    record Equality(String column, Value value) {}

    /**
     * Changed rows.
     *
     * @param keys the condition if it is equalities only; otherwise empty
     * @param where the condition, empty if there is none
     */
    record Update(
            String sql,
            String table,
            String alias,
            List<Assignment> sets,
            List<String> setTexts,
            List<Equality> keys,
            String where)
            implements Statement {}

    /** Removed rows; as for {@link Update}. */
    record Delete(String sql, String table, String alias, List<Equality> keys, String where) implements Statement {}

    /**
     * A column of a new table.
     *
     * @param identity whether the pipeline gives its values
     * @param references the table whose ids it has; empty if none
     */
    record ColumnDefinition(
            String name,
            ColumnType type,
            int precision,
            int scale,
            boolean notNull,
            boolean identity,
            String references) {}

    /** A new table. */
    record CreateTable(String sql, String table, List<ColumnDefinition> columns, List<String> key, boolean ifNotExists)
            implements Statement {}

    /** A new secondary view. */
    record CreateView(
            String sql,
            String view,
            String table,
            List<String> key,
            @Nullable List<String> include,
            boolean ifNotExists)
            implements Statement {}

    /** Tables that go. */
    record DropTable(String sql, List<String> tables, boolean ifExists) implements Statement {}

    /** A secondary view that goes. */
    record DropView(String sql, String view, boolean ifExists) implements Statement {}

    /** Tables without rows. */
    record Truncate(String sql, List<String> tables) implements Statement {}

    /**
     * Messages of a source that become rows.
     *
     * @param columns of the values of a row; empty for all
     * @param kind of the source
     * @param latest whether only messages count that come from now on
     * @param skip whether messages that are no rows are left out
     * @param adds names of columns that are added to
     */
    record CreateIngest(
            String sql,
            String name,
            String table,
            List<String> columns,
            String kind,
            String address,
            String topic,
            CopyFormat format,
            boolean latest,
            boolean skip,
            List<String> adds,
            boolean ifNotExists)
            implements Statement {}

    /** An ingest that ends. */
    record DropIngest(String sql, String name, boolean ifExists) implements Statement {}

    /** A new column. */
    record AddColumn(String sql, String table, ColumnDefinition column, boolean ifNotExists) implements Statement {}

    /** A column that goes. */
    record DropColumn(String sql, String table, String column, boolean ifExists) implements Statement {}

    /** A column with a new name. */
    record RenameColumn(String sql, String table, String column, String newName) implements Statement {}

    /** A table with a new name. */
    record RenameTable(String sql, String table, String newName) implements Statement {}

    /** A setting; null is the default. */
    record Set(String sql, String name, @Nullable String value) implements Statement {}

    /** What a setting is. */
    record Show(String sql, String name) implements Statement {}

    /** BEGIN, COMMIT, ROLLBACK. */
    record Transaction(String sql, String word) implements Statement {}

    /** SAVEPOINT, RELEASE or ROLLBACK TO. */
    record Savepoint(String sql, String word, String name) implements Statement {}

    /**
     * COPY from or to the client.
     *
     * @param columns names; empty for all
     * @param query whose rows go to the client, or null
     * @param in whether rows come from the client
     * @param action what they are: PUT, PATCH or DELETE
     * @param adds names of columns that are added to
     */
    record Copy(
            String sql,
            String table,
            List<String> columns,
            @Nullable String query,
            boolean in,
            CopyFormat format,
            Action action,
            List<String> adds)
            implements Statement {

        /** What rows of a COPY are. */
        public enum Action {
            PUT,
            PATCH,
            DELETE
        }
    }

    /** How the data of a COPY looks. */
    record CopyFormat(Kind kind, char delimiter, String nullText, boolean header, char quote) {
        /** The three formats of PostgreSQL, and a JSON object a line. */
        public enum Kind {
            TEXT,
            CSV,
            BINARY,
            JSON
        }
    }

    /** Something that is accepted and does nothing: its command tag. */
    record Nothing(String sql, String tag) implements Statement {}

    /** DEALLOCATE; null is all. */
    record Deallocate(String sql, @Nullable String name) implements Statement {}

    /** An empty text. */
    record Empty(String sql) implements Statement {}
}
