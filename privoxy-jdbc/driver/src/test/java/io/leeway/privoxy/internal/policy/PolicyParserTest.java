package io.leeway.privoxy.internal.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PolicyParserTest {

    private final List<Finding> findings = new ArrayList<>();

    @Test
    void readsContextsViewsAndAssertions() {
        List<PolicyStatement> statements = parse("""
                CREATE CONTEXT MyUId BIGINT, Now TIMESTAMP WITH TIME ZONE,
                  Price NUMERIC(10, 2);
                create view names (a, "B c") as select id, name from people;
                CREATE ASSERTION reshares AS SELECT id FROM posts WHERE type = 'Reshare'
                  IS CONTAINED IN SELECT id FROM posts WHERE public = TRUE;
                CREATE ASSERTION no_self_block AS SELECT id FROM blocks WHERE user_id = person_id IS EMPTY;
                """);

        assertThat(findings).isEmpty();
        assertThat(statements).hasSize(4);
        assertThat(((PolicyStatement.Context) statements.get(0)).parameters())
                .extracting(PolicyStatement.Parameter::name, PolicyStatement.Parameter::type)
                .containsExactly(
                        tuple("MyUId", "BIGINT"),
                        tuple("Now", "TIMESTAMP WITH TIME ZONE"),
                        tuple("Price", "NUMERIC(10, 2)"));
        var view = (PolicyStatement.View) statements.get(1);
        assertThat(view.name()).isEqualTo("names");
        assertThat(view.columns()).containsExactly("a", "B c");
        assertThat(view.query().sql()).isEqualTo("select id, name from people");
        assertThat(view.position()).isEqualTo(new Position("p.sql", 3, 13));
        var contained = (PolicyStatement.Assertion) statements.get(2);
        assertThat(contained.left().sql()).isEqualTo("SELECT id FROM posts WHERE type = 'Reshare'");
        assertThat(contained.right())
                .isNotNull()
                .extracting(Body::sql)
                .isEqualTo("SELECT id FROM posts WHERE public = TRUE");
        var empty = (PolicyStatement.Assertion) statements.get(3);
        assertThat(empty.left().sql()).isEqualTo("SELECT id FROM blocks WHERE user_id = person_id");
        assertThat(empty.right()).isNull();
    }

    @Test
    void theCommentDirectlyAboveDescribesAView() {
        List<PolicyStatement> statements = parse("""
                -- ==== A heading ====

                -- Everybody may
                -- see names.
                CREATE VIEW a AS SELECT 1;
                CREATE VIEW b AS SELECT 2; -- not about c
                CREATE VIEW c AS SELECT 3;
                /*
                 * In a block,
                 * too.
                 */
                CREATE VIEW d AS SELECT 4;
                /* short */
                CREATE VIEW e AS SELECT 5; CREATE VIEW f AS SELECT 6;
                """);

        assertThat(statements)
                .extracting(statement -> ((PolicyStatement.View) statement).description())
                .containsExactly("Everybody may see names.", "", "", "In a block, too.", "short", "");
    }

    @Test
    void commentsWithinAQueryBecomeSpacesAndOffsetsStay() {
        List<PolicyStatement> statements =
                parse("CREATE VIEW v AS SELECT id -- the ';' id\n  /* of; */ FROM people WHERE x = '--;/*';");

        Body query = ((PolicyStatement.View) statements.get(0)).query();
        assertThat(query.sql()).doesNotContain("the", "of;").endsWith("FROM people WHERE x = '--;/*'");
        assertThat(query.position(query.sql().indexOf("FROM"))).isEqualTo(new Position("p.sql", 2, 13));
        assertThat(findings).isEmpty();
    }

    @Test
    void verbsInQuotesAndParenthesesBelongToTheQuery() {
        List<PolicyStatement> statements =
                parse("CREATE ASSERTION a AS SELECT ' IS EMPTY' FROM t WHERE (x IS EMPTY) = \"IS EMPTY\" IS EMPTY;");

        assertThat(((PolicyStatement.Assertion) statements.get(0)).left().sql()).endsWith("= \"IS EMPTY\"");
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
                    SELECT 1;                                      | 1:1  | not known here
                    CREATE TABLE t (id INT);                       | 1:8  | only contexts, views and assertions
                    CREATE VIEW AS SELECT 1;                       | 1:16 | AS is missing
                    CREATE VIEW v SELECT 1;                        | 1:15 | AS is missing
                    CREATE VIEW v AS ;                             | 1:18 | a query is missing
                    CREATE VIEW v (a AS SELECT 1;                  | 1:18 | not closed
                    CREATE CONTEXT MyUId;                          | 1:21 | has no type
                    CREATE CONTEXT ;                               | 1:16 | name of a context parameter
                    CREATE ASSERTION a AS SELECT 1;                | 1:31 | says nothing about its query
                    CREATE ASSERTION a AS IS EMPTY;                | 1:23 | a query is missing
                    CREATE ASSERTION a AS SELECT 1 IS EMPTY 2;     | 1:41 | text after IS EMPTY
                    CREATE ASSERTION a AS SELECT 1 IS CONTAINED IN;| 1:47 | a query is missing
                    CREATE VIEW v AS SELECT 1                      | 1:1  | does not end with a semicolon
                    """)
    void saysWhereAStatementIsWrong(String text, String place, String message) {
        parse(text);

        assertThat(findings).singleElement().satisfies(finding -> {
            assertThat(finding.toString())
                    .startsWith("p.sql:" + place + ": error: ")
                    .contains(message);
            assertThat(finding.remedy()).isNotEmpty();
        });
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
                    CREATE VIEW v AS SELECT 'it\\'s';              | 1:28 | backslash
                    CREATE VIEW v AS SELECT "a\\"";                | 1:27 | backslash
                    CREATE VIEW v AS SELECT 1 # ; more             | 1:27 | '#'
                    CREATE VIEW v AS SELECT 1 // ; more            | 1:27 | '//'
                    CREATE VIEW v AS SELECT $$;$$;                 | 1:25 | dollar
                    CREATE VIEW v AS SELECT $q$;$q$;               | 1:25 | dollar
                    CREATE VIEW v AS SELECT 1 /* a /* b */ ;       | 1:32 | nest
                    CREATE VIEW v AS SELECT 1 /*! , 2 */ ;         | 1:27 | execute
                    CREATE VIEW v AS SELECT 1 /*M! , 2 */ ;        | 1:27 | execute
                    CREATE VIEW v AS SELECT 1 /* ;                 | 1:27 | not closed
                    CREATE VIEW v AS SELECT 'a ;                   | 1:25 | not closed
                    """)
    void refusesWhatDatabasesReadDifferently(String text, String place, String message) {
        parse(text);

        assertThat(findings)
                .anySatisfy(finding -> assertThat(finding.toString())
                        .startsWith("p.sql:" + place + ": error: ")
                        .contains(message));
    }

    @Test
    void quotesWithinQuotesAreWrittenTwice() {
        List<PolicyStatement> statements = parse("CREATE VIEW \"a\"\"b\" AS SELECT 'it''s; '';' FROM `x``;y`;");

        assertThat(findings).isEmpty();
        assertThat(statements).singleElement().satisfies(statement -> {
            var view = (PolicyStatement.View) statement;
            assertThat(view.name()).isEqualTo("a\"b");
            assertThat(view.query().sql()).isEqualTo("SELECT 'it''s; '';' FROM `x``;y`");
        });
    }

    @Test
    void goesOnAfterAMistake() {
        List<PolicyStatement> statements =
                parse("CREATE VEW a AS SELECT 1;\n;CREATE VIEW b AS SELECT 2;\nDROP VIEW b;");

        assertThat(statements).hasSize(1);
        assertThat(findings).extracting(finding -> finding.position().line()).containsExactly(1, 3);
    }

    @Test
    void countsLinesOfAnyKindOfFile() {
        parse("\uFEFF-- a\r\n\r\n  DROP VIEW b;");

        assertThat(findings).extracting(Finding::position).containsExactly(new Position("p.sql", 3, 3));
    }

    private List<PolicyStatement> parse(String text) {
        return PolicyParser.parse(new SourceText("p.sql", text), findings);
    }
}
