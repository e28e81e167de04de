package io.leeway.privoxy.internal.sql.ast;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A statement. */
public sealed interface Statement extends Node {

    /** A query as a statement. */
    record Select(Query query) implements Statement {
        @Override
        public int position() {
            return query.position();
        }
    }

    /**
     * INSERT, REPLACE, or H2's MERGE with KEY.
     *
     * @param columns columns named; empty for all in order
     * @param returning items of RETURNING; empty without it
     */
    record Insert(
            @Nullable With with,
            InsertKind kind,
            QualifiedName table,
            @Nullable Name alias,
            List<Name> columns,
            List<Name> keys,
            InsertSource source,
            @Nullable OnConflict onConflict,
            List<SelectItem> returning,
            int position)
            implements Statement {
        public Insert {
            columns = List.copyOf(columns);
            keys = List.copyOf(keys);
            returning = List.copyOf(returning);
        }
    }

    /**
     * UPDATE.
     *
     * @param targets what is updated: one table, in MariaDB also a join or several
     * @param from further items of FROM (PostgreSQL)
     */
    record Update(
            @Nullable With with,
            List<FromItem> targets,
            List<Assignment> assignments,
            List<FromItem> from,
            @Nullable Expr where,
            List<OrderItem> orderBy,
            @Nullable Limit limit,
            List<SelectItem> returning,
            int position)
            implements Statement {
        public Update {
            targets = List.copyOf(targets);
            assignments = List.copyOf(assignments);
            from = List.copyOf(from);
            orderBy = List.copyOf(orderBy);
            returning = List.copyOf(returning);
        }
    }

    /**
     * DELETE.
     *
     * @param targets the tables whose rows go. With {@code multiTable} (MariaDB) these are names or aliases of items in
     *     {@code using}; otherwise one table, which {@code using} does not repeat
     */
    record Delete(
            @Nullable With with,
            List<FromItem.Table> targets,
            boolean multiTable,
            List<FromItem> using,
            @Nullable Expr where,
            List<OrderItem> orderBy,
            @Nullable Limit limit,
            List<SelectItem> returning,
            int position)
            implements Statement {
        public Delete {
            targets = List.copyOf(targets);
            using = List.copyOf(using);
            orderBy = List.copyOf(orderBy);
            returning = List.copyOf(returning);
        }
    }

    /** MERGE INTO … USING … ON …. */
    record Merge(
            @Nullable With with,
            FromItem.Table target,
            FromItem source,
            Expr on,
            List<MergeWhen> clauses,
            List<SelectItem> returning,
            int position)
            implements Statement {
        public Merge {
            clauses = List.copyOf(clauses);
            returning = List.copyOf(returning);
        }
    }

    /** CALL of a procedure, also through JDBC's escape; {@code result} if its result is wanted (<code>{?= call f()}</code>). */
    record Call(QualifiedName procedure, List<Expr> arguments, boolean result, int position) implements Statement {
        public Call {
            arguments = List.copyOf(arguments);
        }
    }

    /** CREATE TABLE … AS, CREATE MATERIALIZED VIEW … AS, SELECT … INTO. */
    record CreateTableAs(
            QualifiedName table,
            List<Name> columns,
            boolean materializedView,
            boolean temporary,
            Query query,
            int position)
            implements Statement {
        public CreateTableAs {
            columns = List.copyOf(columns);
        }
    }

    /**
     * COPY of PostgreSQL.
     *
     * @param source the query or DML statement in parentheses, or null if a table is named
     */
    record Copy(
            @Nullable QualifiedName table,
            List<Name> columns,
            @Nullable Statement source,
            CopyDirection direction,
            int position)
            implements Statement {
        public Copy {
            columns = List.copyOf(columns);
        }
    }

    /** EXPLAIN; with {@code analyze} the statement is run. */
    record Explain(boolean analyze, Statement statement, int position) implements Statement {}

    /** SET and RESET of session settings. */
    record Set(List<Setting> settings, int position) implements Statement {
        public Set {
            settings = List.copyOf(settings);
        }
    }

    /**
     * One setting.
     *
     * @param scope LOCAL, SESSION, GLOBAL, … or empty
     * @param name name in parts; special forms have a name of their own: {@code names}, {@code time zone},
     *     {@code transaction}, {@code role} …
     * @param values the values; empty for DEFAULT and RESET
     */
    record Setting(String scope, QualifiedName name, boolean userVariable, List<Expr> values, int position)
            implements Node {
        public Setting {
            values = List.copyOf(values);
        }
    }

    /** SHOW and what else tells settings; {@code words} in upper-case as written. */
    record Show(List<String> words, int position) implements Statement {
        public Show {
            words = List.copyOf(words);
        }
    }

    /** Transaction control. */
    record Transaction(TransactionKind kind, @Nullable Name savepoint, boolean choosesIsolation, int position)
            implements Statement {}

    /**
     * A change of the schema.
     *
     * @param kind first words in upper-case, as {@code CREATE TABLE}
     * @param names objects named, as far as they are recognised
     * @param containsQuery whether a query occurs in it, which is not read
     * @param functions names of functions in it, as {@code name} or {@code schema.name}
     * @param givesRowsAnotherName whether rows that are there can be found under another name from then on
     * @param flow how values would get from one column into another, or be told by an error; null if they do not
     * @param retyped columns of rows that are there which get another type
     * @param added columns that are added to a table that is there
     * @param filled columns that hold no NULL from then on
     */
    record Ddl(
            String kind,
            List<QualifiedName> names,
            boolean containsQuery,
            List<String> functions,
            boolean givesRowsAnotherName,
            @Nullable String flow,
            List<Retyped> retyped,
            List<String> added,
            List<String> filled,
            int position)
            implements Statement {
        public Ddl {
            filled = List.copyOf(filled);
            names = List.copyOf(names);
            functions = List.copyOf(functions);
            retyped = List.copyOf(retyped);
            added = List.copyOf(added);
        }
    }

    /**
     * A column that gets another type.
     *
     * @param column its name as written
     * @param type words of the new type, lower-case
     * @param more whether its equality or its place changes too, or its values are computed
     */
    record Retyped(String column, String type, boolean more) {}

    /** A statement that is recognised by its first words and not read further; callers allow or refuse it by them. */
    record Other(String keyword, int position) implements Statement {}

    /** Notations of {@link Insert}. */
    enum InsertKind {
        INSERT,
        /** INSERT IGNORE (MariaDB). */
        INSERT_IGNORE,
        /** REPLACE (MariaDB). */
        REPLACE,
        /** MERGE INTO … KEY (…) VALUES (H2). */
        MERGE_KEYS
    }

    /** Directions of {@link Copy}. */
    enum CopyDirection {
        FROM_STDIN,
        TO_STDOUT,
        /** A file or a program of the server. */
        SERVER_FILE
    }

    /** Kinds of {@link Transaction}. */
    enum TransactionKind {
        BEGIN,
        COMMIT,
        ROLLBACK,
        SAVEPOINT,
        ROLLBACK_TO,
        RELEASE,
        /** Two-phase commit. */
        PREPARED
    }
}
