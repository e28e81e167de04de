package io.leeway.privoxy.internal.normalize;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.privoxy.internal.model.ConjunctiveQuery;
import io.leeway.privoxy.internal.model.StatementPlan;
import io.leeway.privoxy.internal.normalize.Account.Ignored;
import io.leeway.privoxy.internal.sql.Dialect;
import io.leeway.privoxy.internal.sql.SqlOptions;
import io.leeway.privoxy.internal.sql.SqlParser;
import io.leeway.privoxy.internal.sql.UnsupportedSqlException;
import io.leeway.privoxy.internal.sql.ast.Expr;
import io.leeway.privoxy.internal.sql.ast.Node;
import io.leeway.privoxy.internal.sql.ast.Query;
import io.leeway.privoxy.internal.sql.ast.QueryBody;
import io.leeway.privoxy.internal.sql.ast.SelectItem;
import io.leeway.privoxy.internal.sql.ast.Statement;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Every part of a statement is read, left out by a name, or the statement is refused: wherever in a tree an expression or
 * a query stands, one that reads a hidden table is put in its place, by the components of the records, so that no kind of
 * node can be forgotten.
 */
class AccountTest {

    private static final List<String> COMMON = List.of(
            "SELECT u.id, -u.age, u.age + 1, u.age = 1 AND u.id = 2 OR NOT u.id = 3, u.code IS NULL, u.age IN (1, 2),"
                    + " u.age BETWEEN 1 AND 2, u.name LIKE 'a%', CASE u.age WHEN 1 THEN 2 ELSE 3 END,"
                    + " CASE WHEN u.age = 1 THEN u.id END, CAST(u.age AS DECIMAL(10, 2)), coalesce(u.age, 1), lower(u.name),"
                    + " EXISTS (SELECT 1 FROM posts p WHERE p.author_id = u.id), u.id IN (SELECT p.author_id FROM posts p),"
                    + " u.id >= ALL (SELECT p.author_id FROM posts p), (SELECT max(p.id) FROM posts p) FROM users u",
            "SELECT u.id FROM users u WHERE u.age = 1 AND (u.id = 2 OR NOT u.id = 3) AND u.code IS NOT NULL AND u.age IN (1, 2)",
            "SELECT u.id FROM users u WHERE u.age BETWEEN 1 AND 2 AND u.name LIKE 'a%' AND coalesce(u.age, 1) = 1",
            "SELECT u.id FROM users u WHERE EXISTS (SELECT p.id FROM posts p WHERE p.author_id = u.id)",
            "SELECT u.id FROM users u WHERE NOT EXISTS (SELECT 1 FROM posts p WHERE p.author_id = u.id)",
            "SELECT u.id FROM users u WHERE u.id IN (SELECT p.author_id FROM posts p WHERE p.score > 1)",
            "SELECT u.id FROM users u WHERE u.id NOT IN (SELECT p.author_id FROM posts p GROUP BY p.author_id)",
            "SELECT u.id FROM users u WHERE u.id = (SELECT p.author_id FROM posts p WHERE p.id = 1)",
            "SELECT u.id FROM users u WHERE EXISTS (SELECT count(*) FROM posts p WHERE p.author_id = u.id)",
            "SELECT u.id FROM users u WHERE (u.id, u.age) IN (SELECT p.author_id, p.id FROM posts p)",
            "SELECT u.id, p.id FROM users u JOIN posts p ON p.author_id = u.id AND p.score > 1 ORDER BY u.age + 1, p.id",
            "SELECT u.id, p.id FROM users u LEFT JOIN posts p ON p.author_id = u.id ORDER BY u.name, u.id, p.id LIMIT 3",
            "SELECT u.age, count(*), sum(u.id), max(u.boss_id) FROM users u GROUP BY u.age HAVING count(*) > 1 ORDER BY count(*)",
            "SELECT u.age, row_number() OVER (PARTITION BY u.age ORDER BY u.id),"
                    + " sum(u.id) OVER (ORDER BY u.id ROWS BETWEEN 1 PRECEDING AND 2 FOLLOWING) FROM users u",
            "SELECT q.id FROM (SELECT u.id, u.name FROM users u WHERE u.age = 1) q WHERE q.id = 2",
            "SELECT q.id FROM (SELECT u.id FROM users u ORDER BY u.name, u.id LIMIT 3) q",
            "SELECT q.a FROM (SELECT u.age AS a, count(*) AS n FROM users u GROUP BY u.age) q WHERE q.n > 1",
            "SELECT u.id FROM users u UNION SELECT p.id FROM posts p WHERE p.score > 1",
            "SELECT u.id FROM users u UNION ALL SELECT p.id FROM posts p ORDER BY 1",
            "(SELECT u.id FROM users u WHERE u.age = 1 ORDER BY u.id LIMIT 3) UNION ALL (SELECT p.id FROM posts p)",
            "(SELECT u.id FROM users u WHERE u.age = 1) ORDER BY 1",
            "WITH w AS (SELECT u.id AS a FROM users u WHERE u.age = 1) SELECT w.a FROM w",
            "SELECT u.id FROM users u WHERE u.id = -1 AND u.age IN (-2, 3) AND u.age > -1.5",
            "INSERT INTO logs (level, text) VALUES (1, 'x'), (2 + 1, lower('Y'))",
            "INSERT INTO logs (level, text) SELECT u.id, u.name FROM users u WHERE u.age = 1",
            "UPDATE users SET age = age + 1, name = lower(name) WHERE id = 1 AND age > 2",
            "DELETE FROM users WHERE id = 1 AND age > 2",
            "SELECT 1 FROM users u WHERE u.age = 1 LIMIT 1",
            "SELECT u.id FROM users u WHERE u.age = 1 OR EXISTS (SELECT p.id FROM posts p LIMIT 0)");

