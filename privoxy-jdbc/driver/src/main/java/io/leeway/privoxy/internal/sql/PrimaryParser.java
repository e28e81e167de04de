package io.leeway.privoxy.internal.sql;

import io.leeway.privoxy.internal.sql.ast.Expr;
import io.leeway.privoxy.internal.sql.ast.Expr.LiteralKind;
import io.leeway.privoxy.internal.sql.ast.Name;
import io.leeway.privoxy.internal.sql.ast.QualifiedName;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The smallest expressions: literals, parameters, names, parentheses, CASE, and what PostgreSQL lets stand behind them.
 */
final class PrimaryParser {

    private static final Set<String> CHARSETS = Set.of(
            "armscii8",
            "ascii",
            "big5",
            "binary",
            "cp1250",
            "cp1251",
            "cp1256",
            "cp1257",
            "cp850",
            "cp852",
            "cp866",
            "cp932",
            "dec8",
            "eucjpms",
            "euckr",
            "gb2312",
            "gbk",
            "geostd8",
            "greek",
            "hebrew",
            "hp8",
            "keybcs2",
            "koi8r",
            "koi8u",
            "latin1",
            "latin2",
            "latin5",
            "latin7",
            "macce",
            "macroman",
            "sjis",
            "swe7",
            "tis620",
            "ucs2",
            "ujis",
            "utf16",
            "utf16le",
            "utf32",
            "utf8",
            "utf8mb3",
            "utf8mb4");

    private final Grammar grammar;
    private final Cursor cursor;

    /** An operand that was read already and stands before the cursor. */
    private @Nullable Expr pending;

    PrimaryParser(Grammar grammar) {
        this.grammar = grammar;
        this.cursor = grammar.cursor();
    }

    void setPending(Expr first) {
        pending = first;
    }

    boolean hasPending() {
        return pending != null;
    }

    /** A primary expression with subscripts and fields. */
    Expr primary() {
        Expr value = pending;
        if (value != null) {
            pending = null;
            return inParentheses(value);
        }
        boolean parenthesised = cursor.at(TokenKind.LEFT_PAREN);
        value = atom();
        if (parenthesised) {
            return inParentheses(value);
        }
        return value instanceof Expr.Call ? value : indirection(value);
    }

    private Expr atom() {
        int position = cursor.position();
        return switch (cursor.kind()) {
            case INTEGER -> literal(LiteralKind.INTEGER);
            case DECIMAL -> literal(LiteralKind.DECIMAL);
            case FLOAT -> literal(LiteralKind.FLOAT);
            case STRING -> literal(LiteralKind.STRING);
            case NATIONAL -> literal(LiteralKind.NATIONAL_STRING);
            case HEX -> literal(LiteralKind.HEX);
            case HEX_NUMBER -> literal(LiteralKind.HEX_NUMBER);
            case BIT -> literal(LiteralKind.BIT);
            case PARAMETER -> {
                int slot = cursor.tokens().slot(cursor.index());
                cursor.next();
                yield new Expr.Parameter(slot, false, position);
            }
            case POLICY_PARAMETER -> {
                String name = cursor.text();
                cursor.next();
                yield new Expr.PolicyParameter(name, position);
            }
            case USER_VARIABLE, SYSTEM_VARIABLE -> variable(position);
            case LEFT_PAREN -> grammar.expressions().parenthesised().toExpr();
            case LEFT_BRACE -> jdbc(position);
            case QUOTED -> nameOrCall();
            case WORD -> word(position);
            default -> throw cursor.unexpected();
        };
    }

    /** The whole number here, without subscripts and fields. */
    Expr integer() {
        return literal(LiteralKind.INTEGER);
    }

    /** The literal here, or the parameter that stands for it if it was lifted. */
    private Expr literal(LiteralKind kind) {
        int position = cursor.position();
        int slot = cursor.tokens().slot(cursor.index());
        String text = cursor.text();
        cursor.next();
        // From here on a lifted literal is a parameter whose kind is known.
        return slot >= 0 ? new Expr.Parameter(slot, true, position) : new Expr.Literal(kind, text, position);
    }

    private Expr.Literal stringLiteral(LiteralKind kind, int position) {
        if (!cursor.at(TokenKind.STRING)) {
            throw cursor.unexpected();
        }
        String text = cursor.text();
        cursor.next();
        return new Expr.Literal(kind, text, position);
    }

