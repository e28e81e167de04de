package io.leeway.privoxy.internal.sql;

import io.leeway.privoxy.internal.sql.ast.Expr;
import io.leeway.privoxy.internal.sql.ast.Expr.CallForm;
import io.leeway.privoxy.internal.sql.ast.Expr.LiteralKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Functions with a notation of their own: CAST, EXTRACT, TRIM, SUBSTRING, POSITION, CURRENT_DATE and their like. */
final class SpecialFunctionParser {

    private static final Set<String> UNITS = Set.of(
            "MICROSECOND",
            "SECOND",
            "MINUTE",
            "HOUR",
            "DAY",
            "WEEK",
            "MONTH",
            "QUARTER",
            "YEAR",
            "SECOND_MICROSECOND",
            "MINUTE_MICROSECOND",
            "MINUTE_SECOND",
            "HOUR_MICROSECOND",
            "HOUR_SECOND",
            "HOUR_MINUTE",
            "DAY_MICROSECOND",
            "DAY_SECOND",
            "DAY_MINUTE",
            "DAY_HOUR",
            "YEAR_MONTH");

    private final Grammar grammar;
    private final Cursor cursor;

    SpecialFunctionParser(Grammar grammar) {
        this.grammar = grammar;
        this.cursor = grammar.cursor();
    }

    /** The function here if it has a notation of its own, otherwise null. */
    @Nullable
    Expr specialOrNull() {
        String keyword = cursor.keyword();
        if (keyword.isEmpty()) {
            return null;
        }
        return cursor.kind(1) == TokenKind.LEFT_PAREN ? withParenthesis(keyword) : withoutParenthesis(keyword);
    }

    private @Nullable Expr withoutParenthesis(String keyword) {
        boolean word = switch (keyword) {
            case "CURRENT_DATE",
                    "CURRENT_TIME",
                    "CURRENT_TIMESTAMP",
                    "CURRENT_USER",
                    "CURRENT_ROLE",
                    "LOCALTIME",
                    "LOCALTIMESTAMP" -> true;
            case "SESSION_USER", "SYSTEM_USER", "USER", "CURRENT_CATALOG", "CURRENT_SCHEMA" -> !cursor.isMariaDb();
            case "UTC_DATE", "UTC_TIME", "UTC_TIMESTAMP" -> cursor.isMariaDb();
            case "ROWNUM", "CURRENT_PATH" -> cursor.isH2();
            default -> false;
        };
        if (!word) {
            return null;
        }
        int position = cursor.position();
        cursor.next();
        return grammar.functions().special(Chars.toLowerAscii(keyword), List.of(), CallForm.WORD, position);
    }

    private @Nullable Expr withParenthesis(String keyword) {
        int position = cursor.position();
        return switch (keyword) {
            case "CAST" -> cast(position, Expr.CastForm.CAST);
            case "TRY_CAST" -> cursor.isH2() ? cast(position, Expr.CastForm.TRY_CAST) : null;
            case "CONVERT" -> cursor.isPostgres() ? null : convert(position);
            case "EXTRACT" -> extract(position);
            case "POSITION" -> position(position);
            case "SUBSTRING" -> substring(position);
            case "SUBSTR", "MID" -> cursor.isMariaDb() ? substring(position) : null;
            case "TRIM" -> trim(position);
            case "OVERLAY" -> cursor.isMariaDb() ? null : overlay(position);
            case "CURRENT_TIME", "CURRENT_TIMESTAMP", "LOCALTIME", "LOCALTIMESTAMP" -> precise(keyword, position);
            case "VALUES", "VALUE" -> cursor.isMariaDb() ? valuesOf(position) : null;
            case "MATCH" -> cursor.isMariaDb() ? match(position) : null;
            case "CHAR" -> cursor.isMariaDb() ? character(position) : null;
            default -> null;
        };
    }

    /** Passes the name and its parenthesis. */
    private void open() {
        grammar.functions().checkGlued();
        cursor.enter();
        cursor.next();
        cursor.expect(TokenKind.LEFT_PAREN);
    }

