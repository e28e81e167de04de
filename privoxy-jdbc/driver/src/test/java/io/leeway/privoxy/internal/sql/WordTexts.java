package io.leeway.privoxy.internal.sql;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.random.RandomGenerator;

/**
 * One word at every place where it may be a name or a keyword. What the word is there shows in the value: {@code 7} is what
 * a column of that name has. In an order of chance.
 */
final class WordTexts {

    /** {@code W} is the word, {@code Q} the same as a quoted name. Table {@code x} has columns a, b, s. */
    private static final List<String> PLACES = List.of(
            "SELECT W FROM (SELECT 7 AS Q) y",
            "SELECT W, 1 FROM (SELECT 7 AS Q) y",
            "SELECT 1, W FROM (SELECT 7 AS Q) y",
            "SELECT 1 + W FROM (SELECT 7 AS Q) y",
            "SELECT W + 1 FROM (SELECT 7 AS Q) y",
            "SELECT - W FROM (SELECT 7 AS Q) y",
            "SELECT (W) FROM (SELECT 7 AS Q) y",
            "SELECT y.W FROM (SELECT 7 AS Q) y",
            "SELECT 1 FROM (SELECT 7 AS Q) y WHERE W = 7",
            "SELECT 1 FROM (SELECT 7 AS Q) y WHERE 7 = W",
            "SELECT 1 FROM (SELECT 7 AS Q) y WHERE W IN (7)",
            "SELECT 1 FROM (SELECT 7 AS Q) y WHERE NOT W = 8",
            "SELECT 1 FROM (SELECT 7 AS Q) y GROUP BY W",
            "SELECT W FROM (SELECT 7 AS Q) y ORDER BY W",
            "SELECT CASE W WHEN 7 THEN 1 END FROM (SELECT 7 AS Q) y",
            "SELECT CASE WHEN 1 = 1 THEN W END FROM (SELECT 7 AS Q) y",
            "SELECT COALESCE(W, 1) FROM (SELECT 7 AS Q) y",
            "SELECT COUNT(W) FROM (SELECT 7 AS Q) y",
            "SELECT DISTINCT W FROM (SELECT 7 AS Q) y",
            "SELECT ALL W FROM (SELECT 7 AS Q) y",
            "SELECT W a FROM (SELECT 7 AS Q, 3 AS a, 5 AS b) y",
            "SELECT a W b FROM (SELECT 7 AS Q, 3 AS a, 5 AS b) y",
            "SELECT W '1' FROM (SELECT 7 AS Q) y",
            "SELECT W * FROM (SELECT 7 AS Q) y",
            "SELECT W - 1 FROM (SELECT 7 AS Q) y",
            "SELECT a W FROM x",
            "SELECT y.Q FROM (SELECT 7 W) y",
            "SELECT y.Q FROM (SELECT a W FROM x) y",
            "SELECT y.Q FROM (SELECT 7 AS W) y",
            "SELECT y.Q FROM (SELECT 7 W, 8 AS z) y",
            "SELECT y.Q FROM (SELECT s W FROM x) y",
            "SELECT W.c FROM (SELECT 7 AS c) Q",
            "SELECT W.* FROM (SELECT 7 AS c) Q",
            "SELECT Q.c FROM (SELECT 7 AS c) W",
            "SELECT Q.c FROM (SELECT 7 AS c) AS W",
            "SELECT Q.a FROM x W",
            "SELECT Q.a FROM x AS W",
            "SELECT COUNT(*) FROM x W",
            "SELECT COUNT(*) FROM x AS W",
            "SELECT COUNT(*) FROM x W, x z",
            "SELECT COUNT(*) FROM x W x z",
            "SELECT COUNT(*) FROM x W JOIN x z ON 1 = 1",
            "SELECT COUNT(*) FROM x y W JOIN x z ON 1 = 1",
            "SELECT COUNT(*) FROM x W WHERE 1 = 0",
            "SELECT COUNT(*) FROM x y JOIN x W ON 1 = 1",
            "SELECT COUNT(*) FROM x WHERE 1 = 0 W 1 = 1",
            "SELECT COUNT(*) FROM x WHERE W 1 = 0",
            "SELECT a FROM x W 1",
            "SELECT a FROM x ORDER BY a W",
            "SELECT a FROM x ORDER BY a W LIMIT 1",
            "SELECT a FROM x LIMIT 1 W",
            "SELECT a FROM x W SELECT a FROM x",
            "WITH Q AS (SELECT 7 AS c) SELECT c FROM W",
            "WITH W AS (SELECT 7 AS c) SELECT c FROM Q",
            "SELECT y.Q FROM (SELECT 7) y (W)",
            "SELECT COUNT(*) OVER W FROM x WINDOW Q AS (PARTITION BY a)",
            "SELECT COUNT(*) OVER Q FROM x WINDOW W AS (PARTITION BY a)",
            "SELECT W() FROM x",
            "SELECT W(a) FROM x",
            "SELECT W(a, b) FROM x",
            "SELECT W(s) FROM x",
            "SELECT W(s, 1) FROM x",
            "SELECT W(s, 1, 1) FROM x",
            "SELECT W(*) FROM x",
            "SELECT W (a) FROM x",
            "SELECT 1 + W(a) FROM x",
            "SELECT W(DISTINCT a) FROM x",
            "SELECT W(a) OVER () FROM x",
            "SELECT W() OVER (ORDER BY a) FROM x",
            "SELECT CAST(a AS W) FROM x",
            "SELECT CAST('1' AS W) FROM x",
            "SELECT W(s USING utf8mb4) FROM x",
            "SELECT W(s FROM 1) FROM x",
            "SELECT EXTRACT(W FROM DATE '2020-02-03') FROM x",
            "SELECT COUNT(*) FROM x JOIN (SELECT 1 AS Q) y USING (W)",
            "SELECT W 1",
            "SELECT 1 W",
            "SELECT 1 W 2",
            "SELECT 1 W W 2",
            "SELECT W",
            "TABLE W",
            "VALUES (1) W VALUES (2)");

    private final Iterator<String> texts;
    private final int count;

    /** Every word at every place, or that many of these texts. */
    WordTexts(Dialect dialect, Collection<String> words, RandomGenerator random, int most) {
        var all = new ArrayList<String>();
        for (String word : words) {
            String name = dialect == Dialect.H2 ? word.toUpperCase(Locale.ROOT) : word.toLowerCase(Locale.ROOT);
            String quote = dialect == Dialect.MARIADB ? "`" : "\"";
            for (String place : PLACES) {
                all.add(place.replaceAll("\\bQ\\b", quote + name + quote).replaceAll("\\bW\\b", word));
            }
        }
        Collections.shuffle(all, new Random(random.nextLong()));
        count = Math.min(most, all.size());
        texts = all.iterator();
    }

    int count() {
        return count;
    }

    String next() {
        return texts.next();
    }
}
