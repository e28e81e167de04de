package io.leeway.privoxy.internal.sql;

import io.leeway.privoxy.internal.sql.ast.Expr;
import io.leeway.privoxy.internal.sql.ast.Name;
import io.leeway.privoxy.internal.sql.ast.QualifiedName;
import io.leeway.privoxy.internal.sql.ast.Statement;
import io.leeway.privoxy.internal.sql.ast.Statement.Setting;
import io.leeway.privoxy.internal.sql.ast.Statement.TransactionKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * SET, RESET, SHOW and transaction control.
 *
 * <p>What a setting does is not decided here ({@code SessionReader}, {@link SessionSettings}); here each one gets the
 * name by which it is looked up, whatever syntax it has. A syntax that is not known is refused, as it could set
 * anything.
 */
final class SessionParser {

    private static final Set<String> SCOPES = Set.of("SESSION", "LOCAL", "GLOBAL", "PERSIST", "PERSIST_ONLY");

    private static final Set<String> TRANSACTION_WORDS = Set.of(
            "WORK",
            "TRANSACTION",
            "ISOLATION",
            "LEVEL",
            "SERIALIZABLE",
            "REPEATABLE",
            "READ",
            "COMMITTED",
            "UNCOMMITTED",
            "WRITE",
            "ONLY",
            "NOT",
            "DEFERRABLE",
            "AND",
            "NO",
            "CHAIN",
            "RELEASE",
            "WITH",
            "CONSISTENT",
            "SNAPSHOT",
            "DEFERRED",
            "IMMEDIATE",
            "EXCLUSIVE");

    private final Grammar grammar;
    private final Cursor cursor;

    SessionParser(Grammar grammar) {
        this.grammar = grammar;
        this.cursor = grammar.cursor();
    }

    /** The statement that begins with {@code word}, or null if it is none of these. */
    @Nullable
    Statement statementOrNull(String word, int position) {
        return switch (word) {
            case "SET" -> set(position);
            case "RESET" -> reset(position);
            case "SHOW" -> show(position);
            case "BEGIN" -> begin(position);
            case "START" -> start(position);
            case "COMMIT", "END" -> commit(word, position);
            case "ROLLBACK", "ABORT" -> rollback(position);
            case "SAVEPOINT" -> savepoint(TransactionKind.SAVEPOINT, position);
            case "RELEASE" -> release(position);
            case "PREPARE" -> cursor.at("PREPARE", "TRANSACTION") ? prepared(position) : null;
            default -> null;
        };
    }

    // --- transactions ------------------------------------------------------------------------------------------------

    private Statement begin(int position) {
        cursor.next();
        return modes(TransactionKind.BEGIN, position);
    }

    private Statement start(int position) {
        cursor.next();
        cursor.expect("TRANSACTION");
        return modes(TransactionKind.BEGIN, position);
    }

    private Statement commit(String word, int position) {
        if (word.equals("END") && !cursor.isPostgres()) {
            // In MariaDB and H2 it is no statement of its own; behind BEGIN it would end a block of statements.
            throw cursor.unsupported("statement END");
        }
        cursor.next();
        // COMMIT PREPARED ends another transaction than the session's: it is told apart, as what it wrote counts from
        // then on.
        if (cursor.at("PREPARED")) {
            return prepared(position);
        }
        return modes(TransactionKind.COMMIT, position);
    }

    private Statement rollback(int position) {
        cursor.next();
        if (cursor.at("PREPARED")) {
            return prepared(position);
        }
        if (!cursor.accept("WORK") && !cursor.isMariaDb()) {
            cursor.accept("TRANSACTION");
        }
        if (cursor.accept("TO")) {
            cursor.accept("SAVEPOINT");
            return new Statement.Transaction(
                    TransactionKind.ROLLBACK_TO, cursor.name(Keywords.NOT_COLUMN), false, position);
        }
        return modes(TransactionKind.ROLLBACK, position);
    }

    private Statement savepoint(TransactionKind kind, int position) {
        cursor.next();
        return new Statement.Transaction(kind, cursor.name(Keywords.NOT_COLUMN), false, position);
    }

    private Statement release(int position) {
        cursor.next();
        if (!cursor.at("SAVEPOINT") && !cursor.isPostgres()) {
            throw cursor.unexpected();
        }
        if (!cursor.at("SAVEPOINT")) {
            return new Statement.Transaction(
                    TransactionKind.RELEASE, cursor.name(Keywords.NOT_COLUMN), false, position);
        }
        return savepoint(TransactionKind.RELEASE, position);
    }