    private void close() {
        cursor.expect(TokenKind.RIGHT_PAREN);
        cursor.leave();
    }

    private Expr expression() {
        return grammar.expressions().expression();
    }

    private Expr normal(String name, List<Expr> arguments, int position) {
        return grammar.functions().special(name, arguments, CallForm.NORMAL, position);
    }

    private Expr special(String name, List<Expr> arguments, int position) {
        return grammar.functions().special(name, arguments, CallForm.SPECIAL, position);
    }

    private Expr cast(int position, Expr.CastForm form) {
        open();
        Expr operand = expression();
        cursor.expect("AS");
        var type = grammar.types().type();
        close();
        return new Expr.Cast(operand, type, form, position);
    }

    private Expr convert(int position) {
        cursor.enter();
        cursor.next();
        cursor.expect(TokenKind.LEFT_PAREN);
        Expr operand = expression();
        Expr result;
        if (cursor.isMariaDb() && cursor.accept("USING")) {
            result = special("convert", List.of(operand, grammar.functions().keyword()), position);
        } else {
            cursor.expect(TokenKind.COMMA);
            result = new Expr.Cast(operand, grammar.types().type(), Expr.CastForm.CONVERT, position);
        }
        close();
        return result;
    }

    private Expr extract(int position) {
        open();
        Expr field = cursor.isPostgres() && cursor.at(TokenKind.STRING)
                ? new Expr.Keyword(stringAsWord(), position)
                : grammar.functions().keyword();
        cursor.expect("FROM");
        Expr source = expression();
        close();
        return special("extract", List.of(field, source), position);
    }

    private String stringAsWord() {
        String word = Chars.toUpperAscii(cursor.text());
        for (int i = 0; i < word.length(); i++) {
            if (!Chars.isAsciiLetter(word.charAt(i)) && word.charAt(i) != '_') {
                throw cursor.unexpected();
            }
        }
        cursor.next();
        return word;
    }

    private Expr position(int position) {
        open();
        Expr searched = grammar.expressions().operand();
        if (cursor.isH2() && cursor.accept(TokenKind.COMMA)) {
            Expr text = expression();
            close();
            return normal("position", List.of(searched, text), position);
        }
        cursor.expect("IN");
        Expr text = cursor.isPostgres() ? grammar.expressions().operand() : expression();
        close();
        return special("position", List.of(searched, text), position);
    }

    private Expr substring(int position) {
        String name = Chars.toLowerAscii(cursor.tokens().raw(cursor.index()));
        open();
        var arguments = new ArrayList<Expr>();
        arguments.add(expression());
        if (cursor.accept("FROM")) {
            arguments.add(expression());
            if (cursor.accept("FOR")) {
                arguments.add(expression());
            }
        } else if (!cursor.isMariaDb() && cursor.accept("FOR")) {
            arguments.add(new Expr.Literal(LiteralKind.INTEGER, "1", position));
            arguments.add(expression());
        } else {
            while (cursor.accept(TokenKind.COMMA)) {
                arguments.add(expression());
            }
        }
        close();
        return normal(name, arguments, position);
    }

    private Expr trim(int position) {
        open();
        Expr where = null;
        if (cursor.atAny("BOTH", "LEADING", "TRAILING")) {
            where = grammar.functions().keyword();
        }
        Expr characters = cursor.at("FROM") ? null : expression();
        if (cursor.accept("FROM")) {
            Expr text = expression();
            close();
            Expr.Keyword both = new Expr.Keyword("BOTH", position);
            Expr side = where == null ? both : where;
            return special(
                    "trim", characters == null ? List.of(side, text) : List.of(side, text, characters), position);
        }
        if (characters == null) {
            throw cursor.unexpected();
        }
        if (where != null) {
            close();
            return special("trim", List.of(where, characters), position);
        }
        var arguments = new ArrayList<Expr>();
        arguments.add(characters);
        while (!cursor.isMariaDb() && cursor.accept(TokenKind.COMMA)) {
            arguments.add(expression());
        }
        close();
        return normal("trim", arguments, position);
    }

