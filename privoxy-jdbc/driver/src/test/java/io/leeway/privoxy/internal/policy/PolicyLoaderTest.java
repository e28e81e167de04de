package io.leeway.privoxy.internal.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.leeway.privoxy.internal.cache.Fingerprint;
import io.leeway.privoxy.internal.decide.CompiledPolicy;
import io.leeway.privoxy.internal.model.Inclusion;
import io.leeway.privoxy.internal.model.ValueKind;
import io.leeway.privoxy.internal.model.View;
import io.leeway.privoxy.internal.schema.SchemaSnapshot;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class PolicyLoaderTest {

    private static final SchemaSnapshot TABLES = SocialSchema.tables();

    @Test
    void bindsAPolicyToTheSchema() throws InvalidPolicyException {
        LoadedPolicy loaded = load("""
                CREATE CONTEXT MyUId BIGINT;
                -- Everybody may see names.
                CREATE VIEW names AS SELECT id, name FROM people;
                CREATE VIEW my_posts (post, kind) AS SELECT id, type FROM posts WHERE author_id = ?MyUId;
                CREATE ASSERTION a AS SELECT id FROM posts WHERE type = 'Reshare' IS CONTAINED IN SELECT id FROM posts;
                CREATE ASSERTION b AS SELECT id FROM posts WHERE id = root_id IS EMPTY;
                """);

        assertThat(loaded.warnings()).isEmpty();
        assertThat(loaded.policy().context()).containsOnlyKeys("MyUId");
        assertThat(Objects.requireNonNull(loaded.policy().context().get("MyUId"))
                        .kind())
                .isEqualTo(ValueKind.NUMBER);
        assertThat(loaded.policy().schema().tables()).containsOnlyKeys("public.people", "public.posts");
        assertThat(loaded.policy().views()).extracting(View::name).containsExactly("names", "my_posts");
        View names = loaded.policy().views().get(0);
        assertThat(names.description()).isEqualTo("Everybody may see names.");
        assertThat(names.columns()).containsExactly("id", "name");
        assertThat(names.origin()).isEqualTo("p1.sql:3:13");
        assertThat(loaded.policy().views().get(1).columns()).containsExactly("post", "kind");
        assertThat(loaded.policy().inclusions()).extracting(Inclusion::name).containsExactly("a", "b");
        assertThat(loaded.policy().inclusions().get(1).right().disjuncts()).isEmpty();
        assertThat(loaded.position("my_posts")).isEqualTo(new Position("p1.sql", 4, 13));
    }

    @Test
    void tellsAllErrorsAtOnceWithPlaceAndRemedy() {
        var fault = catchThrowableOfType(InvalidPolicyException.class, () -> load("""
                        CREATE CONTEXT MyUId BIGINT, Bad JSON;
                        CREATE VIEW a AS SELECT naem FROM people;
                        CREATE VIEW b AS SELECT nmae FROM people WHERE
                          id = ?MyUid;
                        CREATE VIEW c AS SELECT emial FROM people;
                        CREATE VIEW A AS SELECT id FROM people;
                        """, """
                        CREATE VIEW d (x, y) AS SELECT id FROM people;
                        CREATE ASSERTION e AS SELECT id FROM posts IS CONTAINED IN SELECT id, name FROM people;
                        CREATE VIEW f AS SELECT id FROM people LIMIT 3;
                        """));

        assertThat(fault.getMessage().lines())
                .extracting(line -> line.substring(0, line.indexOf(" [")))
                .containsExactly(
                        "p1.sql:1:30: error: a context parameter cannot be a JSON",
                        "p1.sql:2:25: error: cannot be used: the column naem, which no table in sight has, did you mean name?",
                        "p1.sql:4:8: error: the context parameter ?MyUid is not declared, did you mean MyUId?",
                        "p1.sql:5:25: error: cannot be used: the column emial, which no table in sight has, did you mean email?",
                        "p1.sql:6:13: error: the name A is already used at p1.sql:2:13",
                        "p2.sql:1:13: error: the view names 2 columns, its query returns 1",
                        "p2.sql:2:18: error: the queries of e return 1 and 2 columns",
                        "p2.sql:3:40: error: cannot be used: LIMIT in a policy");
        assertThat(fault.findings())
                .allSatisfy(finding -> assertThat(finding.remedy()).isNotEmpty());
    }

    @Test
    void whatNamesATableThatDoesNotExistIsLeftOutWithAWarning() throws InvalidPolicyException {
        LoadedPolicy loaded = load("""
                CREATE VIEW typo AS SELECT id FROM poeple;
                CREATE VIEW half AS SELECT people.id FROM people, other.visits WHERE people.id = visits.id;
                CREATE VIEW names AS SELECT id, name FROM people;
                CREATE ASSERTION a AS SELECT id FROM posts IS CONTAINED IN SELECT id FROM pages;
                """);

        assertThat(loaded.policy().views()).extracting(View::name).containsExactly("names");
        assertThat(loaded.policy().inclusions()).isEmpty();
        assertThat(loaded.missingTables())
                .containsExactlyInAnyOrder(List.of("poeple"), List.of("other", "visits"), List.of("pages"));
        assertThat(loaded.warnings())
                .extracting(Finding::toString)
                .satisfiesExactly(
                        first -> assertThat(first)
                                .startsWith("p1.sql:1:36: warning:")
                                .contains(
                                        "the table poeple, which does not exist, did you mean people?",
                                        "has no effect"),
                        second -> assertThat(second).startsWith("p1.sql:2:51: warning:"),
                        third -> assertThat(third).startsWith("p1.sql:4:75: warning:"));
    }

    @Test
    void afterAChangeOfTheSchemaWhatDoesNotFitIsLeftOut() throws InvalidPolicyException {
        SourceText text = new SourceText(
                "p.sql",
                "CREATE VIEW gone AS SELECT id, nickname FROM people; CREATE VIEW names AS SELECT name FROM people;");

        LoadedPolicy loaded = PolicyLoader.loadWhatFits(List.of(text), SocialSchema.compiler(TABLES), TABLES);

        assertThat(loaded.policy().views()).extracting(View::name).containsExactly("names");
        assertThat(loaded.warnings()).singleElement().asString().contains("p.sql:1:32", "nickname", "has no effect");
    }

    @Test
    void theHashOfWhatIsInForceChangesWhenAViewComesAlive() throws InvalidPolicyException {
        CompiledPolicy without =
                CompiledPolicy.of(load("CREATE VIEW a AS SELECT id FROM people; CREATE VIEW b AS SELECT id FROM pages;")
                        .policy());
        CompiledPolicy with =
                CompiledPolicy.of(load("CREATE VIEW a AS SELECT id FROM people; CREATE VIEW b AS SELECT id FROM posts;")
                        .policy());

        assertThat(Fingerprint.of(without, List.of())).isNotEqualTo(Fingerprint.of(with, List.of()));
    }

    @Test
    void warnsOfParametersAndViewsWithoutEffect() throws InvalidPolicyException {
        LoadedPolicy loaded = load("""
                CREATE CONTEXT MyUId BIGINT;
                CREATE VIEW nothing AS SELECT id FROM people WHERE FALSE;
                """);

        assertThat(loaded.warnings())
                .extracting(Finding::toString)
                .satisfiesExactly(
                        first -> assertThat(first)
                                .startsWith("p1.sql:1:16: warning: the context parameter ?MyUId is not used"),
                        second -> assertThat(second)
                                .startsWith("p1.sql:2:13: warning: the view nothing reveals nothing"));
    }

    @Test
    void aParameterMayBeDeclaredInAnyFile() throws InvalidPolicyException {
        LoadedPolicy loaded = load(
                "CREATE VIEW mine AS SELECT id FROM posts WHERE author_id = ?MyUId;", "CREATE CONTEXT MyUId BIGINT;");

        assertThat(loaded.policy().context()).containsOnlyKeys("MyUId");
    }

    @Test
    void aParameterIsDeclaredOnce() {
        assertThatThrownBy(() -> load("CREATE CONTEXT MyUId BIGINT; CREATE CONTEXT myuid UUID;"))
                .isInstanceOf(InvalidPolicyException.class)
                .hasMessageContaining("?myuid is already used");
    }

    @Test
    void theHashIsThatOfTheMeaningAlone() throws InvalidPolicyException {
        String hash =
                load("CREATE VIEW a AS SELECT id FROM people; CREATE VIEW b AS SELECT id FROM posts WHERE type = 'a b';")
                        .hash();

        assertThat(load(
                                "CREATE VIEW b AS SELECT id FROM posts\n  WHERE type = 'a b';",
                                "-- why\nCREATE VIEW a AS SELECT id\nFROM people;")
                        .hash())
                .isEqualTo(hash)
                .hasSize(64);
        assertThat(
                        load("CREATE VIEW a AS SELECT id FROM people; CREATE VIEW b AS SELECT id FROM posts WHERE type = 'a  b';")
                                .hash())
                .isNotEqualTo(hash);
        assertThat(load("CREATE VIEW a AS SELECT id FROM people;").hash()).isNotEqualTo(hash);
    }

    private static LoadedPolicy load(String... texts) throws InvalidPolicyException {
        var number = new int[1];
        List<SourceText> sources = Arrays.stream(texts)
                .map(text -> new SourceText("p" + ++number[0] + ".sql", text))
                .toList();
        return PolicyLoader.load(sources, SocialSchema.compiler(TABLES), TABLES);
    }
}
