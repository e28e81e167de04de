package io.leeway.privoxy.internal.cache.file;

import io.leeway.privoxy.internal.cache.file.Token.Kind;
import io.leeway.privoxy.internal.model.Atom;
import io.leeway.privoxy.internal.model.Condition;
import io.leeway.privoxy.internal.model.Condition.Operator;
import io.leeway.privoxy.internal.model.ConjunctiveQuery;
import io.leeway.privoxy.internal.model.Table;
import io.leeway.privoxy.internal.model.Term;
import io.leeway.privoxy.internal.model.UnionQuery;
import io.leeway.privoxy.internal.model.Value;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads queries. What tables and columns do not resolve is noted and read on with, so that one template's fault does
 * not hide the others. Not thread-safe.
 *
 * <p>A grammar of its own, not SQL: it writes the checker's queries and nothing else, so that there is one reading of
 * each text.
 */
final class QueryParser {

    /** A file of a million brackets must not overflow the stack. */
    private static final int MAX_DEPTH = 50;

    private final TokenCursor cursor;
    private final TableLookup tables;
    private @Nullable String fault;
    /** Of the query being read: its rows by alias. Empty while it is not known yet. */
    private Map<String, Row> rows = Map.of();

    private boolean isResolving;

    /** A row of FROM; the table is null if there is none of its name. */
    private record Row(Atom atom, @Nullable Table table) {}

    QueryParser(TokenCursor cursor, TableLookup tables) {
        this.cursor = cursor;
        this.tables = tables;
    }

    /** The first thing that did not resolve since the last call, or null. */
    @Nullable
    String takeFault() {
        String first = fault;
        fault = null;
        return first;
    }

    boolean hasFault() {
        return fault != null;
    }

    UnionQuery union() throws TemplateSyntaxException {
        // A goal that can have no answer; it is a goal all the same.
        if (cursor.takeWords("NOTHING")) {
            return new UnionQuery(List.of());
        }
        List<ConjunctiveQuery> disjuncts = new ArrayList<>();
        do {
            disjuncts.add(query());
        } while (cursor.takeWords("UNION"));
        try {
            return new UnionQuery(disjuncts);
        } catch (IllegalArgumentException uneven) {
            throw cursor.error("the parts of a UNION have different numbers of columns");
        }
    }

    /** The rows of FROM come after the terms that refer to them, so the terms are read twice. */
    ConjunctiveQuery query() throws TemplateSyntaxException {
        cursor.expectWords("SELECT");
        int start = cursor.position();
        rows = Map.of();
        // First only to get past the terms: which tables there are is not known yet.
        isResolving = false;
        head();
        if (cursor.takeWords("FROM")) {
            rows = from();
        }
        int end = cursor.position();
        isResolving = true;
        cursor.moveTo(start);
        List<Term> head = head();
        cursor.moveTo(end);
        List<Condition> conditions = new ArrayList<>();
        if (cursor.takeWords("WHERE")) {
            do {
                conditions.add(condition());
            } while (cursor.takeWords("AND"));
        }
        List<Atom> atoms = rows.values().stream().map(Row::atom).toList();
        return new ConjunctiveQuery(atoms, conditions, head);
    }

    private List<Term> head() throws TemplateSyntaxException {
        List<Term> terms = new ArrayList<>();
        if (cursor.takeSymbol("(")) {
            cursor.expectSymbol(")");
            return terms;
        }
        do {
            terms.add(term(0));
        } while (cursor.takeSymbol(","));
        return terms;
    }

    private Map<String, Row> from() throws TemplateSyntaxException {
        Map<String, Row> from = new LinkedHashMap<>();
        int next = 0;
        do {
            String name = tableName();
            Table table = tables.find(name);
            if (table == null) {
                note("there is no table " + name);
            }
            // The file was made under another schema: this template is reported, the others are read.
            int arity = table == null ? 0 : table.arity();
            String alias = cursor.take(Kind.WORD, "an alias").text();
            if (from.put(alias, new Row(new Atom(name, next, arity), table)) != null) {
                throw cursor.error("the alias " + alias + " is used twice");
            }
            next += arity;
        } while (cursor.takeSymbol(","));
        return from;
    }