    private Expr overlay(int position) {
        open();
        Expr text = expression();
        cursor.expect("PLACING");
        var arguments = new ArrayList<Expr>(List.of(text, expression()));
        cursor.expect("FROM");
        arguments.add(expression());
        if (cursor.accept("FOR")) {
            arguments.add(expression());
        }
        close();
        return special("overlay", arguments, position);
    }

    /** {@code CURRENT_TIME(3)}. */
    private Expr precise(String keyword, int position) {
        cursor.next();
        cursor.next();
        List<Expr> precision = List.of();
        if (cursor.at(TokenKind.INTEGER)) {
            precision = List.of(grammar.primaries().integer());
        } else if (!cursor.isMariaDb()) {
            throw cursor.unexpected();
        }
        cursor.expect(TokenKind.RIGHT_PAREN);
        return grammar.functions().special(Chars.toLowerAscii(keyword), precision, CallForm.WORD, position);
    }

    /** {@code VALUES(c)} behind ON DUPLICATE KEY UPDATE: the value that was to be inserted. */
    private Expr valuesOf(int position) {
        cursor.next();
        cursor.expect(TokenKind.LEFT_PAREN);
        Expr column = new Expr.Column(cursor.qualifiedName(Keywords.NOT_COLUMN));
        cursor.expect(TokenKind.RIGHT_PAREN);
        return normal("value", List.of(column), position);
    }

    private Expr match(int position) {
        cursor.enter();
        cursor.next();
        boolean parenthesis = cursor.accept(TokenKind.LEFT_PAREN);
        List<Expr> columns = grammar.expressions().list();
        if (parenthesis) {
            cursor.expect(TokenKind.RIGHT_PAREN);
        }
        cursor.expect("AGAINST");
        cursor.expect(TokenKind.LEFT_PAREN);
        Expr against = grammar.expressions().operand();
        var mode = new Expr.Keyword(searchMode(), position);
        cursor.expect(TokenKind.RIGHT_PAREN);
        cursor.leave();
        return special("match", List.of(new Expr.Row(columns, false, position), against, mode), position);
    }

    private String searchMode() {
        if (cursor.accept("IN", "BOOLEAN")) {
            cursor.expect("MODE");
            return "IN BOOLEAN MODE";
        }
        boolean natural = cursor.accept("IN", "NATURAL");
        if (natural) {
            cursor.expect("LANGUAGE");
            cursor.expect("MODE");
        }
        if (cursor.accept("WITH", "QUERY")) {
            cursor.expect("EXPANSION");
            return "WITH QUERY EXPANSION";
        }
        return "IN NATURAL LANGUAGE MODE";
    }

    private Expr character(int position) {
        cursor.enter();
        cursor.next();
        cursor.expect(TokenKind.LEFT_PAREN);
        var arguments = new ArrayList<>(grammar.expressions().list());
        if (cursor.accept("USING")) {
            var charset = grammar.functions().keyword();
            close();
            arguments.add(charset);
            return special("char", arguments, position);
        }
        close();
        return normal("char", arguments, position);
    }

    /** {@code INTERVAL 1 DAY}, or the function {@code INTERVAL(a, b, …)}. */
    Expr mariaDbInterval(int position) {
        cursor.next();
        Expr value;
        if (cursor.at(TokenKind.LEFT_PAREN)) {
            var content = grammar.expressions().parenthesised();
            if (!content.values().isEmpty() && content.values().size() > 1 && !atUnit()) {
                return normal("interval", content.values(), position);
            }
            value = grammar.expressions().continueWith(content.toExpr());
        } else {
            value = expression();
        }
        if (!atUnit()) {
            throw cursor.unexpected();
        }
        return new Expr.Interval(value, grammar.functions().keyword().word(), position);
    }

    private boolean atUnit() {
        return cursor.at(TokenKind.WORD)
                && UNITS.contains(Chars.toUpperAscii(cursor.tokens().raw(cursor.index())));
    }
}