    private static final Map<Dialect, List<String>> OWN = Map.of(
            Dialect.POSTGRESQL,
            List.of(
                    "SELECT u.id FROM users u WHERE u.name LIKE 'a' ESCAPE 'x' AND (u.age = 1) IS NOT TRUE",
                    "SELECT u.age IS DISTINCT FROM 1, u.age = ANY (ARRAY[1, 2]), u.name ILIKE 'a', u.age::text, ARRAY[u.age, 1],"
                            + " ARRAY(SELECT p.id FROM posts p ORDER BY p.id), (ARRAY[u.age])[1], (ARRAY[u.age])[1:2],"
                            + " u.name COLLATE \"C\", u.name || 'x', extract(year FROM timestamp '2020-01-01'), (u.id, 1) = (1, 2),"
                            + " (u.age = 1) IS TRUE, timestamp '2020-01-01' AT TIME ZONE 'UTC' FROM users u",
                    "SELECT count(DISTINCT u.age) FILTER (WHERE u.id > 1), string_agg(u.name, ',' ORDER BY u.id),"
                            + " percentile_cont(0.5) WITHIN GROUP (ORDER BY u.age) FROM users u",
                    "SELECT DISTINCT ON (u.age) u.id FROM users u ORDER BY u.age, u.id",
                    "SELECT u.age, rank() OVER w FROM users u WINDOW w AS (PARTITION BY u.age ORDER BY u.id)",
                    "SELECT count(*) FROM users u GROUP BY ROLLUP (u.age), CUBE (u.boss_id), GROUPING SETS ((u.id), ())",
                    "SELECT u.id, s.n FROM users u, LATERAL (SELECT count(*) AS n FROM posts p WHERE p.author_id = u.id) s",
                    "SELECT u.id, g.g FROM users u, generate_series(1, u.age) g",
                    "SELECT u.id, p.id FROM users u FULL JOIN posts p ON p.author_id = u.id",
                    "WITH RECURSIVE w(a) AS (SELECT u.id FROM users u UNION SELECT u.boss_id FROM users u JOIN w ON w.a = u.id)"
                            + " SELECT w.a FROM w",
                    "TABLE users",
                    "INSERT INTO users (id, name, mail) VALUES (1, 'x', 'y') ON CONFLICT (id) DO UPDATE SET name = lower('x')"
                            + " WHERE users.age = 1 RETURNING id, name || 'x'",
                    "INSERT INTO logs (level, text) VALUES (1, 'x') ON CONFLICT DO NOTHING",
                    "UPDATE users SET age = p.id, (name, code) = (SELECT 'x', 'y') FROM posts p WHERE p.id = users.boss_id"
                            + " AND users.id = 1 RETURNING users.id + 1",
                    "DELETE FROM users USING posts p WHERE p.id = users.boss_id AND users.id = 1 RETURNING users.id",
                    "MERGE INTO users u USING posts p ON u.id = p.id AND p.id = 1 WHEN MATCHED AND u.age = 1 THEN UPDATE SET age"
                            + " = p.id + 1 WHEN NOT MATCHED THEN INSERT (id, name, mail, code, age, boss_id) VALUES (p.id, 'x',"
                            + " 'y', 'z', 1 + 1, 2)",
                    "WITH u AS (UPDATE users SET age = 1 + 1 WHERE age = 2 RETURNING id) SELECT u.id FROM u",
                    "CREATE TABLE copies AS SELECT u.id FROM users u WHERE u.age = 1"),
            Dialect.MARIADB,
            List.of(
                    "SELECT u.age XOR u.id, u.age <=> 1, u.age DIV 2, if(u.age = 1, 2, 3),"
                            + " date_add('2020-01-01', INTERVAL u.age DAY), u.name REGEXP 'x' FROM users u",
                    "SELECT group_concat(u.name ORDER BY u.id SEPARATOR ',') FROM users u",
                    "SELECT count(*) FROM users u GROUP BY u.age WITH ROLLUP",
                    "INSERT INTO users (id, name, mail) VALUES (1, 'x', 'y') ON DUPLICATE KEY UPDATE name = concat('x', 'y'),"
                            + " age = VALUES(age)",
                    "INSERT INTO logs (level, text) VALUES (1, 'x') ON DUPLICATE KEY UPDATE text = lower('X')",
                    "UPDATE users u JOIN posts p ON p.id = u.boss_id SET u.age = p.id + 1 WHERE u.id = 1",
                    "UPDATE users SET age = 1 + 1 WHERE id > 1 ORDER BY id LIMIT 3",
                    "DELETE FROM users WHERE id > 1 ORDER BY id LIMIT 3",
                    "DELETE u FROM users u JOIN posts p ON p.id = u.boss_id WHERE u.id = 1"),
            Dialect.H2,
            List.of(
                    "SELECT u.id FROM users u QUALIFY row_number() OVER (ORDER BY u.id) = 1",
                    "SELECT JSON_ARRAY((SELECT p.id FROM posts p ORDER BY p.id)), ARRAY[u.age] FROM users u",
                    "MERGE INTO users (id, name, mail) KEY (id) VALUES (1, lower('X'), 'y')"));