    private Expr variable(int position) {
        boolean system = cursor.at(TokenKind.SYSTEM_VARIABLE);
        String name = cursor.text();
        cursor.next();
        int dot = system ? name.indexOf('.') : -1;
        return dot < 0
                ? new Expr.Variable(system, "", name, position)
                : new Expr.Variable(
                        true, name.substring(0, dot).toLowerCase(Locale.ROOT), name.substring(dot + 1), position);
    }

    private Expr word(int position) {
        return switch (cursor.keyword()) {
            case "NULL" -> constant(LiteralKind.NULL, "NULL");
            case "TRUE" -> constant(LiteralKind.BOOLEAN, "TRUE");
            case "FALSE" -> constant(LiteralKind.BOOLEAN, "FALSE");
            case "CASE" -> caseExpression(position);
            case "EXISTS" -> {
                cursor.next();
                yield new Expr.Exists(grammar.expressions().subquery(), position);
            }
            case "ARRAY" -> array(position);
            case "ROW" -> row(position);
            case "DEFAULT" -> defaultValue(position);
            case "INTERVAL" -> interval(position);
            case "NEXT", "PREVIOUS", "CURRENT" -> sequenceValue(position);
            case "DATE", "TIME", "TIMESTAMP" -> typedLiteral(position);
            default -> functionOrName(position);
        };
    }

    /**
     * A word: a function with a notation of its own, a type before a string, a character set before one, and only then
     * a name.
     */
    private Expr functionOrName(int position) {
        Expr special = grammar.specialFunctions().specialOrNull();
        if (special != null) {
            return special;
        }
        if (cursor.isPostgres()) {
            Expr typed = prefixCast(position);
            if (typed != null) {
                return typed;
            }
        } else if (cursor.isMariaDb() && cursor.tokens().sql().charAt(position) == '_') {
            Expr introduced = introduced(position);
            if (introduced != null) {
                return introduced;
            }
        } else if (cursor.isH2() && cursor.kind(1) == TokenKind.STRING && (cursor.at("JSON") || cursor.at("UUID"))) {
            return castOfString(position);
        }
        return nameOrCall();
    }

    private Expr constant(LiteralKind kind, String text) {
        int position = cursor.position();
        cursor.next();
        return new Expr.Literal(kind, text, position);
    }

    private Expr caseExpression(int position) {
        cursor.enter();
        cursor.next();
        ExpressionParser expressions = grammar.expressions();
        Expr operand = cursor.at("WHEN") ? null : expressions.expression();
        var whens = new ArrayList<Expr.When>();
        while (cursor.accept("WHEN")) {
            Expr condition = expressions.expression();
            cursor.expect("THEN");
            whens.add(new Expr.When(condition, expressions.expression()));
        }
        if (whens.isEmpty()) {
            throw cursor.unexpected();
        }
        Expr otherwise = cursor.accept("ELSE") ? expressions.expression() : null;
        cursor.expect("END");
        cursor.leave();
        return new Expr.Case(operand, whens, otherwise, position);
    }

    private Expr array(int position) {
        if (cursor.isMariaDb()) {
            return nameOrCall();
        }
        cursor.next();
        if (cursor.at(TokenKind.LEFT_PAREN)) {
            return new Expr.ArrayQuery(grammar.expressions().subquery(), position);
        }
        return arrayElements(position);
    }

    private Expr arrayElements(int position) {
        cursor.enter();
        cursor.expect(TokenKind.LEFT_BRACKET);
        var values = new ArrayList<Expr>();
        while (!cursor.at(TokenKind.RIGHT_BRACKET)) {
            values.add(
                    cursor.at(TokenKind.LEFT_BRACKET)
                            ? arrayElements(cursor.position())
                            : grammar.expressions().expression());
            if (!cursor.accept(TokenKind.COMMA)) {
                break;
            }
        }
        cursor.expect(TokenKind.RIGHT_BRACKET);
        cursor.leave();
        return new Expr.ArrayOf(values, position);
    }

    private Expr row(int position) {
        if (cursor.kind(1) != TokenKind.LEFT_PAREN) {
            return nameOrCall();
        }
        cursor.enter();
        cursor.next();
        cursor.next();
        List<Expr> values = List.of();
        if (!cursor.at(TokenKind.RIGHT_PAREN)) {
            values = grammar.expressions().list();
        }
        cursor.expect(TokenKind.RIGHT_PAREN);
        cursor.leave();
        return new Expr.Row(values, true, position);
    }

