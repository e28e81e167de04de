package io.leeway.privoxy.internal.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.privoxy.internal.guard.ChaseRedundancy;
import io.leeway.privoxy.internal.model.Inclusion;
import io.leeway.privoxy.internal.model.View;
import io.leeway.privoxy.internal.schema.SchemaSnapshot;
import java.util.List;
import org.junit.jupiter.api.Test;

class PolicyLintTest {

    private static final SchemaSnapshot TABLES = SocialSchema.tables();

    @Test
    void hasNothingToSayOfAGoodView() throws InvalidPolicyException {
        assertThat(lint("""
                        CREATE CONTEXT MyUId BIGINT;
                        CREATE VIEW mine AS SELECT posts.id, posts.type FROM posts, people
                          WHERE posts.author_id = people.id AND people.id = ?MyUId;
                        """)).isEmpty();
    }

    @Test
    void notesViewsWithoutKeys() throws InvalidPolicyException {
        assertThat(lint("CREATE VIEW types AS SELECT type FROM posts;"))
                .singleElement()
                .asString()
                .startsWith("p.sql:1:13: note: the view returns no key of public.posts");
        assertThat(lint("CREATE VIEW emails AS SELECT email FROM people;")).hasSize(1);
        assertThat(lint("CREATE VIEW lines AS SELECT line FROM logs;"))
                .as("no key, and all of the table")
                .hasSize(2);
    }

    @Test
    void aKeyMayBeGivenByAJoin() throws InvalidPolicyException {
        assertThat(lint("CREATE VIEW v AS SELECT posts.id FROM posts, people WHERE posts.author_id = people.id;"))
                .isEmpty();
    }

    @Test
    void warnsOfTablesThatNothingConnects() throws InvalidPolicyException {
        assertThat(lint("CREATE VIEW v AS SELECT posts.id, people.id FROM posts, people;"))
                .singleElement()
                .asString()
                .contains("warning: nothing connects public.people and public.posts");
    }

    @Test
    void aPinnedRowIsAGuardAndNoProduct() throws InvalidPolicyException {
        assertThat(lint("""
                        CREATE CONTEXT MyUId BIGINT;
                        CREATE VIEW v AS SELECT posts.id FROM posts, people WHERE people.id = ?MyUId AND people.name = 'root';
                        """)).isEmpty();
    }

    @Test
    void warnsOfParametersOfAnotherType() throws InvalidPolicyException {
        assertThat(lint("""
                        CREATE CONTEXT Me VARCHAR(20);
                        CREATE VIEW v AS SELECT id FROM posts WHERE author_id = ?Me;
                        """))
                .singleElement()
                .asString()
                .contains("?Me is a VARCHAR(20) and is compared with author_id, a bigint");
    }

    @Test
    void warnsOfConditionsThatAreNeverTrue() throws InvalidPolicyException {
        assertThat(lint("CREATE VIEW v AS SELECT id FROM posts WHERE type = 'a' AND type = 'b';"))
                .singleElement()
                .asString()
                .contains("warning: a part of the view is never true: two different values");
    }

    @Test
    void warnsOfTwoViewsThatShowTheSame() throws InvalidPolicyException {
        assertThat(lint("CREATE VIEW v AS SELECT id FROM posts; CREATE VIEW w AS SELECT posts.id FROM posts;"))
                .singleElement()
                .asString()
                .contains("the view w shows the same as v");
    }

    @Test
    void warnsOfAssertionsThatFollowFromTheSchema() throws InvalidPolicyException {
        List<Finding> findings = lintAll("""
                CREATE ASSERTION fk AS SELECT author_id FROM posts IS CONTAINED IN SELECT id FROM people;
                CREATE ASSERTION less AS SELECT id FROM posts WHERE type = 'a' IS CONTAINED IN SELECT id FROM posts;
                CREATE ASSERTION far AS SELECT root_id FROM posts WHERE root_id = 7 IS CONTAINED IN
                  SELECT posts.id FROM posts, people WHERE posts.author_id = people.id;
                CREATE ASSERTION never AS SELECT id FROM posts WHERE type = 'a' AND type = 'b' IS EMPTY;
                CREATE ASSERTION one_row AS SELECT p.id FROM posts p, posts q WHERE p.id = q.id AND q.type = 'a'
                  IS CONTAINED IN SELECT id FROM posts WHERE type = 'a';
                CREATE ASSERTION either AS SELECT id FROM posts WHERE type = 'a' IS CONTAINED IN
                  SELECT id FROM posts WHERE type = 'a' AND root_id = 7
                  UNION SELECT id FROM posts WHERE type = 'a';
                CREATE ASSERTION nullable AS SELECT root_id FROM posts IS CONTAINED IN SELECT id FROM posts;
                CREATE ASSERTION own AS SELECT id FROM posts WHERE type = 'a' IS CONTAINED IN
                  SELECT id FROM posts WHERE type = 'b';
                CREATE ASSERTION no_self AS SELECT id FROM posts WHERE root_id = id IS EMPTY;
                """);

        assertThat(findings)
                .extracting(Finding::message)
                .containsExactly(
                        "the policy has no view, so every query of a table is refused",
                        "the assertion fk says nothing new: it follows from the schema",
                        "the assertion less says nothing new: it follows from the schema",
                        "the assertion far says nothing new: it follows from the schema",
                        "the assertion never says nothing new: it follows from the schema",
                        "the assertion one_row says nothing new: it follows from the schema",
                        "the assertion either says nothing new: it follows from the schema");
    }

