package io.leeway.privoxy.internal.normalize;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.privoxy.internal.sql.Dialect;
import io.leeway.privoxy.internal.sql.SqlOptions;
import io.leeway.privoxy.internal.sql.SqlParser;
import io.leeway.privoxy.internal.sql.ast.Expr;
import io.leeway.privoxy.internal.sql.ast.FromItem;
import io.leeway.privoxy.internal.sql.ast.GroupItem;
import io.leeway.privoxy.internal.sql.ast.InsertSource;
import io.leeway.privoxy.internal.sql.ast.Name;
import io.leeway.privoxy.internal.sql.ast.Node;
import io.leeway.privoxy.internal.sql.ast.QualifiedName;
import io.leeway.privoxy.internal.sql.ast.QueryBody;
import io.leeway.privoxy.internal.sql.ast.SelectItem;
import io.leeway.privoxy.internal.sql.ast.Statement;
import io.leeway.privoxy.internal.sql.ast.TypeName;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The walk over the tree misses nothing: it is compared with the components of the records. */
class TreeTest {

    private static final List<String> POSTGRES = List.of(
            "WITH RECURSIVE w(a) AS (SELECT 1) SELECT DISTINCT ON (a) *, w.*, a AS b, -a, a + 1, a = 1 AND b OR NOT c,"
                    + " a IS NULL, a IS TRUE, a IS DISTINCT FROM b, a BETWEEN 1 AND 2, a IN (1, 2), a IN (SELECT 1),"
                    + " EXISTS (SELECT 2), a = ANY (SELECT 3), a = ANY (b), a LIKE b ESCAPE 'x',"
                    + " CASE a WHEN 1 THEN 2 ELSE 3 END, a::int, count(DISTINCT a ORDER BY b) FILTER (WHERE c),"
                    + " percentile_cont(0.5) WITHIN GROUP (ORDER BY a),"
                    + " sum(a) OVER (PARTITION BY b ORDER BY c ROWS BETWEEN 1 PRECEDING AND 2 FOLLOWING),"
                    + " (a, b) = (1, 2), ARRAY[a, 1], ARRAY(SELECT 4), (a)[1], (a)[1:2], (a).f, (SELECT 5),"
                    + " a COLLATE \"C\", a AT TIME ZONE 'UTC', extract(year FROM a), make_interval(days => 3)"
                    + " FROM t x JOIN u ON x.a = u.b, LATERAL (SELECT 6) s, generate_series(1, 2) g"
                    + " WHERE a = 1 GROUP BY a, ROLLUP (b), CUBE (c), GROUPING SETS ((d), ()) HAVING count(*) > 1"
                    + " WINDOW v AS (ORDER BY a) ORDER BY a LIMIT 1 OFFSET 2 FOR UPDATE",
            "(TABLE t) UNION (VALUES (1, 2))",
            "INSERT INTO t AS x (a) VALUES (1), (DEFAULT) ON CONFLICT (a) WHERE b DO UPDATE SET a = 1 WHERE c RETURNING a",
            "INSERT INTO t DEFAULT VALUES",
            "WITH w AS (SELECT 1) INSERT INTO t SELECT 2",
            "UPDATE t SET a = 1, (b, c) = (SELECT 1, 2) FROM u WHERE a = 1 RETURNING *",
            "DELETE FROM t USING u WHERE a = 1 RETURNING a",
            "MERGE INTO t USING u ON t.a = u.b WHEN MATCHED AND a = 1 THEN UPDATE SET a = 2"
                    + " WHEN NOT MATCHED THEN INSERT (a) VALUES (3)",
            "CALL p(a, 1)",
            "CREATE TABLE t AS SELECT 1",
            "COPY (SELECT 1) TO STDOUT",
            "EXPLAIN SELECT 1",
            "SET a = 1",
            "SHOW a",
            "BEGIN",
            "CREATE INDEX i ON t (a)",
            "VACUUM");

    private static final List<String> MARIADB = List.of(
            "SELECT a XOR b, _utf8mb4'x', NEXT VALUE FOR s, @@version, date_add(a, INTERVAL 1 DAY), group_concat(a SEPARATOR 'x')",
            "UPDATE t SET a = 1 ORDER BY b LIMIT 3",
            "DELETE FROM t ORDER BY b LIMIT 3");

    private static final Set<Class<?>> NOT_WALKED = Set.of(Name.class, QualifiedName.class, TypeName.class);

    private final Set<Class<?>> seen = new HashSet<>();

    @Test
    void childrenAreAllNodesAmongTheComponents() throws ReflectiveOperationException {
        for (String sql : POSTGRES) {
            compare(Dialect.POSTGRESQL, sql);
        }
        for (String sql : MARIADB) {
            compare(Dialect.MARIADB, sql);
        }

        assertThat(seen)
                .contains(leaves(Expr.class, FromItem.class, QueryBody.class, SelectItem.class, GroupItem.class));
        assertThat(seen).contains(leaves(Statement.class, InsertSource.class));
    }

    /** The kinds of nodes, but for one that only policies have. */
    private static Class<?>[] leaves(Class<?>... kinds) {
        List<Class<?>> leaves = new ArrayList<>();
        for (Class<?> kind : kinds) {
            leaves.addAll(List.of(kind.getPermittedSubclasses()));
        }
        leaves.remove(Expr.PolicyParameter.class);
        leaves.remove(Expr.Parameter.class);
        leaves.remove(Expr.WholeRow.class);
        return leaves.toArray(new Class<?>[0]);
    }

    private void compare(Dialect dialect, String sql) throws ReflectiveOperationException {
        for (Statement statement : SqlParser.parse(sql, SqlOptions.of(dialect)).statements()) {
            compare(statement);
        }
    }

    private void compare(Node node) throws ReflectiveOperationException {
        seen.add(node.getClass());
        Set<Node> components = new LinkedHashSet<>();
        collect(node, components);
        assertThat(new LinkedHashSet<>(Tree.children(node))).as(node.toString()).isEqualTo(components);
        for (Node child : components) {
            compare(child);
        }
    }

    /** The nodes among the components, through records that are no nodes themselves. */
    private static void collect(Object record, Set<Node> nodes) throws ReflectiveOperationException {
        for (RecordComponent component : record.getClass().getRecordComponents()) {
            component.getAccessor().setAccessible(true);
            collectValue(component.getAccessor().invoke(record), nodes);
        }
    }

    private static void collectValue(Object value, Set<Node> nodes) throws ReflectiveOperationException {
        if (value instanceof List<?> list) {
            for (Object element : list) {
                collectValue(element, nodes);
            }
        } else if (value instanceof Expr || value instanceof Node node && !isName(node)) {
            nodes.add((Node) value);
        } else if (value instanceof Record record && !isName(value)) {
            collect(record, nodes);
        }
    }

    /** Names and types have nothing to visit; locks name tables of FROM. */
    private static boolean isName(Object value) {
        return NOT_WALKED.contains(value.getClass())
                || value instanceof io.leeway.privoxy.internal.sql.ast.Locking
                || value instanceof io.leeway.privoxy.internal.sql.ast.Alias;
    }
}
