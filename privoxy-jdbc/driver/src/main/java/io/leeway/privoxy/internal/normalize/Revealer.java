package io.leeway.privoxy.internal.normalize;

import io.leeway.privoxy.internal.model.Condition;
import io.leeway.privoxy.internal.model.Obligation;
import io.leeway.privoxy.internal.model.Term;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Emits the obligations of a block: questions whose answers determine, for each row of the context, the block's rows
 * and what they show (as a bag, as a set, or whether there is one).
 *
 * <p><b>Exact disjuncts.</b> The rows of a disjunct without hidden literal are the answers of a conjunctive query. As a
 * set that is all. As a bag the head gets {@link Keys} until it tells the rows apart, by dependencies that hold in all
 * disjuncts (a row that satisfies two disjuncts is one row).
 *
 * <p><b>Hidden literals.</b> A disjunct with hidden literals is revealed without them, with keys, so that it is known
 * which rows are candidates; then what each hidden literal reads, and its sub-queries for these candidates with the
 * same keys. From that the rows that really satisfy the disjunct can be told.
 *
 * <p><b>Parts without match</b> are hidden in the same way: which candidates do have a match is a question of its own.
 * <b>Optional parts</b> that nothing speaks of are added by {@link Levels}.
 *
 * <p>That the statement's result is a function of the answers is what makes deciding by obligations sound: if every
 * answer is fixed by the views, so is the result. Each paragraph above is one step of that function.
 */
final class Revealer {

    private final Work work;
    private final Block block;
    private final Context context;
    private final Mode mode;
    private final Outputs outputs;
    private final String reason;

    Revealer(Work work, Block block, Context context, Mode mode, Outputs outputs, String reason) {
        this.work = work;
        this.block = block;
        this.context = context;
        this.mode = mode;
        this.outputs = outputs;
        this.reason = reason;
    }

    void reveal() {
        // Opaque queries in FROM once, not for each branch: they do not depend on which optional parts are there.
        block.from.pendings.forEach(pending -> pending.reveal(context));
        reveal(block.branches(mode, outputs));
    }

    void reveal(List<Branch> branches) {
        List<Piece> pieces = new ArrayList<>();
        for (Branch branch : branches) {
            pieces.add(new Piece(branch));
        }
        // As one union it may be compliant where no single branch is: WHERE a.public OR a.owner = ? with a view of just
        // that union.
        if (mode != Mode.BAG && pieces.size() > 1 && pieces.stream().allMatch(Piece::isPlain)) {
            revealTogether(pieces);
        } else {
            pieces.forEach(Piece::reveal);
        }
    }

    /** The union of all branches as one question: which row comes from which branch need not be known. */
    private void revealTogether(List<Piece> pieces) {
        List<List<Term>> heads = new ArrayList<>();
        for (Piece piece : pieces) {
            List<Term> head = new ArrayList<>(context.keys());
            for (Operand operand : outputs.readAll(piece.branch.absence())) {
                head.add(((Operand.Plain) operand).term());
            }
            heads.add(head);
        }
        List<Draft> drafts = new ArrayList<>();
        List<List<Term>> telling = telling(heads);
        for (int i = 0; i < pieces.size(); i++) {
            drafts.addAll(pieces.get(i).drafts(pieces.get(i).conjuncts, telling.get(i)));
        }
        work.emit(drafts, reason, block.position);
    }

    /**
     * Without the columns that are the same everywhere. Only if it is the same in all branches, and in every row: a
     * constant that differs tells from which branch a row is.
     */
    private static List<List<Term>> telling(List<List<Term>> heads) {
        List<List<Term>> result = new ArrayList<>();
        heads.forEach(head -> result.add(new ArrayList<>()));
        for (int column = 0; column < heads.get(0).size(); column++) {
            int position = column;
            boolean same =
                    heads.stream().map(head -> head.get(position)).distinct().count() == 1;
            if (!same || !Terms.isRigid(heads.get(0).get(column))) {
                for (int i = 0; i < heads.size(); i++) {
                    result.get(i).add(heads.get(i).get(column));
                }
            }
        }
        return result;
    }

