package io.leeway.lazybase.internal.sql;

import io.leeway.lazybase.internal.sql.Lexer.Kind;
import io.leeway.lazybase.internal.sql.Lexer.Token;
import java.util.List;

/** Brings what PostgreSQL's clients write, and Calcite's parser does not read, into a form that it reads. Stateless. */
final class Rewriter {

    private Rewriter() {}

    static String rewrite(String sql) {
        String text = sql;
        if (text.contains("OPERATOR(") || text.contains("operator(")) {
            text = text.replaceAll("(?i)OPERATOR\\s*\\(\\s*pg_catalog\\.([~!=<>*]+)\\s*\\)", "$1");
        }
        if (text.toUpperCase(java.util.Locale.ROOT).contains("COLLATE")) {
            text = text.replaceAll("(?i)\\s+COLLATE\\s+pg_catalog\\.\"?default\"?", "");
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