    @Test
    void warnsOfViewsOfTheDatabaseAndNotesWhatTheSchemaLeavesOut() throws InvalidPolicyException {
        List<Finding> findings =
                lintAll("CREATE VIEW v AS SELECT id FROM recent; CREATE VIEW w AS SELECT id FROM people;", List.of());

        assertThat(findings)
                .extracting(Finding::message)
                .anySatisfy(message -> assertThat(message).contains("public.recent is a view of the database"))
                .anySatisfy(message -> assertThat(message).contains("public.people: key people_name_key is left out"));
    }

    @Test
    void notesTablesWithoutAnyView() throws InvalidPolicyException {
        assertThat(lintAll("CREATE VIEW v AS SELECT id FROM posts;", TABLES.names(List.of())))
                .satisfiesExactly(
                        tables -> assertThat(tables)
                                .asString()
                                .startsWith("p.sql:1:1: note: no view shows anything of public.logs, public.people,"
                                        + " public.recent"),
                        columns -> assertThat(columns)
                                .asString()
                                .startsWith("p.sql:1:13: note: no view mentions these columns of public.posts:"
                                        + " author_id, root_id, type"));
    }

    @Test
    void notesViewsThatShowAWholeTable() throws InvalidPolicyException {
        assertThat(lint("CREATE VIEW v AS SELECT id, name, email, born FROM people;"))
                .singleElement()
                .asString()
                .startsWith("p.sql:1:13: note: the view shows all of public.people to everybody");
        assertThat(lint("CREATE VIEW v AS SELECT id, name, email, born FROM people WHERE id = 1;"))
                .isEmpty();
    }

    @Test
    void asksTheEngineForViewsThatAddNothing() throws InvalidPolicyException {
        LoadedPolicy loaded =
                load("CREATE VIEW v AS SELECT id FROM posts; CREATE VIEW w AS SELECT id, type FROM posts;");

        List<Finding> findings = PolicyLint.check(loaded, List.of(), List.of(), new Redundancy(loaded) {
            @Override
            public boolean isCovered(View view, List<View> others) {
                return others.stream().anyMatch(other -> other.columns().containsAll(view.columns()));
            }
        });

        assertThat(findings)
                .singleElement()
                .asString()
                .contains("the view v shows nothing that the others do not show");
    }

    private static List<Finding> lint(String text) throws InvalidPolicyException {
        LoadedPolicy loaded = load(text);
        return PolicyLint.check(loaded, List.of(), List.of(), new Redundancy(loaded));
    }

    private static List<Finding> lintAll(String text) throws InvalidPolicyException {
        return lint(text);
    }

    private static List<Finding> lintAll(String text, List<String> names) throws InvalidPolicyException {
        LoadedPolicy loaded = load(text);
        var relations = names.isEmpty() ? TABLES.relations() : List.<io.leeway.privoxy.internal.schema.Relation>of();
        return PolicyLint.check(loaded, relations, names, new Redundancy(loaded));
    }

    /** Of views nothing, of assertions what the chase says. */
    private static class Redundancy implements PolicyLint.Redundancy {

        private final ChaseRedundancy chase;

        Redundancy(LoadedPolicy loaded) {
            this.chase = new ChaseRedundancy(loaded.policy());
        }

        @Override
        public boolean isCovered(View view, List<View> others) {
            return false;
        }

        @Override
        public boolean isOfTheSchema(Inclusion assertion) {
            return chase.isOfTheSchema(assertion);
        }
    }

    private static LoadedPolicy load(String text) throws InvalidPolicyException {
        return PolicyLoader.load(List.of(new SourceText("p.sql", text)), SocialSchema.compiler(TABLES), TABLES);
    }
}
