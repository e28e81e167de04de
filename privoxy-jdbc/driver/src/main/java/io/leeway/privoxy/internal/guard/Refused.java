package io.leeway.privoxy.internal.guard;

import io.leeway.privoxy.PrivoxyErrorCode;
import io.leeway.privoxy.internal.decide.Problem;
import io.leeway.privoxy.internal.decide.Verdict;
import io.leeway.privoxy.internal.model.Obligation;
import io.leeway.privoxy.internal.refute.Counterexample;
import io.leeway.privoxy.spi.PrivoxyMetricsTracker.Stage;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Why a statement that was understood is refused. Each alternative has what there is to say of it, and its error: this is
 * the one place that tells what is undecided from what the policy does not allow.
 */
sealed interface Refused extends Decision {

    /** The error that it is. */
    PrivoxyErrorCode error();

    /** It in words. */
    Denial in(Words words);

    @Override
    default boolean isCompliant() {
        return false;
    }

    /** Puts each of them into words. */
    interface Words {
        Denial of(Unproved refused);

        Denial of(NotReviewed refused);

        Denial of(UnknownValues refused);

        Denial of(NoWrites refused);

        Denial of(OfStates refused);
    }

    /** The search for a proof ended without one. */
    sealed interface Unproved extends Refused {

        /** The part of the statement that is not covered. */
        Obligation obligation();

        /** What was asked. */
        Problem problem();

        /** Where the proof got stuck. */
        Verdict.NotShown open();

        /** The error if all parameters that the question names were given. */
        PrivoxyErrorCode ownError();

        /** Two databases that show the violation, if they were found. */
        default Optional<Counterexample> example() {
            return Optional.empty();
        }

        /** Parameters that nobody gave: all that could help if there is no context, else those that the statement names. */
        default Set<String> missing() {
            Set<String> given = problem().context().keySet();
            Set<String> missing = new TreeSet<>(
                    // Somebody who gave nothing has most likely forgotten to begin a request.
                    given.isEmpty()
                            ? problem().goal().contextNamesNeeded()
                            : problem().goal().contextNames());
            missing.removeAll(given);
            return missing;
        }

        /** Whatever else is so: without who asks there is no proof, and that can be mended first. */
        @Override
        default PrivoxyErrorCode error() {
            return missing().isEmpty() ? ownError() : PrivoxyErrorCode.NO_CONTEXT;
        }

        @Override
        default Denial in(Words words) {
            return words.of(this);
        }
    }

    /**
     * Two databases look the same through the policy and answer differently.
     *
     * <p>Checked by evaluation, so this is a violation and no lack of a proof.
     *
     * @param found the databases
     * @param stage what found them
     */
    record Refuted(Obligation obligation, Problem problem, Verdict.NotShown open, Counterexample found, Stage stage)
            implements Unproved {

        @Override
        public PrivoxyErrorCode ownError() {
            return PrivoxyErrorCode.VIOLATION;
        }

        @Override
        public Optional<Counterexample> example() {
            return Optional.of(found);
        }
    }

    /**
     * All that the rules know was tried.
     *
     * <p>Not refuted; but to say "undecided" would make users raise limits in vain.
     */
    record NotShown(Obligation obligation, Problem problem, Verdict.Exhausted open) implements Unproved {

        @Override
        public Stage stage() {
            return Stage.CHASE;
        }

        @Override
        public PrivoxyErrorCode ownError() {
            return PrivoxyErrorCode.VIOLATION;
        }
    }

    /** A bound ended the search: with more room there might be a proof. */
    record CutOff(Obligation obligation, Problem problem, Verdict.CutOff open) implements Unproved {

        @Override
        public Stage stage() {
            return Stage.CHASE;
        }

        @Override
        public PrivoxyErrorCode ownError() {
            return PrivoxyErrorCode.UNDECIDED;
        }
    }

    /** Only reviewed templates decide, and none covers it. */
    record NotReviewed(Obligation obligation, Problem problem) implements Refused {

        @Override
        public Stage stage() {
            return Stage.TEMPLATE;
        }

        @Override
        public PrivoxyErrorCode error() {
            return PrivoxyErrorCode.NOT_REVIEWED;
        }

        @Override
        public Denial in(Words words) {
            return words.of(this);
        }
    }

    /** The values that are asked for are not known, or too many to decide on each. */
    record UnknownValues(Obligation obligation) implements Refused {

        @Override
        public Stage stage() {
            return Stage.NONE;
        }

        @Override
        public PrivoxyErrorCode error() {
            return PrivoxyErrorCode.UNDECIDED;
        }

        @Override
        public Denial in(Words words) {
            return words.of(this);
        }
    }

    /** It is shown in each state of the database by itself, and may be read in several. */
    record OfStates(Obligation obligation) implements Refused {

        @Override
        public Stage stage() {
            return Stage.CHASE;
        }

        @Override
        public PrivoxyErrorCode error() {
            return PrivoxyErrorCode.VIOLATION;
        }

        @Override
        public Denial in(Words words) {
            return words.of(this);
        }
    }

    /** It writes, and writes are switched off. */
    record NoWrites() implements Refused {

        @Override
        public Stage stage() {
            return Stage.NONE;
        }

        @Override
        public PrivoxyErrorCode error() {
            return PrivoxyErrorCode.WRITE_REFUSED;
        }

        @Override
        public Denial in(Words words) {
            return words.of(this);
        }
    }

    /** Where a proof got stuck, and nobody found a counterexample. */
    static Refused of(Obligation obligation, Problem problem, Verdict.NotShown open) {
        return open instanceof Verdict.CutOff cutOff
                ? new CutOff(obligation, problem, cutOff)
                : new NotShown(obligation, problem, (Verdict.Exhausted) open);
    }
}
