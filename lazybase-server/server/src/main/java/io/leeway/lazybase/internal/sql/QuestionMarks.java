package io.leeway.lazybase.internal.sql;

import io.leeway.lazybase.internal.sql.Lexer.Token;

/** Parameters as JDBC writes them, for clients whose driver does not number them. Stateless. */
public final class QuestionMarks {

    private QuestionMarks() {}

    /** A statement in which the first question mark is {@code $1} and so on; those in texts, names and comments stay. */
    public static String numbered(String sql) {
        var out = new StringBuilder();
        int copied = 0;
        int number = 0;
        for (Token token : Lexer.tokens(sql)) {
            if (token.kind() == Lexer.Kind.SIGN && token.text().equals("?")) {
                number++;
                out.append(sql, copied, token.from()).append('$').append(number);
                copied = token.to();
            }
        }
        return number == 0 ? sql : out.append(sql, copied, sql.length()).toString();
    }
}