    /** A branch while it is being revealed. */
    final class Piece {

        final Branch branch;
        final List<Conjunct> conjuncts;
        private final Shown shown;
        private final List<Use> rows;
        private final List<Term> fromOpaque;
        // For the words of a refusal: that it is the number of equal rows that is not shown.
        private boolean asOften;

        Piece(Branch branch) {
            this.branch = branch;
            this.shown = new Shown(work, outputs, branch);
            List<Conjunct> all =
                    branch.where().and(branch.on(), work, block.position).conjuncts();
            // One question for each value of an IN list, if the list is the only alternative and nothing around it has
            // rows of its own; a policy is a view for all values at once.
            this.conjuncts = context.isRoot() && all.size() == 1 && !work.exact
                    ? List.of(new Choices(work).separated(all.get(0)))
                    : new Choices(work).expanded(all, block.position);
            this.rows = union(context.uses(), branch.rows());
            this.fromOpaque = fromOpaque();
        }

        /** Whether its rows are just the answers of its conjunctions, and show no more than terms over them. */
        boolean isPlain() {
            return branch.absent().isEmpty()
                    && shown.plain
                    && fromOpaque.isEmpty()
                    && conjuncts.stream().allMatch(Conjunct::isExact)
                    && new Levels(work, this).isNotNeeded();
        }

        private List<Term> fromOpaque() {
            // A place with nothing in it: cells bring their own.
            var values = new ValueReader(work, new Place(null, null, List.of()), branch.absence());
            Set<Term> terms = new LinkedHashSet<>();
            for (Cell cell : block.from.shown) {
                if (values.read(cell) instanceof Operand.Plain plain) {
                    terms.add(plain.term());
                }
            }
            return Terms.informative(terms);
        }

        void reveal() {
            if (conjuncts.isEmpty()) {
                return;
            }
            var levels = new Levels(work, this);
            boolean hidden = conjuncts.stream().anyMatch(conjunct -> !conjunct.isExact());
            // Whether several questions are asked whose answers have to be put together by rows.
            boolean linked =
                    hidden || !shown.pendings.isEmpty() || !branch.absent().isEmpty() || !levels.isNotNeeded();
            List<Term> known = union(context.keys(), fromOpaque);
            List<Term> keys = List.of();
            if (linked) {
                // Keys for the link; what is shown is preferred among them but does not count as known, since the other
                // questions do not show it.
                keys = missing(known, shown.own);
            } else if (mode == Mode.BAG) {
                // A bag alone: what is shown tells rows apart, too. If keys are missing, the statement asks how often
                // equal rows occur.
                keys = missing(union(known, shown.own), shown.own);
                asOften = !keys.isEmpty();
            }
            List<Term> identity = Terms.informative(union(known, keys));
            boolean joined = !shown.pendings.isEmpty() || !branch.absent().isEmpty() || !levels.isNotNeeded();
            boolean keyed = joined || mode == Mode.BAG;
            // A set with hidden literals: its exact disjuncts need no keys, as nothing else is asked about their rows.
            revealRows(Terms.informative(union(identity, shown.own)), keyed ? identity : known);
            revealHidden(identity);
            levels.reveal(identity);
        }

        private List<Term> missing(Collection<Term> known, Collection<Term> preferred) {
            return Keys.missing(rows, allUses(), common(), known, preferred);
        }

        /** Exact disjuncts in one question, each hidden one in its own. Only the latter always need the keys. */
        private void revealRows(List<Term> head, List<Term> exactIdentity) {
            List<Conjunct> exact = conjuncts.stream().filter(Conjunct::isExact).toList();
            emit(drafts(exact, Terms.informative(union(exactIdentity, shown.own))));
            for (Conjunct conjunct : conjuncts) {
                if (!conjunct.isExact()) {
                    Set<Term> more = new LinkedHashSet<>(head);
                    conjunct.hidden().forEach(literal -> more.addAll(literal.reads()));
                    emit(drafts(List.of(conjunct), Terms.informative(more)));
                }
            }
        }