    private Expr defaultValue(int position) {
        if (cursor.isMariaDb() && cursor.kind(1) == TokenKind.LEFT_PAREN) {
            return grammar.functions().call(keywordName());
        }
        cursor.next();
        return new Expr.Default(position);
    }

    /** The keyword here as the name of a function, in lower case. */
    private QualifiedName keywordName() {
        String word = Chars.toLowerAscii(cursor.tokens().raw(cursor.index()));
        Name name = new Name(word, word, false, cursor.position());
        cursor.next();
        return new QualifiedName(List.of(name), name.position());
    }

    /** {@code NEXT VALUE FOR s}; only these three words together are no name. */
    private Expr sequenceValue(int position) {
        boolean next = cursor.at("NEXT");
        boolean current = cursor.at(cursor.isH2() ? "CURRENT" : "PREVIOUS");
        if (cursor.isPostgres() || !cursor.at(1, "VALUE") || !cursor.at(2, "FOR") || !next && !current) {
            return functionOrName(position);
        }
        cursor.next();
        cursor.next();
        cursor.next();
        return new Expr.SequenceValue(cursor.qualifiedName(Keywords.NOT_TABLE), current, position);
    }

    // --- typed literals ----------------------------------------------------------------------------------------------

    private Expr typedLiteral(int position) {
        if (cursor.kind(1) != TokenKind.STRING) {
            return cursor.isH2() ? h2ZonedLiteral(position) : functionOrName(position);
        }
        LiteralKind kind =
                cursor.at("DATE") ? LiteralKind.DATE : cursor.at("TIME") ? LiteralKind.TIME : LiteralKind.TIMESTAMP;
        cursor.next();
        return stringLiteral(kind, position);
    }

    /** {@code TIMESTAMP WITH TIME ZONE '…'}. */
    private Expr h2ZonedLiteral(int position) {
        boolean zoned = cursor.at(1, "WITH");
        if (!zoned && !cursor.at(1, "WITHOUT") || !cursor.at(2, "TIME") || !cursor.at(3, "ZONE")) {
            return functionOrName(position);
        }
        boolean timestamp = cursor.at("TIMESTAMP");
        for (int i = 0; i < 4; i++) {
            cursor.next();
        }
        LiteralKind kind = timestamp
                ? zoned ? LiteralKind.TIMESTAMP_TZ : LiteralKind.TIMESTAMP
                : zoned ? LiteralKind.TIME_TZ : LiteralKind.TIME;
        return stringLiteral(kind, position);
    }

    /** PostgreSQL's {@code type 'x'} for any type; null if the words here are not a type and a string. */
    private @Nullable Expr prefixCast(int position) {
        TokenKind next = cursor.kind(1);
        if (next == TokenKind.STRING) {
            // A word that may be a function or type, and a string: PostgreSQL takes any type there, a user's as well.
            return cursor.atName(Keywords.NOT_FUNCTION) || TypeParser.isTypeWord(cursor.keyword())
                    ? castOfString(position)
                    : null;
        }
        boolean longer = next == TokenKind.LEFT_PAREN
                || cursor.at(1, "PRECISION")
                || cursor.at(1, "VARYING")
                || cursor.at(1, "WITH")
                || cursor.at(1, "WITHOUT")
                || cursor.at("NATIONAL");
        if (!longer || !TypeParser.isTypeWord(cursor.keyword())) {
            return null;
        }
        int start = cursor.index();
        var type = grammar.types().typeOrNull();
        if (type == null || !cursor.at(TokenKind.STRING)) {
            cursor.reset(start);
            return null;
        }
        return new Expr.Cast(
                stringLiteral(LiteralKind.STRING, cursor.position()),
                TypeParser.ofLiteral(type),
                Expr.CastForm.PREFIX,
                position);
    }

    private Expr castOfString(int position) {
        var type = grammar.types().type();
        return new Expr.Cast(
                stringLiteral(LiteralKind.STRING, cursor.position()),
                TypeParser.ofLiteral(type),
                Expr.CastForm.PREFIX,
                position);
    }

    private Expr interval(int position) {
        if (cursor.isMariaDb()) {
            return grammar.specialFunctions().mariaDbInterval(position);
        }
        if (cursor.kind(1) == TokenKind.STRING) {
            cursor.next();
            Expr value = stringLiteral(LiteralKind.STRING, cursor.position());
            var type = grammar.types().intervalType(position);
            return new Expr.Cast(value, type, Expr.CastForm.PREFIX, position);
        }
        if (cursor.isH2()) {
            // H2's INTERVAL without a string in it is an error; a column cannot be called so.
            throw cursor.unsupported("INTERVAL");
        }
        return functionOrName(position);
    }