    private String tableName() throws TemplateSyntaxException {
        if (cursor.peek().kind() == Kind.QUOTED) {
            return cursor.take().text();
        }
        StringBuilder name = new StringBuilder(cursor.take(Kind.WORD, "a table").text());
        while (cursor.takeSymbol(".")) {
            name.append('.').append(cursor.take(Kind.WORD, "a name").text());
        }
        return name.toString();
    }

    private Condition condition() throws TemplateSyntaxException {
        Term left = term(0);
        if (cursor.takeWords("IS")) {
            boolean isNull = !cursor.takeWords("NOT");
            cursor.expectWords("NULL");
            return new Condition.NullTest(left, isNull);
        }
        if (cursor.takeWords("IN")) {
            return new Condition.OneOf(left, bracketed(0));
        }
        return new Condition.Comparison(operator(), left, term(0));
    }

    /** A comparison sign. */
    Operator operator() throws TemplateSyntaxException {
        for (Operator operator : Operator.values()) {
            if (cursor.takeSymbol(operator.sign())) {
                return operator;
            }
        }
        throw cursor.expected("a comparison");
    }

    private List<Term> bracketed(int depth) throws TemplateSyntaxException {
        cursor.expectSymbol("(");
        List<Term> terms = new ArrayList<>();
        if (!cursor.peek().isSymbol(")")) {
            do {
                terms.add(term(depth + 1));
            } while (cursor.takeSymbol(","));
        }
        cursor.expectSymbol(")");
        return terms;
    }

    private Term term(int depth) throws TemplateSyntaxException {
        Token token = cursor.peek();
        if (depth > MAX_DEPTH) {
            throw cursor.error("functions are nested too deeply");
        }
        if (token.kind() == Kind.PARAMETER) {
            return parameter(cursor.take());
        }
        if (token.isWord("fn") && cursor.peekSecond().kind() == Kind.QUOTED) {
            cursor.take();
            return new Term.Function(cursor.take().text(), bracketed(depth));
        }
        if (token.kind() == Kind.WORD && cursor.peekSecond().isSymbol(".")) {
            return column();
        }
        Value value = LiteralParser.take(cursor);
        if (value == null) {
            throw cursor.expected("a column, parameter, value or function");
        }
        return new Term.Constant(value);
    }

    /** ?1 is a parameter of the query, ?MyUId one of the context. */
    private Term parameter(Token token) throws TemplateSyntaxException {
        boolean isNumber = Character.isDigit(token.raw().charAt(1));
        return isNumber ? new Term.Parameter(number(token) - 1) : new Term.Context(token.text());
    }

    /**
     * A number from 1.
     *
     * <p>From 1 as in JDBC; 0 would be none and a large one would make an array of that size.
     */
    static int number(Token token) throws TemplateSyntaxException {
        try {
            int number = Integer.parseInt(token.text());
            if (number >= 1) {
                return number;
            }
        } catch (NumberFormatException tooLarge) {
            // Falls through to the same message.
        }
        throw new TemplateSyntaxException(token.line(), token.column(), "not a number of a parameter or column");
    }

    private Term column() throws TemplateSyntaxException {
        Token alias = cursor.take();
        cursor.expectSymbol(".");
        String column = cursor.name("a column");
        Row row = rows.get(alias.text());
        if (!isResolving) {
            return new Term.Variable(0);
        }
        // An alias that stands nowhere is a fault of the file, not of the schema.
        if (row == null) {
            throw new TemplateSyntaxException(
                    alias.line(), alias.column(), "there is no row " + alias.text() + " in FROM");
        }
        if (row.table() == null) {
            return new Term.Variable(0);
        }
        int index = row.table().indexOf(column);
        if (index < 0) {
            note("table " + row.table().name() + " has no column " + column);
            index = 0;
        }
        return new Term.Variable(row.atom().firstVariable() + index);
    }

    /** A column of the query read last. */
    Term.Variable columnOfLastQuery() throws TemplateSyntaxException {
        return (Term.Variable) column();
    }

    private void note(String message) {
        fault = fault == null ? message : fault;
    }
}