    /** What is read has no effect here: on rows that are distinct without it, in a name that nobody uses, on no rows. */
    private static final List<String> WITHOUT_EFFECT = List.of(
            "SELECT DISTINCT u.name FROM users u LEFT JOIN posts p ON p.author_id = u.id",
            "WITH w AS (SELECT p.id FROM posts p) SELECT u.id FROM users u",
            "SELECT q.* FROM (SELECT u.id, (SELECT max(p.id) FROM posts p) AS n FROM users u) q WHERE 1 = 0",
            "SELECT u.id FROM users u WHERE 1 = 0",
            "SELECT u.id FROM users u WHERE 1 = 0 AND u.age = (SELECT max(p.id) FROM posts p)",
            "SELECT u.id FROM users u WHERE 1 = 0 AND u.id NOT IN (SELECT p.id FROM posts p WHERE p.score = 1)",
            "SELECT u.id FROM users u WHERE EXISTS (SELECT 1 FROM posts p WHERE 1 = 0 AND p.id = (SELECT max(l.level) FROM"
                    + " logs l))",
            "SELECT DISTINCT u.name FROM users u LEFT JOIN posts p ON p.id = (SELECT max(l.level) FROM logs l)");

    private final Set<Ignored> reasons = EnumSet.noneOf(Ignored.class);
    private final Set<String> kinds = new HashSet<>();
    private int seen;
    private int refused;

    @Test
    void whateverStandsAnywhereIsReadOrTheStatementIsRefused() throws ReflectiveOperationException {
        for (Dialect dialect : Dialect.values()) {
            List<String> texts = new ArrayList<>(COMMON);
            texts.addAll(OWN.getOrDefault(dialect, List.of()));
            for (String sql : texts) {
                Statement statement = parse(dialect, sql);
                // As it stands it is understood, so that what is found is not about something else.
                assertThat(read(dialect, statement, sql, null))
                        .as("%s %s", dialect, sql)
                        .isNotNull();
                for (Node node : nodes(statement)) {
                    if (node instanceof Expr || node instanceof Query) {
                        replaced(dialect, statement, sql, node);
                    }
                }
            }
        }

        assertThat(kinds).hasSizeGreaterThan(30);
        assertThat(seen).isGreaterThan(1000);
        assertThat(refused).isLessThan(seen);
        assertThat(reasons)
                .contains(Ignored.NOT_ASKED_FOR, Ignored.ALWAYS_ONE_ROW, Ignored.NO_ROW, Ignored.STRIKES_NOTHING)
                .doesNotContain(Ignored.LIMIT, Ignored.CATALOGUE);
    }

