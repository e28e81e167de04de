package io.leeway.privoxy.solvers;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.privoxy.spi.Cancellation;
import io.leeway.privoxy.spi.Limits;
import io.leeway.privoxy.spi.Outcome;
import io.leeway.privoxy.spi.SmtScript;
import io.leeway.privoxy.spi.SmtSolver;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** What every solver must do. */
abstract class SolverContract {

    private static final Limits LIMITS = new Limits(1_000, Duration.ofMinutes(5));

    /** An ever growing chain, which no instantiation of quantifiers ends and which has no finite model. */
    private static final String ENDLESS = """
            (set-logic UF)
            (declare-sort V 0)
            (declare-const a V)
            (declare-fun E (V) Bool)
            (declare-fun R (V V) Bool)
            (declare-fun f (V) V)
            (assert (E a))
            (assert (forall ((x V)) (=> (E x) (exists ((y V)) (and (E y) (R x y) (not (= x y)))))))
            (assert (forall ((x V) (y V) (z V)) (=> (and (R x y) (R y z)) (R x z))))
            (assert (forall ((x V)) (not (R x x))))
            (assert (forall ((x V)) (=> (E x) (and (E (f x)) (R (f x) x)))))
            """;

    private static final String CHOICE = """
            (set-logic QF_UFLRA)
            (declare-sort V 0)
            (declare-const a V)
            (declare-const b V)
            (declare-const c V)
            (declare-const flag Bool)
            (declare-const x Real)
            (declare-const y Real)
            (assert (distinct a b))
            (assert (= a c))
            (assert flag)
            (assert (= x (/ (- 1.0) 3.0)))
            (assert (= y 2.5))
            """;

    abstract SmtSolver solver();

    @Test
    void isFoundOnTheClassPath() {
        assertThat(ServiceLoader.load(SmtSolver.class))
                .anyMatch(found -> found.name().equals(solver().name()));
    }

    @Test
    void isAvailableHere() {
        assertThat(solver().isAvailable()).isTrue();
    }

    @Test
    void saysWhichAssumptionsContradict() {
        String text = """
                (set-logic UF)
                (declare-const p Bool)
                (declare-const q Bool)
                (declare-const l1 Bool)
                (declare-const l2 Bool)
                (declare-const l3 Bool)
                (assert (=> l1 p))
                (assert (=> l2 q))
                (assert (=> l3 (not p)))
                """;

        Outcome outcome = check(new SmtScript(text, List.of("l1", "l2", "l3"), List.of()));

        assertThat(outcome).isInstanceOf(Outcome.Unsatisfiable.class);
        assertThat(((Outcome.Unsatisfiable) outcome).core()).containsExactlyInAnyOrder("l1", "l3");
    }

    @Test
    void tellsTheValuesOfAModel() {
        Outcome outcome = check(new SmtScript(CHOICE, List.of(), List.of("a", "b", "c", "flag", "x", "y")));

        assertThat(outcome).isInstanceOf(Outcome.Satisfiable.class);
        var values = ((Outcome.Satisfiable) outcome).values();
        assertThat(values).containsEntry("flag", "true").containsEntry("x", "-1/3");
        assertThat(values.get("y")).isIn("2.5", "5/2");
        assertThat(values.get("a")).isEqualTo(values.get("c")).isNotEqualTo(values.get("b"));
    }

    @Test
    void givesUpWhenTheEffortIsSpent() {
        Outcome outcome =
                solver().check(SmtScript.of(ENDLESS), new Limits(100, Duration.ofMinutes(5)), new Cancellation());

        assertThat(outcome).isEqualTo(Dialogue.OUT_OF_EFFORT);
    }

    @Test
    void stopsWhenItIsCancelled() throws Exception {
        Cancellation cancellation = new Cancellation();
        ExecutorService thread = Executors.newSingleThreadExecutor();
        try {
            Future<Outcome> outcome = thread.submit(() ->
                    solver().check(SmtScript.of(ENDLESS), new Limits(2_000, Duration.ofMinutes(5)), cancellation));
            cancellation.request();

            assertThat(outcome.get()).isEqualTo(Dialogue.CANCELLED);
        } finally {
            thread.shutdownNow();
        }
    }

    @Test
    void doesNotStartWhenItIsCancelledBefore() {
        Cancellation cancellation = new Cancellation();
        cancellation.request();

        assertThat(solver().check(SmtScript.of(CHOICE), LIMITS, cancellation)).isEqualTo(Dialogue.CANCELLED);
    }

    @Test
    void reportsAScriptThatItCannotReadAsAFault() {
        assertThat(check(SmtScript.of("(set-logic UF) (assert (unheard-of 1)"))).isEqualTo(Dialogue.FAULT);
        assertThat(check(SmtScript.of("(set-logic UF) (assert x)"))).isEqualTo(Dialogue.FAULT);
    }

    @Test
    void answersManyAtOnce() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            List<Future<Outcome>> outcomes = new ArrayList<>();
            for (int i = 0; i < 40; i++) {
                String text = CHOICE + (i % 2 == 0 ? "(assert (distinct a c))" : "");
                outcomes.add(threads.submit(() -> check(new SmtScript(text, List.of(), List.of("a")))));
            }
            for (int i = 0; i < outcomes.size(); i++) {
                Class<?> expected = i % 2 == 0 ? Outcome.Unsatisfiable.class : Outcome.Satisfiable.class;
                assertThat(outcomes.get(i).get()).isInstanceOf(expected);
            }
        } finally {
            threads.shutdownNow();
        }
    }

    private Outcome check(SmtScript script) {
        return solver().check(script, LIMITS, new Cancellation());
    }
}
