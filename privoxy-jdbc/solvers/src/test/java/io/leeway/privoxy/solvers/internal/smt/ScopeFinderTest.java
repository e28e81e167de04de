package io.leeway.privoxy.solvers.internal.smt;

import static io.leeway.privoxy.solvers.Sketch.arg;
import static io.leeway.privoxy.solvers.Sketch.parameter;
import static io.leeway.privoxy.solvers.Sketch.problem;
import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.privoxy.internal.model.ConjunctiveQuery;
import io.leeway.privoxy.internal.model.Policy;
import io.leeway.privoxy.internal.refute.PlainProblem;
import io.leeway.privoxy.solvers.Sketch;
import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.api.Test;

class ScopeFinderTest {

    @Test
    void aViewOfATableThatNobodySawStaysOut() {
        Scope scope = ScopeFinder.forProof(problem(Calendar.TITLE, List.of(arg(5))), Calendar.POLICY);

        assertThat(scope.tables()).containsOnlyKeys("events");
        assertThat(scope.views()).isEmpty();
    }

    @Test
    void aSeenRowBringsInItsTableAndWhatItRefersTo() {
        Scope scope =
                ScopeFinder.forProof(problem(Calendar.TITLE, List.of(arg(5)), Calendar.attendance()), Calendar.POLICY);

        assertThat(scope.tables()).containsOnlyKeys("events", "attendances", "users");
        assertThat(scope.views()).containsExactlyInAnyOrderElementsOf(Calendar.POLICY.views());
    }

    @Test
    void columnsThatNothingLooksAtAreNotWritten() {
        Scope scope =
                ScopeFinder.forProof(problem(Calendar.TITLE, List.of(arg(5)), Calendar.attendance()), Calendar.POLICY);

        assertThat(scope.table("events").columns()).isEqualTo(columns(0, 1));
        assertThat(scope.table("users").columns()).isEqualTo(columns(0));
    }

    @Test
    void aUnionViewComesInWholeBecauseHalfOfItWouldSayMore() {
        Sketch sketch = new Sketch().table("a", "id! key").table("b", "id! key");
        ConjunctiveQuery fromA = sketch.query("a").select("a.id");
        ConjunctiveQuery fromB = sketch.query("b").select("b.id");
        Policy policy = sketch.view("either", fromA, fromB).policy();

        Scope scope = ScopeFinder.forProof(sketch.problem(fromA), policy);

        assertThat(scope.tables()).containsOnlyKeys("a", "b");
    }

    @Test
    void databasesThatAreToExistNeedWhatTheirForeignKeysDemand() {
        Sketch sketch = new Sketch()
                .table("owners", "id! key")
                .table("notes", "id! key", "owner!", "text text")
                .foreignKey("notes.owner", "owners.id");
        PlainProblem problem =
                problem(sketch.query("notes n").where("n.id", "=", parameter(0)).select("n.text"), List.of(arg(1)));

        assertThat(ScopeFinder.forProof(problem, sketch.policy()).tables()).containsOnlyKeys("notes");
        assertThat(ScopeFinder.forDatabases(problem, sketch.policy()).tables()).containsOnlyKeys("notes", "owners");
    }

    @Test
    void aForeignKeyBetweenColumnsComparedInDifferentWaysIsNotWritten() {
        Sketch sketch = new Sketch()
                .table("tags", "name! text key")
                .table("uses", "id! key", "tag! citext")
                .foreignKey("uses.tag", "tags.name");
        sketch.view("uses", sketch.query("uses u").select("u.id", "u.tag"));
        PlainProblem problem =
                sketch.problem(sketch.query("uses u").where("u.id", "=", 1).select("u.tag"));

        Scope scope = ScopeFinder.forProof(problem, sketch.policy());

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
