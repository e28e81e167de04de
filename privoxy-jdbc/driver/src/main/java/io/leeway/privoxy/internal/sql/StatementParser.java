package io.leeway.privoxy.internal.sql;

import io.leeway.privoxy.internal.sql.ast.Expr;
import io.leeway.privoxy.internal.sql.ast.Name;
import io.leeway.privoxy.internal.sql.ast.QualifiedName;
import io.leeway.privoxy.internal.sql.ast.Query;
import io.leeway.privoxy.internal.sql.ast.QueryBody;
import io.leeway.privoxy.internal.sql.ast.SelectItem;
import io.leeway.privoxy.internal.sql.ast.Statement;
import io.leeway.privoxy.internal.sql.ast.Statement.CopyDirection;
import io.leeway.privoxy.internal.sql.ast.With;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Statements, told apart by their first words.
 *
 * <p>A text of several statements is read as all of them, since drivers send it as it is; which of them may stand
 * together is the planner's matter.
 */
final class StatementParser {

    /**
     * Statements that are recognised and not read further. Recognised so that they are refused by name and not as bad
     * grammar: DO and EXECUTE run other texts, GRANT and LOAD are the administrator's.
     */
    private static final Set<String> OTHERS = Set.of(
            "ANALYSE",
            "BACKUP",
            "BINLOG",
            "CACHE",
            "CHANGE",
            "CHECK",
            "CHECKPOINT",
            "CHECKSUM",
            "CLOSE",
            "CLUSTER",
            "DEALLOCATE",
            "DECLARE",
            "DISCARD",
            "DO",
            "EXEC",
            "EXECUTE",
            "FETCH",
            "FLUSH",
            "GRANT",
            "HANDLER",
            "HELP",
            "IMPORT",
            "INSTALL",
            "KILL",
            "LISTEN",
            "LOAD",
            "LOCK",
            "MOVE",
            "NOTIFY",
            "OPTIMIZE",
            "PREPARE",
            "PURGE",
            "REASSIGN",
            "REFRESH",
            "REINDEX",
            "REPAIR",
            "RESIGNAL",
            "REVOKE",
            "RUNSCRIPT",
            "SCRIPT",
            "SECURITY",
            "SHUTDOWN",
            "SIGNAL",
            "STOP",
            "UNINSTALL",
            "UNLISTEN",
            "UNLOCK",
            "USE",
            "VACUUM",
            "XA");

    private final Grammar grammar;
    private final Cursor cursor;

    StatementParser(Grammar grammar) {
        this.grammar = grammar;
        this.cursor = grammar.cursor();
    }

    /** All statements of the text; empty ones are left out. */
    List<Statement> statements() {
        var statements = new ArrayList<Statement>();
        while (!cursor.at(TokenKind.END)) {
            if (cursor.accept(TokenKind.SEMICOLON)) {
                continue;
            }
            statements.add(statement());
            if (!cursor.atEnd()) {
                // What is behind a statement and no semicolon belongs to it, and was not understood.
                throw cursor.unexpected();
            }
        }
        return statements;
    }

    /**
     * A statement by its first word, or by a parenthesis or brace. A word that is none of those known is bad grammar.
     */
    private Statement statement() {
        int position = cursor.position();
        if (cursor.at(TokenKind.LEFT_PAREN)) {
            return query(null, position);
        }
        if (cursor.at(TokenKind.LEFT_BRACE)) {
            return jdbcCall(position);
        }
        if (!cursor.at(TokenKind.WORD)) {
            throw cursor.unexpected();
        }
        String word = Chars.toUpperAscii(cursor.tokens().raw(cursor.index()));
        return switch (word) {
            case "SELECT", "VALUES", "TABLE" -> query(null, position);
            case "WITH" -> with(position);
            case "INSERT", "UPDATE", "DELETE", "MERGE", "REPLACE" ->
                grammar.dml().statement(null);
            case "CALL" -> call(position);
            case "COPY" -> copy(position);
            case "EXPLAIN", "DESCRIBE", "DESC", "ANALYZE" -> explain(word, position);
            default -> session(word, position);
        };
    }

