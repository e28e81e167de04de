package io.leeway.privoxy.internal.cli;

import io.leeway.privoxy.internal.model.Atom;
import io.leeway.privoxy.internal.model.ConjunctiveQuery;
import io.leeway.privoxy.internal.model.Table;
import io.leeway.privoxy.internal.model.Term;
import io.leeway.privoxy.internal.model.Value;
import io.leeway.privoxy.internal.model.ValueKind;
import io.leeway.privoxy.internal.schema.Relation;
import io.leeway.privoxy.internal.schema.TableSource;
import io.leeway.privoxy.internal.sql.Dialect;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Writes views as policy text. What has no text is left to the caller: null. */
final class ViewText {

    private final TableSource tables;
    private final Dialect dialect;

    ViewText(TableSource tables, Dialect dialect) {
        this.tables = tables;
        this.dialect = dialect;
    }

    /** {@code CREATE VIEW name AS SELECT …;}, or null. */
    @Nullable
    String view(String name, ConjunctiveQuery query) {
        try {
            return new Writer(query).view(name);
        } catch (NoText none) {
            return null;
        }
    }

    /** A part has no text. */
    private static final class NoText extends RuntimeException {
        private static final long serialVersionUID = 1L;

        NoText() {
            super("", null, false, false);
        }
    }

    private final class Writer {

        private final ConjunctiveQuery query;
        private final List<String> aliases = new ArrayList<>();

        Writer(ConjunctiveQuery query) {
            this.query = query;
            Set<String> taken = new HashSet<>();
            for (Atom atom : query.atoms()) {
                String letter = last(atom.table()).substring(0, 1).toLowerCase(Locale.ROOT);
                String base = letter.matches("[a-z]") ? letter : "t";
                String alias = base;
                for (int i = 2; !taken.add(alias); i++) {
                    alias = base + i;
                }
                aliases.add(alias);
            }
        }

        String view(String name) {
            if (query.head().isEmpty()) {
                throw new NoText();
            }
            var text = new StringBuilder("CREATE VIEW " + name + " AS\n  SELECT ");
            text.append(String.join(", ", head())).append("\n  FROM ");
            List<String> from = new ArrayList<>();
            for (int i = 0; i < query.atoms().size(); i++) {
                from.add(table(query.atoms().get(i).table()) + " " + aliases.get(i));
            }
            text.append(String.join(", ", from));
            List<String> conditions = query.conditions().stream()
                    .map(condition -> condition.sql(this::term))
                    .toList();
            if (!conditions.isEmpty()) {
                text.append("\n  WHERE ").append(String.join(" AND ", conditions));
            }
            return text.append(";\n").toString();
        }

        /** All columns of a row are written with a star. */
        private List<String> head() {
            List<String> head = new ArrayList<>();
            for (int i = 0; i < query.atoms().size(); i++) {
                Atom atom = query.atoms().get(i);
                List<String> columns = new ArrayList<>();
                for (int column = 0; column < atom.arity(); column++) {
                    var variable = new Term.Variable(atom.firstVariable() + column);
                    if (query.head().contains(variable)) {
                        columns.add(term(variable));
                    }
                }
                head.addAll(columns.size() == atom.arity() ? List.of(aliases.get(i) + ".*") : columns);
            }
            return head;
        }

        private String term(Term whole) {
            Term term = Drafter.bare(whole);
            if (term instanceof Term.Variable variable) {
                int row = Columns.row(query, variable.index());
                Atom atom = query.atoms().get(row);
                Table known = Objects.requireNonNull(tables.known(atom.table()), atom.table())
                        .table();
                String column = known.columns()
                        .get(variable.index() - atom.firstVariable())
                        .name();
                return aliases.get(row) + "." + identifier(column);
            }
            if (term instanceof Term.Context context) {
                return "?" + context.name();
            }
            if (term instanceof Term.Constant constant) {
                return literal(constant.value());
            }
            throw new NoText();
        }
    }

    private static String literal(Value value) {
        if (value.isNull() || value.kind() == ValueKind.NUMBER) {
            return value.toString();
        }
        if (value.kind() == ValueKind.BOOLEAN) {
            return value.toString().toUpperCase(Locale.ROOT);
        }
        if (value.kind() == ValueKind.TEXT && value.toString().indexOf('\\') < 0) {
            return "'" + value.raw().toString().replace("'", "''") + "'";
        }
        throw new NoText();
    }

    /** Without its schema where it is found all the same. */
    private String table(String canonical) {
        List<String> parts = SchemaCommand.parts(canonical);
        String last = parts.get(parts.size() - 1);
        Relation found = tables.find(List.of(last), tables.searchPath());
        if (found != null && found.table().name().equals(canonical)) {
            return identifier(last);
        }
        return String.join(".", parts.stream().map(this::identifier).toList());
    }

    private static String last(String canonical) {
        List<String> parts = SchemaCommand.parts(canonical);
        return parts.get(parts.size() - 1);
    }

    private String identifier(String name) {
        boolean folds = dialect == Dialect.H2 ? name.matches("[A-Z_][A-Z0-9_]*") : name.matches("[a-z_][a-z0-9_]*");
        if (folds && !Reserved.WORDS.contains(name.toLowerCase(Locale.ROOT))) {
            return name.toLowerCase(Locale.ROOT);
        }
        return dialect.quoted(name);
    }

    /** Words that some database does not take for a name; quoting too many does no harm. */
    private static final class Reserved {
        static final Set<String> WORDS = Set.of(
                "all",
                "and",
                "any",
                "array",
                "as",
                "asc",
                "between",
                "both",
                "by",
                "case",
                "cast",
                "check",
                "column",
                "constraint",
                "create",
                "cross",
                "current",
                "date",
                "day",
                "default",
                "delete",
                "desc",
                "distinct",
                "else",
                "end",
                "except",
                "exists",
                "false",
                "fetch",
                "for",
                "foreign",
                "from",
                "full",
                "grant",
                "group",
                "having",
                "hour",
                "in",
                "index",
                "inner",
                "insert",
                "intersect",
                "interval",
                "into",
                "is",
                "join",
                "key",
                "left",
                "like",
                "limit",
                "minute",
                "month",
                "natural",
                "not",
                "null",
                "offset",
                "on",
                "or",
                "order",
                "outer",
                "primary",
                "range",
                "references",
                "right",
                "row",
                "rows",
                "second",
                "select",
                "set",
                "some",
                "table",
                "then",
                "time",
                "timestamp",
                "to",
                "true",
                "union",
                "unique",
                "update",
                "user",
                "using",
                "value",
                "values",
                "when",
                "where",
                "window",
                "with",
                "year");
    }
}