        /**
         * That a block without rows of its own asks nothing is right only as long as it names no row of a query around;
         * which is looked at, since it was not once ({@link Context}).
         */
        private void emit(List<Draft> drafts) {
            // Rows behind an opaque query alone tell no more than the query itself, which is revealed.
            boolean needed = !rows.isEmpty()
                    || conjuncts.stream().anyMatch(conjunct -> !conjunct.uses().isEmpty());
            if (needed && !drafts.isEmpty()) {
                String why = asOften && reason.equals(Obligation.ROWS) ? Obligation.ROWS_AS_OFTEN : reason;
                work.emit(drafts, why, block.position);
            } else {
                List<Use> known = new ArrayList<>(block.from.behind);
                conjuncts.forEach(conjunct -> known.addAll(conjunct.uses()));
                known.addAll(rows);
                work.refuseForeign(drafts, known, block.position);
            }
        }

        private void revealHidden(List<Term> identity) {
            for (Conjunct conjunct : conjuncts) {
                Context candidates = candidates(List.of(conjunct), identity);
                for (Hidden literal : conjunct.hidden()) {
                    // For the candidates of this disjunct only, not for all rows of the block: {@code WHERE a.mine AND
                    // NOT EXISTS (…)} asks of mine.
                    literal.pendings().forEach(pending -> pending.reveal(candidates));
                }
            }
            Context all = candidates(conjuncts, identity);
            shown.pendings.forEach(pending -> pending.reveal(all));
            branch.absent().forEach(part -> revealMatches(part, all));
        }

        /**
         * For which rows an absent part does have a match.
         *
         * <p>The branch has the rows for which there is none, but a conjunctive query cannot ask for that. Asked is who
         * has one; the rest has none.
         */
        private void revealMatches(OptionalPart part, Context all) {
            var from = new From();
            from.rows.addAll(part.uses);
            // Joins inside the part are optional there as well: a row of the part is a match with or without theirs.
            part.children.forEach(child -> addWithin(child, from.optional));
            new Block(work, from, part.filters, branch.absence().minus(part), part.position)
                    .reveal(all, Mode.EXISTS, Outputs.NONE, "which rows have a match in an outer join");
        }

        private void addWithin(OptionalPart part, List<OptionalPart> parts) {
            parts.add(part);
            part.children.forEach(child -> addWithin(child, parts));
        }

        /**
         * The rows of some disjuncts as the context of a sub-query.
         *
         * <p>For each way the outer row may be in the context, and each disjunct. Rows behind opaque queries are
         * joined, as conditions on their columns speak of them.
         */
        Context candidates(List<Conjunct> some, List<Term> identity) {
            List<Conjunct> alternatives = new ArrayList<>();
            for (Conjunct outer : context.alternatives()) {
                for (Conjunct conjunct : some) {
                    alternatives.add(outer.and(conjunct.relaxed()).with(block.from.behind));
                }
            }
            return new Context(rows, alternatives, identity);
        }

        List<Draft> drafts(List<Conjunct> some, List<Term> head) {
            List<Draft> drafts = new ArrayList<>();
            for (Conjunct alternative : candidates(some, List.of()).alternatives()) {
                drafts.add(new Draft(union(rows, alternative.uses()), alternative.conditions(), head));
            }
            return drafts;
        }

        /** What holds of all rows of the branch. */
        List<Condition> common() {
            return Conditions.common(candidates(conjuncts, List.of()).alternatives());
        }

        List<Use> rows() {
            return rows;
        }

        Shown shown() {
            return shown;
        }

        Mode mode() {
            return mode;
        }

        Block block() {
            return block;
        }

        /**
         * All rows that common conditions may speak of. Also rows that conditions join, for a key that such a condition
         * pins.
         */
        List<Use> allUses() {
            Set<Use> uses = new LinkedHashSet<>(rows);
            candidates(conjuncts, List.of()).alternatives().forEach(alternative -> uses.addAll(alternative.uses()));
            return List.copyOf(uses);
        }
    }

    static <T> List<T> union(Collection<? extends T> a, Collection<? extends T> b) {
        Set<T> all = new LinkedHashSet<>(a);
        all.addAll(b);
        return new ArrayList<>(all);
    }
}