    /** {@code _utf8'x'}. */
    private @Nullable Expr introduced(int position) {
        TokenKind next = cursor.kind(1);
        if (next != TokenKind.STRING
                && next != TokenKind.HEX
                && next != TokenKind.HEX_NUMBER
                && next != TokenKind.BIT) {
            return null;
        }
        String charset = cursor.tokens().raw(cursor.index()).substring(1).toLowerCase(Locale.ROOT);
        if (!CHARSETS.contains(charset)) {
            throw cursor.unsupported("character set " + charset);
        }
        if (next == TokenKind.STRING && isAmbiguous(charset)) {
            throw cursor.unsupported("string of character set " + charset);
        }
        cursor.next();
        Expr value = literalOf(next);
        if (!(value instanceof Expr.Literal literal)) {
            throw cursor.unsupported("literal here", position);
        }
        return new Expr.CharsetString(charset, literal, position);
    }

    /**
     * In these character sets a backslash may be half of a character.
     *
     * <p>{@code _sjis'…\'…'} may end at another quote than it seems to.
     */
    private static boolean isAmbiguous(String charset) {
        return switch (charset) {
            case "big5", "cp932", "gbk", "sjis", "ucs2", "utf16", "utf16le", "utf32" -> true;
            default -> false;
        };
    }

    private Expr literalOf(TokenKind kind) {
        return switch (kind) {
            case HEX -> literal(LiteralKind.HEX);
            case HEX_NUMBER -> literal(LiteralKind.HEX_NUMBER);
            case BIT -> literal(LiteralKind.BIT);
            default -> literal(LiteralKind.STRING);
        };
    }

    // --- names -------------------------------------------------------------------------------------------------------

    /**
     * A name and a parenthesis are a call whatever stands between them, on PostgreSQL and H2; a reserved word is
     * neither without it.
     */
    private Expr nameOrCall() {
        boolean reserved = cursor.at(TokenKind.WORD) && !cursor.atName(Keywords.NOT_COLUMN);
        int callee = cursor.index();
        while (cursor.kind(callee - cursor.index() + 1) == TokenKind.DOT) {
            callee += 2;
        }
        if (cursor.kind(callee - cursor.index() + 1) == TokenKind.LEFT_PAREN) {
            return grammar.functions().call(callee == cursor.index());
        }
        if (reserved) {
            throw cursor.unexpected();
        }
        QualifiedName name = cursor.qualifiedName(Keywords.NOT_COLUMN);
        if (cursor.at(TokenKind.DOT) && cursor.atOperator(1, "*")) {
            if (!cursor.isPostgres()) {
                throw cursor.unexpected();
            }
            cursor.next();
            cursor.next();
            return new Expr.WholeRow(name, name.position());
        }
        return new Expr.Column(name);
    }

    /** A value that stood in parentheses, with its subscripts and fields. */
    private Expr inParentheses(Expr value) {
        boolean subscripted = value instanceof Expr.Subscript || value instanceof Expr.Slice;
        if (subscripted && cursor.at(TokenKind.LEFT_BRACKET)) {
            // (a[1:2])[1] is one element and a[1:2][1] a part; the tree does not tell them apart
            throw cursor.unsupported("subscript behind one in parentheses");
        }
        return indirection(value);
    }

    /** Subscripts and fields behind a value; PostgreSQL's calls have none without parentheses. */
    private Expr indirection(Expr value) {
        Expr result = value;
        for (int chain = 0; cursor.at(TokenKind.LEFT_BRACKET) || cursor.at(TokenKind.DOT); chain++) {
            cursor.checkChain(chain);
            int position = cursor.position();
            if (cursor.isMariaDb()) {
                throw cursor.unexpected();
            }
            if (cursor.at(TokenKind.DOT)) {
                result = new Expr.Field(result, cursor.nameBehindPoint(), position);
            } else {
                result = subscript(result, position);
            }
        }
        return result;
    }

    private Expr subscript(Expr operand, int position) {
        cursor.expect(TokenKind.LEFT_BRACKET);
        cursor.enter();
        Expr low = cursor.atOperator(":") ? null : grammar.expressions().expression();
        Expr result;
        if (cursor.isPostgres() && cursor.acceptOperator(":")) {
            Expr high = cursor.at(TokenKind.RIGHT_BRACKET)
                    ? null
                    : grammar.expressions().expression();
            result = new Expr.Slice(operand, low, high, position);
        } else if (low != null) {
            result = new Expr.Subscript(operand, low, position);
        } else {
            throw cursor.unexpected();
        }
        cursor.expect(TokenKind.RIGHT_BRACKET);
        cursor.leave();
        return result;
    }

