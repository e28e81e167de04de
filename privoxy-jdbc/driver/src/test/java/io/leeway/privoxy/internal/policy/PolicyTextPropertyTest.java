package io.leeway.privoxy.internal.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.privoxy.internal.sql.Dialect;
import io.leeway.privoxy.internal.sql.ParsedSql;
import io.leeway.privoxy.internal.sql.SqlOptions;
import io.leeway.privoxy.internal.sql.SqlParser;
import io.leeway.privoxy.internal.sql.UnsupportedSqlException;
import io.leeway.privoxy.internal.sql.ast.QueryBody;
import io.leeway.privoxy.internal.sql.ast.Statement;
import io.leeway.testkit.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the scanner takes for one query, the dialects' own lexers take for one query, too. */
class PolicyTextPropertyTest {

    private static final List<String> VALUES = List.of(
            "1", "'a'", "'a;b'", "'it''s; --'", "'/*'", "'*/'", "''", "''';'''", "x", "t.\"y\"", "?Me", "'#'", "'$$'");
    private static final List<String> SPACES = List.of(
            " ", "\n", "\t", "/* c; */", "-- c; 'd\n", "--\n", "/* ' */", "/**/", "/* -- */", "\r\n", "/*;*/-- \"\n");
    private static final List<String> TRICKS = List.of(
            "'", "\"", "`", "\\", ";", "--", "-", "/", "*", "/*", "*/", "#", "$", "$a$", "$$", "a", " ", "\n", "E'",
            "?a", "//", "N'", "_x'", "{", "}", ":", "!", "'a'", "--\n");

    @ParameterizedTest
    @EnumSource
    void queriesEndWhereTheyWereMeantToEnd(Dialect dialect) {
        RandomGenerator random = Seeds.random("policy texts, " + dialect);
        for (int round = 0; round < 500; round++) {
            var counts = new ArrayList<Integer>();
            String text = policy(random, counts);
            var findings = new ArrayList<Finding>();

            List<PolicyStatement> statements = PolicyParser.parse(new SourceText("p", text), findings);

            assertThat(findings).as(text).isEmpty();
            assertThat(statements).as(text).hasSameSizeAs(counts);
            for (int i = 0; i < counts.size(); i++) {
                Body body = ((PolicyStatement.View) statements.get(i)).query();
                assertThat(items(body.sql(), dialect)).as(text).isEqualTo(counts.get(i));
            }
        }
    }

    /** Whatever is put into a condition, a view never loses the condition: it is read as a whole or refused. */
    @Test
    void aConditionIsNeverCutOff() {
        RandomGenerator random = Seeds.random("conditions of policies");
        for (int round = 0; round < 20_000; round++) {
            String text = "CREATE VIEW v AS SELECT x FROM t " + tricks(random) + " WHERE y = 'end';\n";
            var findings = new ArrayList<Finding>();
            List<PolicyStatement> statements = PolicyParser.parse(new SourceText("p", text), findings);
            if (findings.isEmpty()) {
                assertThat(statements).as(text).isNotEmpty();
                for (Dialect dialect : Dialect.values()) {
                    assertThat(isWithoutCondition(statements, text, dialect))
                            .as("%s: %s", dialect, text)
                            .isFalse();
                }
            }
        }
    }

    private static boolean isWithoutCondition(List<PolicyStatement> statements, String text, Dialect dialect) {
        if (isBlankedOut(text)) {
            return false;
        }
        for (PolicyStatement statement : statements) {
            if (statement instanceof PolicyStatement.View view) {
                QueryBody.Select select = select(view.query().sql(), dialect);
                return select != null && select.where() == null;
            }
        }
        return false;
    }

    /** Whether the author wrote the condition into a comment, or ended the statement before it. */
    private static boolean isBlankedOut(String text) {
        List<Scanner.Chunk> chunks = Scanner.split(new SourceText("p", text), new ArrayList<>());
        return !chunks.get(0).blanked().substring(0, chunks.get(0).end()).contains("WHERE");
    }

    private static String tricks(RandomGenerator random) {
        var text = new StringBuilder();
        int count = random.nextInt(1, 6);
        for (int i = 0; i < count; i++) {
            text.append(TRICKS.get(random.nextInt(TRICKS.size())));
        }
        return text.toString();
    }

    private static String policy(RandomGenerator random, List<Integer> counts) {
        var text = new StringBuilder();
        int views = random.nextInt(1, 4);
        for (int i = 0; i < views; i++) {
            int items = random.nextInt(1, 5);
            counts.add(items);
            text.append(space(random)).append("CREATE VIEW v").append(i).append(" AS SELECT");
            for (int j = 0; j < items; j++) {
                text.append(j == 0 ? "" : ",").append(space(random));
                text.append(VALUES.get(random.nextInt(VALUES.size()))).append(space(random));
            }
            text.append("FROM t").append(space(random)).append(';');
        }
        return text.append(space(random)).toString();
    }

    private static String space(RandomGenerator random) {
        return ' ' + SPACES.get(random.nextInt(SPACES.size()));
    }

    private static int items(String sql, Dialect dialect) {
        QueryBody.Select select = select(sql.replace("\"y\"", "y"), dialect);
        return select == null ? -1 : select.items().size();
    }

    private static QueryBody.@Nullable Select select(String sql, Dialect dialect) {
        try {
            ParsedSql parsed = SqlParser.parse(sql, SqlOptions.of(dialect).forPolicy());
            return parsed.statements().size() == 1
                            && parsed.statements().get(0) instanceof Statement.Select statement
                            && statement.query().body() instanceof QueryBody.Select select
                    ? select
                    : null;
        } catch (UnsupportedSqlException refused) {
            return null;
        }
    }
}