    private void replaced(Dialect dialect, Statement statement, String sql, Node node)
            throws ReflectiveOperationException {
        Node canary = canary(dialect, node);
        Object mutant;
        try {
            mutant = with(statement, node, canary);
        } catch (IllegalArgumentException otherType) {
            // A place for one kind of expression only, as the string behind a character set.
            return;
        }
        seen++;
        kinds.add(node.getClass().getSimpleName());
        StatementPlan plan = read(dialect, (Statement) mutant, sql, canary);
        if (plan == null) {
            refused++;
            return;
        }
        boolean isRead = plan.obligations().stream()
                .flatMap(obligation -> obligation.query().disjuncts().stream())
                .flatMap(query -> query.atoms().stream())
                .anyMatch(atom -> atom.table().toLowerCase(Locale.ROOT).endsWith("hidden"));
        assertThat(isRead)
                .as("%s %s: in place of %s at %d nobody reads it", dialect, sql, node, node.position())
                .isTrue();
    }

    /** The plan; null if the statement is refused, or the canary left out on purpose. */
    private @Nullable StatementPlan read(Dialect dialect, Statement statement, String sql, @Nullable Node canary) {
        Fixture tables = Fixture.social(dialect).table("hidden", "id! secret", "id");
        var work = new Work(sql, dialect, tables, new Arguments(List.of()), false, Map.of(), AllowedFunctions.NONE);
        String schema = dialect == Dialect.H2 ? "S" : "s";
        try {
            StatementPlan plan = work.closed(
                            () -> new Normalizer(dialect, tables, false)
                                    .normalize(statement, work, List.of(schema), "ann"),
                            statement.position())
                    .plan();
            Ignored reason = canary == null ? null : work.account.reason(canary);
            if (reason != null) {
                reasons.add(reason);
                return null;
            }
            return plan;
        } catch (UnsupportedSqlException e) {
            if (canary == null) {
                throw e;
            }
            return null;
        }
    }

    /** The same with a column of a query around, whose table is read in any case. */
    @Test
    void aColumnOfAQueryAroundIsReadWhereverItStands() throws ReflectiveOperationException {
        for (Dialect dialect : Dialect.values()) {
            List<String> texts = new ArrayList<>(COMMON);
            texts.addAll(OWN.getOrDefault(dialect, List.of()));
            for (String sql : texts) {
                for (String around : AROUND.get(dialect)) {
                    String whole = around.formatted(sql);
                    Statement statement = parsed(dialect, whole);
                    if (statement == null || isRefused(dialect, statement, whole)) {
                        continue;
                    }
                    int begin = around.indexOf("%s");
                    for (Node node : nodes(statement)) {
                        if (node instanceof Expr
                                && node.position() >= begin
                                && node.position() < begin + sql.length()) {
                            replacedByOuter(dialect, statement, whole, node);
                        }
                    }
                }
            }
        }
        assertThat(kinds).hasSizeGreaterThan(20);
        assertThat(seen).isGreaterThan(1000);
        assertThat(refused).isLessThan(seen);
    }

    /** What shows all that the query inside gives: a column that changes none of it need not be read. */
    private static final List<String> INSIDE =
            List.of("SELECT h.id, (%s) FROM hidden h", "SELECT h.id, (SELECT max(zz.id) FROM (%s) zz) FROM hidden h");

    private static final Map<Dialect, List<String>> AROUND = Map.of(
            Dialect.POSTGRESQL,
            Stream.concat(
                            INSIDE.stream(),
                            Stream.of(
                                    "SELECT h.id, zz.* FROM hidden h CROSS JOIN LATERAL (%s) zz",
                                    "SELECT h.id, zz.* FROM hidden h LEFT JOIN LATERAL (%s) zz ON TRUE"))
                    .toList(),
            Dialect.MARIADB,
            INSIDE,
            Dialect.H2,
            INSIDE);

    private static @Nullable Statement parsed(Dialect dialect, String sql) {
        try {
            return parse(dialect, sql);
        } catch (UnsupportedSqlException noQuery) {
            return null;
        }
    }

    private boolean isRefused(Dialect dialect, Statement statement, String sql) {
        try {
            return read(dialect, statement, sql, null) == null;
        } catch (UnsupportedSqlException e) {
            return true;
        }
    }

