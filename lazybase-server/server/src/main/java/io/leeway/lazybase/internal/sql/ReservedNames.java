package io.leeway.lazybase.internal.sql;

import io.leeway.lazybase.internal.model.Catalog;
import io.leeway.lazybase.internal.sql.Lexer.Kind;
import io.leeway.lazybase.internal.sql.Lexer.Token;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Puts quotes around names that Calcite's parser takes for words of SQL and PostgreSQL does not: {@code value}, {@code year}, {@code rows}, … Asked
 * when a query did not parse, so no query that does is changed. Stateless.
 */
final class ReservedNames {

    /** What PostgreSQL has in quotes only, too. */
    private static final Set<String> RESERVED = Set.of(
            "all analyse analyze and any array as asc asymmetric both case cast check collate column constraint create cross"
                    .split(" "));

    private static final Set<String> MORE = Set.of(
            "current_date current_time current_timestamp current_user default deferrable desc distinct do else end except false fetch for foreign from full grant group having ilike in initially inner intersect into is isnull join lateral leading left like limit localtime localtimestamp natural not notnull null offset on only or order outer overlaps placing primary references returning right select session_user similar some symmetric table tablesample then to trailing true union unique user using values variadic when where window with"
                    .split(" "));

    private static final Set<String> CALCITE = calcite();

    private ReservedNames() {}

    private static Set<String> calcite() {
        var words = new HashSet<String>();
        for (String word : QueryPlanner.reservedWords()) {
            words.add(word.toLowerCase(Locale.ROOT));
        }
        words.removeAll(RESERVED);
        words.removeAll(MORE);
        return Set.copyOf(words);
    }

    static String quoted(String sql, Catalog catalog) {
        var names = new HashSet<String>();
        catalog.tables().forEach(table -> {
            names.add(table.name().toLowerCase(Locale.ROOT));
            table.columns().forEach(column -> names.add(column.name().toLowerCase(Locale.ROOT)));
        });
        List<Token> tokens = Lexer.tokens(sql);
        for (int i = 1; i + 1 < tokens.size(); i++) {
            if (tokens.get(i).is("AS") && !isCast(tokens, i)) {
                names.add(tokens.get(i + 1).text().toLowerCase(Locale.ROOT));
            }
        }
        var text = new StringBuilder(sql);
        for (int i = tokens.size() - 1; i >= 1; i--) {
            Token token = tokens.get(i);
            String word = token.text().toLowerCase(Locale.ROOT);
            if (token.kind() == Kind.WORD && CALCITE.contains(word) && names.contains(word) && isName(tokens, i)) {
                text.replace(token.from(), token.to(), '"' + word + '"');
            }
        }
        return text.toString();
    }

    /** Whether a word stands where a name may: it is no function, no unit of an interval, no type. */
    private static boolean isName(List<Token> tokens, int i) {
        Token before = tokens.get(i - 1);
        Token after = i + 1 < tokens.size() ? tokens.get(i + 1) : tokens.get(i);
        if (before.is(".")) {
            return true;
        }
        boolean isFunction = after.is("(");
        boolean isConstant = after.kind() == Kind.TEXT;
        boolean isUnit = before.kind() == Kind.TEXT || (before.is("(") && after.is("FROM"));
        boolean isType = before.is("AS") && isCast(tokens, i - 1);
        return !isFunction && !isConstant && !isUnit && !isType;
    }

    /** Whether an AS is that of a CAST. */
    private static boolean isCast(List<Token> tokens, int as) {
        int depth = 0;
        for (int i = as - 1; i > 0; i--) {
            depth += tokens.get(i).is(")") ? 1 : tokens.get(i).is("(") ? -1 : 0;
            if (depth < 0) {
                return tokens.get(i - 1).is("CAST");
            }
        }
        return false;
    }
}
