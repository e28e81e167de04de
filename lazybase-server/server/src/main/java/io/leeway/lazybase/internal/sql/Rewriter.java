package io.leeway.lazybase.internal.sql;

import io.leeway.lazybase.internal.sql.Lexer.Kind;
import io.leeway.lazybase.internal.sql.Lexer.Token;
import java.util.List;
import java.util.Locale;

/** Brings what PostgreSQL's clients write, and Calcite's parser does not read, into a form that it reads. Stateless. */
final class Rewriter {

    private Rewriter() {}

    static String rewrite(String sql) {
        String text = sql;
        if (text.contains("OPERATOR(") || text.contains("operator(")) {
            text = text.replaceAll("(?i)OPERATOR\\s*\\(\\s*pg_catalog\\.([~!=<>*]+)\\s*\\)", "$1");
        }
        if (text.toUpperCase(Locale.ROOT).contains("COLLATE")) {
            text = text.replaceAll("(?i)\\s+COLLATE\\s+pg_catalog\\.\"?default\"?", "");
        }
        if (text.toLowerCase(Locale.ROOT).contains("now()")) {
            text = text.replaceAll("(?i)\\bnow\\(\\)", "CURRENT_TIMESTAMP");
        }
        return withoutSemicolon(text);
    }

    private static String withoutSemicolon(String text) {
        List<Token> tokens = Lexer.tokens(text);
        int last = tokens.size() - 2;
        return last >= 0
                        && tokens.get(last).kind() == Kind.SIGN
                        && tokens.get(last).is(";")
                ? text.substring(0, tokens.get(last).from())
                : text;
    }
}
