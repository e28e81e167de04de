package io.leeway.lazybase.internal.sql;

import io.leeway.lazybase.LazyBaseException;
import io.leeway.lazybase.LazyBaseException.Code;
import io.leeway.lazybase.internal.sql.Lexer.Kind;
import io.leeway.lazybase.internal.sql.Lexer.Token;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * {@code SELECT DISTINCT ON (a) … ORDER BY a, b}: the first row of each a. Becomes {@code SELECT … QUALIFY ROW_NUMBER() OVER (PARTITION BY a ORDER
 * BY a, b) = 1 ORDER BY a, b}, which is the same. Stateless.
 */
final class DistinctOn {

    private static final Set<String> AFTER =
            Set.of("ORDER", "LIMIT", "OFFSET", "FETCH", "FOR", "UNION", "EXCEPT", "INTERSECT");

    private DistinctOn() {}

    static String rewrite(String sql) {
        String text = sql;
        for (int guard = 0; guard < 32; guard++) {
            List<Token> tokens = Lexer.tokens(text);
            int at = find(tokens);
            if (at < 0) {
                return text;
            }
            text = rewritten(text, tokens, at);
        }
        throw new LazyBaseException(Code.UNSUPPORTED, "More than 32 times DISTINCT ON.");
    }

    private static int find(List<Token> tokens) {
        for (int i = 0; i + 2 < tokens.size(); i++) {
            if (tokens.get(i).is("DISTINCT")
                    && tokens.get(i + 1).is("ON")
                    && tokens.get(i + 2).is("(")) {
                return i;
            }
        }
        return -1;
    }

    private static String rewritten(String sql, List<Token> tokens, int at) {
        int open = at + 2;
        int close = closing(tokens, open);
        int end = next(tokens, close + 1, AFTER);
        List<String> items = parts(sql, tokens, close + 1, next(tokens, close + 1, Set.of("FROM")));
        String keys = expressions(parts(sql, tokens, open + 1, close), items);
        String order = "";
        if (tokens.get(end).is("ORDER")) {
            int stop = next(tokens, end + 2, AFTER);
            order = " ORDER BY " + expressions(parts(sql, tokens, end + 2, stop), items);
        }
        return sql.substring(0, tokens.get(at).from())
                + sql.substring(tokens.get(close).to(), tokens.get(end).from())
                + " QUALIFY ROW_NUMBER() OVER (PARTITION BY " + keys + order + ") = 1 "
                + sql.substring(tokens.get(end).from());
    }

    private static int closing(List<Token> tokens, int open) {
        int depth = 0;
        for (int i = open; i < tokens.size(); i++) {
            depth += tokens.get(i).is("(") ? 1 : tokens.get(i).is(")") ? -1 : 0;
            if (depth == 0) {
                return i;
            }
        }
        throw new LazyBaseException(Code.SYNTAX, "DISTINCT ON ( has no end.");
    }

    /** The next of some words outside of brackets, or where the SELECT ends. */
    private static int next(List<Token> tokens, int from, Set<String> words) {
        int depth = 0;
        int i = from;
        while (tokens.get(i).kind() != Kind.END && !tokens.get(i).is(";")) {
            Token token = tokens.get(i);
            if (depth == 0
                    && (token.is(")")
                            || (token.kind() == Kind.WORD
                                    && words.contains(token.text().toUpperCase(Locale.ROOT))))) {
                return i;
            }
            depth += token.is("(") ? 1 : token.is(")") ? -1 : 0;
            i++;
        }
        return i;
    }

    /** What commas outside of brackets divide. */
    private static List<String> parts(String sql, List<Token> tokens, int from, int to) {
        var parts = new ArrayList<String>();
        int depth = 0;
        int begin = from;
        for (int i = from; i <= to; i++) {
            Token token = tokens.get(i);
            if (i == to || (depth == 0 && token.is(","))) {
                if (i > begin) {
                    parts.add(sql.substring(
                            tokens.get(begin).from(), tokens.get(i - 1).to()));
                }
                begin = i + 1;
            }
            depth += token.is("(") ? 1 : token.is(")") ? -1 : 0;
        }
        return parts;
    }

    /** Numbers of columns become these columns: in a window they would be numbers. */
    private static String expressions(List<String> parts, List<String> items) {
        var all = new ArrayList<String>();
        for (String part : parts) {
            String[] words = part.split("\\s+", 2);
            if (words[0].matches("[0-9]+")) {
                int number = Integer.parseInt(words[0]);
                boolean plain = items.stream().noneMatch(item -> item.equals("*") || item.endsWith(".*"));
                if (!plain || number < 1 || number > items.size()) {
                    throw new LazyBaseException(
                            Code.UNSUPPORTED, "Column number " + number + " beside DISTINCT ON; name the column.");
                }
                String item = items.get(number - 1).replaceFirst("(?is)\\s+AS\\s+(\"[^\"]*\"|\\w+)$", "");
                all.add(item + (words.length > 1 ? " " + words[1] : ""));
            } else {
                all.add(part);
            }
        }
        return String.join(", ", all);
    }
}