    private Statement prepared(int position) {
        cursor.next();
        cursor.accept("TRANSACTION");
        if (!cursor.at(TokenKind.STRING)) {
            throw cursor.unexpected();
        }
        cursor.next();
        return new Statement.Transaction(TransactionKind.PREPARED, null, false, position);
    }

    /**
     * Modes of a transaction; anything else would be another statement (BEGIN NOT ATOMIC).
     *
     * <p>A transaction whose isolation is chosen so keeps its facts to itself, so it is not looked at which it is.
     */
    private Statement modes(TransactionKind kind, int position) {
        boolean choosesIsolation = false;
        while (!cursor.atEnd()) {
            boolean known = cursor.at(TokenKind.COMMA)
                    || cursor.at(TokenKind.WORD)
                            && TRANSACTION_WORDS.contains(
                                    Chars.toUpperAscii(cursor.tokens().raw(cursor.index())));
            if (!known) {
                throw cursor.unexpected();
            }
            choosesIsolation |= cursor.at("ISOLATION") || cursor.at("SNAPSHOT");
            cursor.next();
        }
        return new Statement.Transaction(kind, null, choosesIsolation, position);
    }

    // --- SET ---------------------------------------------------------------------------------------------------------

    private Statement set(int position) {
        cursor.next();
        var settings = new ArrayList<Setting>();
        do {
            settings.add(setting());
            // MariaDB sets several at once; to PostgreSQL what stands behind a comma is one more value of the same
            // setting.
        } while (cursor.isMariaDb() && cursor.accept(TokenKind.COMMA));
        return new Statement.Set(settings, position);
    }

    private Setting setting() {
        int position = cursor.position();
        if (cursor.at(TokenKind.USER_VARIABLE) || cursor.at(TokenKind.SYSTEM_VARIABLE)) {
            return variable(position);
        }
        String scope = scope();
        String phrase = phrase();
        if (phrase != null) {
            return new Setting(scope, named(phrase, position), false, rest(), position);
        }
        QualifiedName name = cursor.qualifiedName(0);
        // Its values are expressions, so a sub-query may stand in one: that is refused where the setting is judged.
        if (cursor.isMariaDb()) {
            cursor.expectOperator("=");
            return new Setting(scope, name, false, expressionValue(), position);
        }
        if (!cursor.accept("TO") && !cursor.acceptOperator("=") && cursor.isPostgres()) {
            throw cursor.unexpected();
        }
        return new Setting(scope, name, false, rest(), position);
    }

    private String scope() {
        if (!cursor.at(TokenKind.WORD) || cursor.kind(1) != TokenKind.WORD && cursor.kind(1) != TokenKind.QUOTED) {
            return "";
        }
        String word = Chars.toUpperAscii(cursor.tokens().raw(cursor.index()));
        if (!SCOPES.contains(word) || cursor.at(1, "TO") || cursor.at("SESSION", "CHARACTERISTICS")) {
            return "";
        }
        cursor.next();
        return word;
    }

    /**
     * Settings with a syntax of their own: their name, or null.
     *
     * <p>Only where no sign of an assignment follows: {@code SET names = …} is a setting called so.
     */
    private @Nullable String phrase() {
        if (cursor.accept("SESSION", "CHARACTERISTICS")) {
            return "session characteristics";
        }
        if (cursor.accept("TIME", "ZONE")) {
            return "time zone";
        }
        // SET STATEMENT x = y FOR SELECT …: a statement of its own, under settings that nobody read.
        if (cursor.isMariaDb() && cursor.at("STATEMENT")) {
            throw cursor.unexpected();
        }
        if (cursor.accept("CHARACTER", "SET")) {
            return "character set";
        }
        if (cursor.accept("SESSION", "AUTHORIZATION") || cursor.accept("AUTHORIZATION")) {
            return "session authorization";
        }
        if (cursor.accept("XML", "OPTION")) {
            return "xml option";
        }
        if (cursor.kind(1) == TokenKind.OPERATOR || cursor.kind(1) == TokenKind.DOT || cursor.at(1, "TO")) {
            return null;
        }
        for (String word : List.of(
                "NAMES", "CHARSET", "ROLE", "DEFAULT", "PASSWORD", "TRANSACTION", "SCHEMA", "CATALOG", "CONSTRAINTS")) {
            if (cursor.accept(word)) {
                return Chars.toLowerAscii(word);
            }
        }
        return null;
    }

    /** {@code @x} is a variable of the user's, {@code @@session.x} a setting with its scope. */
    private Setting variable(int position) {
        boolean user = cursor.at(TokenKind.USER_VARIABLE);
        String text = cursor.text();
        cursor.next();
        cursor.expectOperator("=");
        int dot = user ? -1 : text.indexOf('.');
        String scope = dot < 0 ? "" : Chars.toUpperAscii(text.substring(0, dot));
        QualifiedName name = named(text.substring(dot + 1), position);
        return new Setting(scope, name, user, expressionValue(), position);
    }

