package io.leeway.privoxy.internal.smt;

import static io.leeway.privoxy.internal.decide.QueryBuilder.constant;
import static io.leeway.privoxy.internal.decide.QueryBuilder.from;
import static io.leeway.privoxy.internal.decide.QueryBuilder.parameter;
import static io.leeway.privoxy.internal.smt.Calendar.number;
import static io.leeway.privoxy.internal.smt.Calendar.policy;
import static io.leeway.privoxy.internal.smt.Calendar.problem;
import static io.leeway.privoxy.internal.smt.Calendar.view;
import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.privoxy.internal.decide.SchemaBuilder;
import io.leeway.privoxy.internal.model.ConjunctiveQuery;
import io.leeway.privoxy.internal.model.Policy;
import io.leeway.privoxy.internal.model.Schema;
import io.leeway.privoxy.internal.model.UnionQuery;
import io.leeway.privoxy.internal.model.View;
import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.api.Test;

class ScopeFinderTest {

    @Test
    void aViewOfATableThatNobodySawStaysOut() {
        Scope scope = ScopeFinder.forProof(problem(Calendar.TITLE, List.of(number(5))), Calendar.POLICY);

        assertThat(scope.tables()).containsOnlyKeys("events");
        assertThat(scope.views()).isEmpty();
    }

    @Test
    void aSeenRowBringsInItsTableAndWhatItRefersTo() {
        Scope scope = ScopeFinder.forProof(
                problem(Calendar.TITLE, List.of(number(5)), Calendar.attendance()), Calendar.POLICY);

        assertThat(scope.tables()).containsOnlyKeys("events", "attendances", "users");
        assertThat(scope.views()).containsExactlyInAnyOrder(Calendar.ALL_USERS, Calendar.MY_EVENTS);
    }

    @Test
    void columnsThatNothingLooksAtAreNotWritten() {
        Scope scope = ScopeFinder.forProof(
                problem(Calendar.TITLE, List.of(number(5)), Calendar.attendance()), Calendar.POLICY);

        assertThat(scope.table("events").columns()).isEqualTo(columns(0, 1));
        assertThat(scope.table("users").columns()).isEqualTo(columns(0));
    }

    @Test
    void aUnionViewComesInWholeBecauseHalfOfItWouldSayMore() {
        Schema schema = new SchemaBuilder()
                .table("a", "id!")
                .key("a", "id")
                .table("b", "id!")
                .key("b", "id")
                .build();
        ConjunctiveQuery fromA = from(schema, "a").select("a.id");
        ConjunctiveQuery fromB = from(schema, "b").select("b.id");
        Policy policy = policy(schema, view("either", new UnionQuery(List.of(fromA, fromB))));

        Scope scope = ScopeFinder.forProof(problem(UnionQuery.of(fromA), List.of()), policy);

        assertThat(scope.tables()).containsOnlyKeys("a", "b");
    }

    @Test
    void databasesThatAreToExistNeedWhatTheirForeignKeysDemand() {
        Schema schema = new SchemaBuilder()
                .table("owners", "id!")
                .key("owners", "id")
                .table("notes", "id!", "owner!", "text text")
                .key("notes", "id")
                .foreignKey("notes", "owner", "owners", "id")
                .build();
        SmtProblem problem =
                problem(from(schema, "notes n").equal("n.id", parameter(0)).union("n.text"), List.of(number(1)));

        assertThat(ScopeFinder.forProof(problem, policy(schema)).tables()).containsOnlyKeys("notes");
        assertThat(ScopeFinder.forDatabases(problem, policy(schema)).tables()).containsOnlyKeys("notes", "owners");
    }

    @Test
    void aForeignKeyBetweenColumnsComparedInDifferentWaysIsNotWritten() {
        Schema schema = new SchemaBuilder()
                .table("tags", "name! text")
                .key("tags", "name")
                .table("uses", "id!", "tag! citext")
                .key("uses", "id")
                .foreignKey("uses", "tag", "tags", "name")
                .build();
        View uses = view("uses", from(schema, "uses u").union("u.*"));
        SmtProblem problem =
                problem(from(schema, "uses u").equal("u.id", constant(1)).union("u.tag"), List.of());

        Scope scope = ScopeFinder.forProof(problem, policy(schema, uses));

        assertThat(scope.tables()).containsOnlyKeys("uses");
    }

    private static BitSet columns(int... columns) {
        BitSet set = new BitSet();
        for (int column : columns) {
            set.set(column);
        }
        return set;
    }
}