    private void replacedByOuter(Dialect dialect, Statement statement, String sql, Node node)
            throws ReflectiveOperationException {
        var select = (Statement.Select) parse(dialect, "SELECT h.secret FROM hidden h");
        var item = (SelectItem.Value)
                ((QueryBody.Select) select.query().body()).items().get(0);
        Object mutant;
        try {
            mutant = with(statement, node, item.expr());
        } catch (IllegalArgumentException otherType) {
            return;
        }
        seen++;
        kinds.add(node.getClass().getSimpleName());
        StatementPlan plan = read(dialect, (Statement) mutant, sql, item.expr());
        if (plan == null) {
            refused++;
            return;
        }
        boolean isRead = plan.obligations().stream()
                .flatMap(obligation -> obligation.query().disjuncts().stream())
                .anyMatch(AccountTest::readsSecret);
        assertThat(isRead)
                .as("%s %s: in place of %s at %d nobody reads the column around", dialect, sql, node, node.position())
                .isTrue();
    }

    private static boolean readsSecret(ConjunctiveQuery query) {
        String all = query.head() + " " + query.conditions();
        return query.atoms().stream()
                .filter(atom -> atom.table().toLowerCase(Locale.ROOT).endsWith("hidden"))
                .anyMatch(atom -> all.contains("Variable[index=" + (atom.firstVariable() + 1) + "]"));
    }

    @Test
    void whatHasNoEffectIsAccountedForToo() {
        for (String sql : WITHOUT_EFFECT) {
            assertThat(read(Dialect.POSTGRESQL, parse(Dialect.POSTGRESQL, sql), sql, null))
                    .as(sql)
                    .isNotNull();
        }
    }

    @Test
    void aPartThatNobodyReadIsFound() {
        for (String sql : COMMON) {
            Statement statement = parse(Dialect.POSTGRESQL, sql);
            for (Node unread : nodes(statement)) {
                var account = new Account();
                for (Node node : nodes(statement)) {
                    if (node != unread) {
                        account.read(node);
                    }
                }
                assertThat(account.unread(statement) == (Account.holdsOnly(unread) ? null : unread))
                        .as("%s: %s", sql, unread)
                        .isTrue();
            }
        }
    }

    // --- trees -------------------------------------------------------------------------------------------------------

    private static Statement parse(Dialect dialect, String sql) {
        return SqlParser.parse(sql, SqlOptions.of(dialect)).statements().get(0);
    }

    /** What reads a hidden table: as a value, or as a query with as many columns as another. */
    private static Node canary(Dialect dialect, Node node) {
        int columns = node instanceof Query query ? Math.max(1, columns(query.body())) : 1;
        String item = node instanceof Query ? "h.secret" : "max(h.secret)";
        var select = (Statement.Select)
                parse(dialect, "SELECT " + String.join(", ", Collections.nCopies(columns, item)) + " FROM hidden h");
        return node instanceof Query ? select.query() : new Expr.Scalar(select.query(), node.position());
    }

    private static int columns(QueryBody body) {
        if (body instanceof QueryBody.Select select) {
            return (int) select.items().stream()
                    .filter(SelectItem.Value.class::isInstance)
                    .count();
        }
        if (body instanceof QueryBody.SetOperation operation) {
            return columns(operation.left());
        }
        return body instanceof QueryBody.Nested nested ? columns(nested.query().body()) : 1;
    }

    private static List<Node> nodes(Node root) {
        List<Node> nodes = new ArrayList<>(List.of(root));
        Tree.children(root).forEach(child -> nodes.addAll(nodes(child)));
        return nodes;
    }

    /** The same tree with another node in a place. */
    private static Object with(Object value, Node place, Node other) throws ReflectiveOperationException {
        if (value == place) {
            return other;
        }
        if (value instanceof List<?> list) {
            List<Object> elements = new ArrayList<>();
            boolean changed = false;
            for (Object element : list) {
                Object now = with(element, place, other);
                changed |= now != element;
                elements.add(now);
            }
            return changed ? elements : value;
        }
        if (!(value instanceof Record)) {
            return value;
        }
        RecordComponent[] components = value.getClass().getRecordComponents();
        Class<?>[] types = new Class<?>[components.length];
        @Nullable Object[] values = new Object[components.length];
        boolean changed = false;
        for (int i = 0; i < components.length; i++) {
            types[i] = components[i].getType();
            Object before = components[i].getAccessor().invoke(value);
            values[i] = before == null ? null : with(before, place, other);
            changed |= values[i] != before;
        }
        return changed ? value.getClass().getDeclaredConstructor(types).newInstance(values) : value;
    }
}
