package io.leeway.privoxy.internal.sql;

import io.leeway.privoxy.internal.sql.ast.Name;
import io.leeway.privoxy.internal.sql.ast.QualifiedName;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** A place in the tokens of one text: looks ahead, moves on, complains. Not thread-safe. */
final class Cursor {

    /** Deeper nesting is refused before it could exhaust a thread's stack, here or in those who walk the tree. */
    private static final int MAX_DEPTH = 250;

    /**
     * Longest chain of infix operators, which makes a tree as deep. AND and OR have no such bound, as they become one
     * node with many operands.
     */
    private static final int MAX_CHAIN = 400;

    private final Tokens tokens;
    private final SqlOptions options;
    private int index;
    private int depth;

    Cursor(Tokens tokens, SqlOptions options) {
        this.tokens = tokens;
        this.options = options;
    }

    Tokens tokens() {
        return tokens;
    }

    SqlOptions options() {
        return options;
    }

    Dialect dialect() {
        return options.dialect();
    }

    boolean isPostgres() {
        return options.dialect() == Dialect.POSTGRESQL;
    }

    boolean isMariaDb() {
        return options.dialect() == Dialect.MARIADB;
    }

    boolean isH2() {
        return options.dialect() == Dialect.H2;
    }

    // --- looking -----------------------------------------------------------------------------------------------------

    int index() {
        return index;
    }

    /** Goes back to a place seen before. */
    void reset(int earlier) {
        index = earlier;
    }

    int position() {
        return tokens.start(index);
    }

    /** End of the token before. */
    int previousEnd() {
        return index == 0 ? 0 : tokens.end(index - 1);
    }

    TokenKind kind() {
        return tokens.kind(index);
    }

    TokenKind kind(int ahead) {
        return tokens.kind(Math.min(index + ahead, tokens.size() - 1));
    }

    boolean at(TokenKind kind) {
        return tokens.kind(index) == kind;
    }

    boolean at(String word) {
        return tokens.isWord(index, word);
    }

    boolean at(String first, String second) {
        return at(first) && at(1, second);
    }

    boolean at(int ahead, String word) {
        return index + ahead < tokens.size() && tokens.isWord(index + ahead, word);
    }

    boolean atAny(String... words) {
        for (String word : words) {
            if (at(word)) {
                return true;
            }
        }
        return false;
    }

    boolean atAny(int ahead, Set<String> words) {
        return words.stream().anyMatch(word -> at(ahead, word));
    }

    boolean atOperator(String operator) {
        return tokens.isOperator(index, operator);
    }

    boolean atOperator(int ahead, String operator) {
        return index + ahead < tokens.size() && tokens.isOperator(index + ahead, operator);
    }

    /** The word here, in capitals, if it is one that begins a syntax; otherwise empty. */
    String keyword() {
        return tokens.keyword(index);
    }

    /** Text of the token: decoded for strings and quoted names. */
    String text() {
        return tokens.text(index);
    }

    // A semicolon ends a statement wherever it is met: blocks with statements inside (BEGIN … END) are not read.
    boolean atEnd() {
        return at(TokenKind.END) || at(TokenKind.SEMICOLON);
    }

    // --- moving ------------------------------------------------------------------------------------------------------

    void next() {
        if (index < tokens.size() - 1) {
            index++;
        }
    }

    boolean accept(TokenKind kind) {
        if (at(kind)) {
            next();
            return true;
        }
        return false;
    }

    boolean accept(String word) {
        if (at(word)) {
            next();
            return true;
        }
        return false;
    }

    boolean accept(String first, String second) {
        if (at(first, second)) {
            next();
            next();
            return true;
        }
        return false;
    }

    boolean acceptOperator(String operator) {
        if (atOperator(operator)) {
            next();
            return true;
        }
        return false;
    }

    void expect(TokenKind kind) {
        if (!accept(kind)) {
            throw unexpected();
        }
    }

    void expect(String word) {
        if (!accept(word)) {
            throw unexpected();
        }
    }

    void expectOperator(String operator) {
        if (!acceptOperator(operator)) {
            throw unexpected();
        }
    }

    // --- depth -------------------------------------------------------------------------------------------------------