    private Statement session(String word, int position) {
        Statement session = grammar.session().statementOrNull(word, position);
        if (session != null) {
            return session;
        }
        Statement ddl = grammar.ddl().statementOrNull(word, position);
        if (ddl != null) {
            return ddl;
        }
        if (!OTHERS.contains(word)) {
            throw cursor.ungrammatical("statement " + word);
        }
        return other(word, position);
    }

    private Statement other(String word, int position) {
        cursor.next();
        // What DISCARD is about decides what is left.
        String about = word.equals("DISCARD") && cursor.at(TokenKind.WORD)
                ? word + " " + Chars.toUpperAscii(cursor.tokens().raw(cursor.index()))
                : word;
        while (!cursor.atEnd()) {
            cursor.next();
        }
        return new Statement.Other(about, position);
    }

    // --- queries -----------------------------------------------------------------------------------------------------

    private Statement with(int position) {
        grammar.queries().selects().allowInto();
        With with = grammar.queries().with();
        if (cursor.atAny("INSERT", "UPDATE", "DELETE", "MERGE")) {
            grammar.queries().selects().takeInto();
            return grammar.dml().statement(with);
        }
        return selectOrInto(grammar.queries().queryAfter(with, position), position);
    }

    private Statement query(@Nullable With with, int position) {
        grammar.queries().selects().allowInto();
        return selectOrInto(grammar.queries().queryAfter(with, position), position);
    }

    private Statement selectOrInto(Query query, int position) {
        SelectParser.IntoTarget into = grammar.queries().selects().takeInto();
        return into == null
                ? new Statement.Select(query)
                : new Statement.CreateTableAs(into.table(), List.of(), false, into.temporary(), query, position);
    }

    // --- CALL --------------------------------------------------------------------------------------------------------

    private Statement call(int position) {
        cursor.next();
        // It is made a SELECT of that expression, which is checked like any other.
        if (cursor.isH2()) {
            // H2's CALL gives the value of an expression
            int start = cursor.position();
            Expr value = grammar.expressions().expression();
            String text = cursor.tokens().sql().substring(start, cursor.previousEnd());
            var select = new QueryBody.Select(
                    false,
                    List.of(),
                    List.of(new SelectItem.Value(value, null, text)),
                    List.of(),
                    null,
                    List.of(),
                    false,
                    null,
                    List.of(),
                    null,
                    position);
            return new Statement.Select(Query.of(select));
        }
        return procedure(false, position);
    }

    private Statement procedure(boolean result, int position) {
        QualifiedName name = cursor.qualifiedName(Keywords.NOT_FUNCTION);
        List<Expr> arguments = List.of();
        if (cursor.accept(TokenKind.LEFT_PAREN)) {
            if (!cursor.at(TokenKind.RIGHT_PAREN)) {
                arguments = grammar.expressions().list();
            }
            cursor.expect(TokenKind.RIGHT_PAREN);
        }
        return new Statement.Call(name, arguments, result, position);
    }

    /** <code>{call p(…)}</code> and <code>{?= call f(…)}</code>. */
    private Statement jdbcCall(int position) {
        // The driver translates {…} by its own rules, past strings and comments as it sees them.
        grammar.primaries().checkBraces();
        cursor.next();
        boolean result = cursor.accept(TokenKind.PARAMETER);
        if (result) {
            cursor.expectOperator("=");
        }
        cursor.expect("CALL");
        Statement call = procedure(result, position);
        cursor.expect(TokenKind.RIGHT_BRACE);
        return call;
    }

    // --- COPY --------------------------------------------------------------------------------------------------------

