package io.leeway.privoxy.internal.sql;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Something to be put into a text, by token, so that it fits all texts with one skeleton.
 *
 * @param token number of the token before which it stands
 * @param text with a blank on both sides
 */
public record Addition(int token, String text) {

    /**
     * The same in one text.
     *
     * @param offset number of characters before it
     */
    public record Placed(int offset, String text) {}

    /** The text with these, which are in its order. Characters behind the last of them may be others. */
    public static String put(String sql, List<Placed> additions) {
        if (additions.isEmpty()) {
            return sql;
        }
        var all = new StringBuilder(sql.length() + 64);
        int from = 0;
        for (Placed addition : additions) {
            all.append(sql, from, addition.offset).append(addition.text);
            from = addition.offset;
        }
        return all.append(sql, from, sql.length()).toString();
    }

    static List<Placed> placed(List<Addition> additions, Tokens tokens) {
        List<Placed> placed = new ArrayList<>(additions.size());
        for (Addition addition : additions) {
            placed.add(new Placed(addition.token == 0 ? 0 : tokens.end(addition.token - 1), addition.text));
        }
        placed.sort(Comparator.comparingInt(Placed::offset));
        return List.copyOf(placed);
    }
}