    private static QualifiedName named(String text, int position) {
        return new QualifiedName(List.of(Name.of(text, position)), position);
    }

    /**
     * MariaDB's values are expressions or one of some words.
     *
     * <p>{@code SET sql_mode = ANSI} and {@code SET x = ON}: a word alone is a value, not a column.
     */
    private List<Expr> expressionValue() {
        if (cursor.accept("DEFAULT")) {
            return List.of();
        }
        boolean lone = cursor.kind(1) == TokenKind.COMMA
                || cursor.kind(1) == TokenKind.SEMICOLON
                || cursor.kind(1) == TokenKind.END;
        if (cursor.at(TokenKind.WORD) && lone && !cursor.atAny("NULL", "TRUE", "FALSE")) {
            return List.of(word());
        }
        return List.of(grammar.expressions().expression());
    }

    /** A word as a value, as it is written. */
    private Expr word() {
        Name name = cursor.name(0);
        return new Expr.Column(new QualifiedName(List.of(name), name.position()));
    }

    /** Words, literals and signed numbers up to the end. */
    private List<Expr> rest() {
        var values = new ArrayList<Expr>();
        while (!cursor.atEnd() && !(cursor.isMariaDb() && cursor.at(TokenKind.COMMA))) {
            if (!cursor.accept(TokenKind.COMMA)) {
                values.add(value());
            }
        }
        boolean standard = values.size() == 1
                && values.get(0) instanceof Expr.Keyword keyword
                && keyword.word().equals("DEFAULT");
        // No value stands for the default, whichever way that is written.
        return standard ? List.of() : values;
    }

    private Expr value() {
        int position = cursor.position();
        switch (cursor.kind()) {
            case WORD -> {
                return cursor.at("DEFAULT") ? grammar.functions().keyword() : word();
            }
            case QUOTED -> {
                Name name = cursor.name(0);
                return new Expr.Column(new QualifiedName(List.of(name), position));
            }
            case OPERATOR -> {
                if (!cursor.atOperator("-") && !cursor.atOperator("+")) {
                    throw cursor.unexpected();
                }
                String sign = cursor.text();
                cursor.next();
                if (!cursor.kind().isPlainLiteral()) {
                    throw cursor.unexpected();
                }
                return new Expr.Unary(sign, grammar.primaries().primary(), position);
            }
            case STRING, INTEGER, DECIMAL, FLOAT -> {
                return grammar.primaries().primary();
            }
            default -> throw cursor.unexpected();
        }
    }

    /**
     * RESET is SET to the default. On MariaDB it is about logs and replicas, so it is refused, but for {@code RESET
     * privoxy}, by which an application ends its context.
     */
    private Statement reset(int position) {
        cursor.next();
        boolean authorization = cursor.accept("SESSION", "AUTHORIZATION");
        boolean zone = !authorization && cursor.accept("TIME", "ZONE");
        QualifiedName name = authorization
                ? named("session authorization", position)
                : zone ? named("time zone", position) : cursor.qualifiedName(0);
        boolean ours = name.parts().get(0).raw().equalsIgnoreCase("privoxy") && !authorization && !zone;
        if (cursor.isMariaDb() && !ours) {
            // RESET MASTER and the like; RESET privoxy ends a context and is never sent
            throw cursor.unsupported("statement RESET", position);
        }
        return new Statement.Set(List.of(new Setting("", name, false, List.of(), position)), position);
    }

    // --- SHOW --------------------------------------------------------------------------------------------------------

    private Statement show(int position) {
        var words = new ArrayList<String>();
        while (!cursor.atEnd()) {
            // MariaDB's SHOW … WHERE takes a condition on its rows, in which a query would be read unchecked.
            if (cursor.atAny("SELECT", "WITH") || cursor.at("WHERE") && cursor.isMariaDb() && holdsParenthesis()) {
                throw cursor.unsupported("query in SHOW");
            }
            words.add(
                    cursor.at(TokenKind.WORD)
                            ? Chars.toUpperAscii(cursor.tokens().raw(cursor.index()))
                            : cursor.text());
            cursor.next();
        }
        return new Statement.Show(words, position);
    }

    /** A condition of SHOW may hold a query or a function. */
    private boolean holdsParenthesis() {
        for (int ahead = 0; cursor.kind(ahead) != TokenKind.END; ahead++) {
            if (cursor.kind(ahead) == TokenKind.LEFT_PAREN) {
                return true;
            }
        }
        return false;
    }
}