    /** COPY in as far as it tells what it is about; it is refused, whatever it says. */
    private Statement copy(int position) {
        if (!cursor.isPostgres()) {
            throw cursor.unsupported("statement COPY");
        }
        cursor.next();
        cursor.accept("BINARY");
        QualifiedName table = null;
        List<Name> columns = List.of();
        Statement source = null;
        if (cursor.at(TokenKind.LEFT_PAREN)) {
            source = copied();
        } else {
            table = cursor.qualifiedName(Keywords.NOT_TABLE);
            columns = cursor.at(TokenKind.LEFT_PAREN) ? grammar.queries().names() : List.of();
        }
        CopyDirection direction;
        if (cursor.accept("FROM")) {
            direction = cursor.accept("STDIN") ? CopyDirection.FROM_STDIN : CopyDirection.SERVER_FILE;
        } else {
            cursor.expect("TO");
            direction = cursor.accept("STDOUT") ? CopyDirection.TO_STDOUT : CopyDirection.SERVER_FILE;
        }
        while (!cursor.atEnd()) {
            // COPY … FROM with a condition, which may hold anything.
            if (cursor.at("WHERE")) {
                throw cursor.unsupported("COPY … WHERE");
            }
            cursor.next();
        }
        return new Statement.Copy(table, columns, source, direction, position);
    }

    private Statement copied() {
        cursor.expect(TokenKind.LEFT_PAREN);
        Statement source;
        if (cursor.atAny("INSERT", "UPDATE", "DELETE", "MERGE")) {
            source = grammar.dml().statement(null);
        } else {
            source = new Statement.Select(grammar.queries().query());
        }
        cursor.expect(TokenKind.RIGHT_PAREN);
        return source;
    }

    // --- EXPLAIN -----------------------------------------------------------------------------------------------------

    /**
     * {@code EXPLAIN} with the statement it explains, which is looked through, too. {@code ANALYZE} in any notation
     * runs it, so what is not certain counts as that.
     */
    private Statement explain(String word, int position) {
        cursor.next();
        boolean analyze = word.equals("ANALYZE");
        // ANALYZE alone gathers statistics there, DESCRIBE does not exist.
        if (cursor.isPostgres() && !word.equals("EXPLAIN")) {
            return other(word, position);
        }
        if (cursor.isPostgres() && cursor.at(TokenKind.LEFT_PAREN) && isOptionList()) {
            analyze = explainOptions();
        } else {
            analyze |= cursor.accept("ANALYZE") || cursor.isPostgres() && cursor.accept("ANALYSE");
            cursor.accept("VERBOSE");
            cursor.accept("EXTENDED");
            cursor.accept("PLAN", "FOR");
            if (cursor.isMariaDb() && cursor.at("FORMAT") && cursor.atOperator(1, "=")) {
                cursor.next();
                cursor.next();
                cursor.next();
            }
        }
        boolean statement = cursor.at(TokenKind.LEFT_PAREN)
                || cursor.atAny(
                        "SELECT", "VALUES", "WITH", "INSERT", "UPDATE", "DELETE", "MERGE", "REPLACE", "TABLE",
                        "CREATE");
        if (statement && !(cursor.isMariaDb() && cursor.at("TABLE") && word.equals("ANALYZE"))) {
            return new Statement.Explain(analyze, statement(), position);
        }
        // DESCRIBE t shows the columns; EXPLAIN t is the same to MariaDB.
        return cursor.isMariaDb() && !word.equals("ANALYZE") ? describe(position) : other(word, position);
    }

    /** {@code (ANALYZE, FORMAT JSON)}, not a query in parentheses. */
    private boolean isOptionList() {
        return cursor.kind(1) == TokenKind.WORD
                && !cursor.at(1, "SELECT")
                && !cursor.at(1, "WITH")
                && !cursor.at(1, "VALUES")
                && !cursor.at(1, "TABLE");
    }

    private boolean explainOptions() {
        boolean analyze = false;
        while (!cursor.accept(TokenKind.RIGHT_PAREN)) {
            // ANALYZE false is taken for true
            analyze |= cursor.atAny("ANALYZE", "ANALYSE");
            if (cursor.atEnd()) {
                throw cursor.unexpected();
            }
            cursor.next();
        }
        return analyze;
    }

    private Statement describe(int position) {
        var words = new ArrayList<String>();
        words.add("DESCRIBE");
        words.add(cursor.qualifiedName(Keywords.NOT_TABLE).toString());
        while (!cursor.atEnd()) {
            if (!cursor.at(TokenKind.WORD) && !cursor.at(TokenKind.QUOTED) && !cursor.at(TokenKind.STRING)) {
                throw cursor.unexpected();
            }
            words.add(cursor.text());
            cursor.next();
        }
        return new Statement.Show(words, position);
    }
}