    /**
     * One level deeper; {@link #leave} must follow unless an exception does.
     *
     * <p>Whoever walks the tree later is as deep in its own calls; the bound keeps those within an ordinary stack, too.
     */
    void enter() {
        depth++;
        if (depth > MAX_DEPTH) {
            throw unsupported("nesting deeper than " + MAX_DEPTH);
        }
    }

    void leave() {
        depth--;
    }

    /** Checks the length of a chain of operators. */
    void checkChain(int length) {
        if (length > MAX_CHAIN) {
            throw unsupported("chain of more than " + MAX_CHAIN + " operators");
        }
    }

    // --- names -------------------------------------------------------------------------------------------------------

    /** Whether a name stands here that is none of what {@code forbidden} ({@link Keywords}) says. */
    boolean atName(int forbidden) {
        return isName(index, forbidden);
    }

    private boolean isName(int i, int forbidden) {
        return switch (tokens.kind(i)) {
            case QUOTED -> true;
            case WORD -> (tokens.number(i) & forbidden) == 0;
            default -> false;
        };
    }

    /** A name that is none of what {@code forbidden} says. */
    Name name(int forbidden) {
        if (!atName(forbidden)) {
            throw unexpected();
        }
        return takeName();
    }

    /** The word or quoted name here, folded as the database folds it. */
    private Name takeName() {
        int position = position();
        if (at(TokenKind.QUOTED)) {
            String text = text();
            next();
            return new Name(text, text, true, position);
        }
        String raw = tokens.raw(index);
        next();
        return new Name(options.dialect().folded(raw), raw, false, position);
    }

    /** A name with its qualifiers; behind a point any word is a name. */
    QualifiedName qualifiedName(int forbidden) {
        int position = position();
        Name first = name(forbidden);
        if (!at(TokenKind.DOT)) {
            return new QualifiedName(List.of(first), position);
        }
        var parts = new ArrayList<Name>();
        parts.add(first);
        while (at(TokenKind.DOT) && atNameBehindPoint()) {
            parts.add(nameBehindPoint());
        }
        return new QualifiedName(parts, position);
    }

    /** Whether a point and then a name stand here. H2 allows only some keywords there, which matters to no reading. */
    boolean atNameBehindPoint() {
        return kind(1) == TokenKind.WORD || kind(1) == TokenKind.QUOTED;
    }

    /**
     * The name behind a point. To H2 {@code _ROWID_} is where a row is stored, and the column of that name only with
     * quotes.
     */
    Name nameBehindPoint() {
        expect(TokenKind.DOT);
        if (isH2() && at("_ROWID_")) {
            throw unsupported("_ROWID_");
        }
        return name(0);
    }

    // --- complaints --------------------------------------------------------------------------------------------------

    UnsupportedSqlException unsupported(String construct) {
        return unsupported(construct, position());
    }

    UnsupportedSqlException unsupported(String construct, int position) {
        return UnsupportedSqlException.at(construct, tokens.sql(), position);
    }

    /**
     * What begins here is nothing of the grammar. Told apart from what is refused on purpose, so that the application
     * gets the SQL state of a syntax error (42601).
     */
    UnsupportedSqlException ungrammatical(String construct) {
        return UnsupportedSqlException.grammar(construct, tokens.sql(), position());
    }

    /**
     * The token here is not what the grammar allows. Never shows a literal.
     *
     * <p>A literal may be a secret of somebody's, so its kind is told and not its text.
     */
    UnsupportedSqlException unexpected() {
        String token = switch (kind()) {
            case END -> "end of the text here";
            case WORD -> Chars.toUpperAscii(tokens.raw(index)) + " here";
            case OPERATOR -> "operator " + tokens.text(index) + " here";
            case QUOTED -> "identifier here";
            case STRING, NATIONAL, HEX, HEX_NUMBER, BIT, INTEGER, DECIMAL, FLOAT -> "literal here";
            case PARAMETER, POLICY_PARAMETER -> "parameter here";
            case USER_VARIABLE, SYSTEM_VARIABLE -> "variable here";
            default -> tokens.raw(index) + " here";
        };
        return ungrammatical(token);
    }
}