    // --- JDBC escapes ------------------------------------------------------------------------------------------------

    /**
     * Refuses an escape in which a brace stands inside a string, a name or a comment: drivers look for the closing
     * brace without reading those.
     */
    void checkBraces() {
        Tokens tokens = cursor.tokens();
        int depth = 0;
        int i = cursor.index();
        int braces = 0;
        do {
            switch (tokens.kind(i)) {
                case LEFT_BRACE -> depth++;
                case RIGHT_BRACE -> depth--;
                case END -> throw cursor.unexpected();
                default -> {
                    // nothing
                }
            }
            braces += tokens.kind(i) == TokenKind.LEFT_BRACE || tokens.kind(i) == TokenKind.RIGHT_BRACE ? 1 : 0;
            i++;
        } while (depth > 0);
        String sql = tokens.sql();
        for (int at = cursor.position(); at < tokens.end(i - 1); at++) {
            char c = sql.charAt(at);
            braces -= c == '{' || c == '}' ? 1 : 0;
        }
        if (braces != 0) {
            // As many braces in the text as there are brace tokens: so none is hidden in a string or a comment.
            throw cursor.unsupported("brace inside a JDBC escape");
        }
    }

    /** JDBC's escapes, read as what the driver makes of them. */
    private Expr jdbc(int position) {
        checkBraces();
        cursor.next();
        if (cursor.at("FN")) {
            return jdbcFunction(position);
        }
        LiteralKind kind;
        if (cursor.accept("D")) {
            kind = LiteralKind.DATE;
        } else if (cursor.accept("T")) {
            kind = LiteralKind.TIME;
        } else if (cursor.accept("TS")) {
            kind = LiteralKind.TIMESTAMP;
        } else {
            throw cursor.unsupported("JDBC escape", position);
        }
        String text = cursor.tokens().text(cursor.index());
        Expr value = stringLiteral(kind, position);
        cursor.expect(TokenKind.RIGHT_BRACE);
        // The driver only takes the braces away: {d 'abc'} becomes the string 'abc'.
        if (cursor.isMariaDb() && !isMoment(kind, text)) {
            throw cursor.unsupported(
                    "a JDBC escape around no date or time, which MariaDB takes for a string", position);
        }
        if (cursor.isMariaDb() && cursor.at(TokenKind.STRING)) {
            throw cursor.unsupported("a string behind a JDBC escape, which the driver makes a part of its text");
        }
        return value;
    }

    private static boolean isMoment(LiteralKind kind, String text) {
        try {
            switch (kind) {
                case DATE -> LocalDate.parse(text);
                case TIME -> LocalTime.parse(text);
                default -> LocalDateTime.parse(text.replace(' ', 'T'));
            }
            return true;
        } catch (DateTimeParseException notOne) {
            return false;
        }
    }

    /** <code>{fn f(…)}</code>. Drivers rearrange the arguments, so parameters among them would change their numbers. */
    private Expr jdbcFunction(int position) {
        int from = cursor.index();
        if (cursor.kind(2) != TokenKind.LEFT_PAREN
                || !isPlain(position, cursor.tokens().start(from + 2))) {
            throw cursor.unsupported("JDBC function escape", position);
        }
        cursor.next();
        Expr function = atom();
        if (!(function instanceof Expr.Call call) || call.aggregation() != null || call.over() != null) {
            throw cursor.unsupported("JDBC escape", position);
        }
        for (int i = from; i < cursor.index(); i++) {
            if (cursor.tokens().kind(i) == TokenKind.PARAMETER) {
                throw cursor.unsupported(
                        "parameter inside a JDBC function escape",
                        cursor.tokens().start(i));
            }
        }
        cursor.expect(TokenKind.RIGHT_BRACE);
        return new Expr.Call(call.name(), call.arguments(), Expr.CallForm.JDBC, null, null, position);
    }

    /** Drivers take what stands before the parenthesis for the name, comments included. */
    private boolean isPlain(int from, int to) {
        for (int i = from + 1; i < to; i++) {
            char c = cursor.tokens().sql().charAt(i);
            if (c != ' ' && c != '_' && !Chars.isAsciiLetter(c) && !Chars.isDigit(c)) {
                return false;
            }
        }
        return true;
    }
}
