package io.leeway.privoxy.internal.normalize;

import io.leeway.privoxy.internal.model.Condition;
import io.leeway.privoxy.internal.model.Term;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Optional parts that no condition speaks of: {@code a LEFT JOIN b LEFT JOIN c …}, as object mappers load.
 *
 * <p>The rows of the block without its optional parts are revealed by the {@link Revealer}, with keys. For each part
 * there is one more question, the inner join of the block's rows with the part (and the parts that its condition speaks
 * of), which returns those keys, the part's own and what is shown of it. A row of the block that does not occur among
 * the answers has no match: so the outer joins, one after the other, can be computed from the answers.
 *
 * <p>A part is left out where it makes no difference: nothing of it is shown and either duplicates do not matter or its
 * key is pinned, so that it has at most one row for each row of the block.
 *
 * <p>Without levels each part would double the block's branches, there or not: twenty outer joins would be a million
 * questions instead of twenty-one ({@code NormalizerJoinTest.twentyOuterJoinsStayTwentyOneQuestions}).
 */
final class Levels {

    private static final int MAXIMUM = 16;

    private final Work work;
    private final Revealer.Piece piece;
    private final List<OptionalPart> optional;
    private final Map<OptionalPart, List<Chain>> chains = new HashMap<>();
    private final Set<OptionalPart> needed = new LinkedHashSet<>();

    Levels(Work work, Revealer.Piece piece) {
        this.work = work;
        this.piece = piece;
        this.optional = piece.branch.optional();
        for (OptionalPart part : optional) {
            chains.put(part, expand(part, new Chain(List.of(), List.of(), Dnf.TRUE, piece.branch.absence())));
        }
        // From the last to the first: a part is needed if a later one that is needed joins by it.
        for (int i = optional.size() - 1; i >= 0; i--) {
            OptionalPart part = optional.get(i);
            if (isNeeded(part)) {
                needed.add(part);
            }
        }
    }

    boolean isNotNeeded() {
        return needed.isEmpty();
    }

    /**
     * Rows of a part with those of the parts that it depends on.
     *
     * @param parts in order, the part itself last
     * @param on their conditions
     * @param absence with the parts that this case takes to be absent
     */
    private record Chain(List<OptionalPart> parts, List<Use> uses, Dnf on, Absence absence) {

        OptionalPart last() {
            return parts.get(parts.size() - 1);
        }
    }

    // --- which parts matter ------------------------------------------------------------------------------------------

    /**
     * A constant of the part is something shown, too: {@code SELECT q.one FROM a LEFT JOIN (SELECT 1 AS one, x FROM b)
     * q ON …} tells which rows of a have a match.
     */
    private boolean isNeeded(OptionalPart part) {
        return piece.shown().shows(part)
                || needed.stream().anyMatch(later -> dependsOn(later, part))
                || (piece.mode() == Mode.BAG && (part.opaque || mayRepeat(part)));
    }

    private boolean dependsOn(OptionalPart later, OptionalPart part) {
        return chainsOf(later).stream().anyMatch(chain -> chain.parts().contains(part));
    }

    /**
     * Whether a row may have several matches: no key of the part is pinned by the rows before it.
     *
     * <p>If it may, the part changes how often a row of the block occurs, which shows in a bag although no column of
     * the part does.
     */
    private boolean mayRepeat(OptionalPart part) {
        for (Chain chain : chainsOf(part)) {
            List<Use> before = new ArrayList<>(piece.rows());
            chain.parts().stream().filter(other -> other != part).forEach(other -> before.addAll(other.uses));
            Set<Term> known = new HashSet<>();
            for (Use use : before) {
                for (int i = 0; i < use.table().arity(); i++) {
                    known.add(use.variable(i));
                }
            }
            // All columns of the rows before are known here: it is asked how many matches one given row has.
            if (!new Closure(uses(chain), common(chain)).add(known).coversAll(chain.uses())) {
                return true;
            }
        }
        return false;
    }

    // --- the cases of a part -----------------------------------------------------------------------------------------

    private List<Chain> chainsOf(OptionalPart part) {
        return chains.getOrDefault(part, List.of());
    }

    /**
     * The part added to what is there already. A part that its condition speaks of is added before; if the condition
     * can be true of its NULLs, there is a second case, without it.
     *
     * <p>{@code a LEFT JOIN b ON … LEFT JOIN c ON c.x = b.y OR b.y IS NULL}: c joins rows with a b and rows without
     * one, under different conditions, and each case is a question.
     */
    private List<Chain> expand(OptionalPart part, Chain before) {
        var reading = new OnReading(part, before);
        OptionalPart dependency = reading.dependency();
        if (dependency == null) {
            return reading.on.isFalse() ? List.of() : List.of(reading.chain());
        }
        List<Chain> cases = new ArrayList<>();
        // Inside the dependency the part cannot be without it.
        if (!part.isWithin(dependency)) {
            Absence without = before.absence().plus(dependency);
            var absent = new Chain(before.parts(), before.uses(), before.on(), without);
            if (!piece.block().fails(part.filters, without, optional)) {
                cases.addAll(expand(part, absent));
            }
        }
        for (Chain chain : expand(dependency, before)) {
            cases.addAll(expand(part, chain));
        }
        if (cases.size() > MAXIMUM) {
            throw work.refuse("an outer join that depends on so many others", part.position);
        }
        return cases;
    }

    /** The condition of a part in a case. */
    private final class OnReading {

        private final OptionalPart part;
        private final Chain before;
        private final Set<Use> uses;
        private final Set<OptionalPart> mentioned = new LinkedHashSet<>();
        private Dnf on = Dnf.TRUE;

        OnReading(OptionalPart part, Chain before) {
            this.part = part;
            this.before = before;
            this.uses = new LinkedHashSet<>(part.uses);
            List<Filter> filters = new ArrayList<>(part.filters);
            Set<OptionalPart> merged = new HashSet<>();
            // Once more with each part that turned out to be necessary, since its own condition may speak of the next.
            while (read(filters, merged)) {
                on = Dnf.TRUE;
            }
        }

        /** Reads the condition; true if a part inside turned out to be necessary, so that it must be read again. */
        private boolean read(List<Filter> filters, Set<OptionalPart> merged) {
            mentioned.clear();
            mentioned.addAll(work.watch(() -> on = piece.block().all(filters, before.absence()))
                    .all());
            for (OptionalPart inside : List.copyOf(mentioned)) {
                if (inside != part && inside.isWithin(part) && merged.add(inside)) {
                    // (b LEFT JOIN c) joined ON c.x = a.x: where the condition fails without c, c is as good as joined
                    // inside. Where it may hold without, the part has rows of two kinds, which is not modelled.
                    if (!piece.block().fails(filters, before.absence().plus(inside), optional)) {
                        throw work.refuse(
                                "an outer join whose condition speaks of an optional part inside it", part.position);
                    }
                    uses.addAll(inside.uses);
                    filters.addAll(inside.filters);
                    return true;
                }
            }
            return false;
        }

        /** A part that must be decided on first, or null. */
        @Nullable
        OptionalPart dependency() {
            if (part.parent != null && isOpen(part.parent)) {
                return part.parent;
            }
            // In the order in which they were mentioned; which comes first changes the order of the questions only.
            return mentioned.stream()
                    .filter(other -> !other.isWithin(part) && isOpen(other))
                    .findFirst()
                    .orElse(null);
        }

        private boolean isOpen(OptionalPart other) {
            return optional.contains(other)
                    && !before.parts().contains(other)
                    && !before.absence().has(other);
        }

        Chain chain() {
            List<OptionalPart> parts = new ArrayList<>(before.parts());
            parts.add(part);
            List<Use> all = Revealer.union(before.uses(), uses);
            return new Chain(parts, all, before.on().and(on, work, part.position), before.absence());
        }
    }

    /**
     * An optional part joined to the block's rows. For the Recorder: a row of the result in which such a part is there
     * says that these rows exist.
     *
     * @param own rows of the part
     * @param uses these and the rows of the parts that it depends on
     * @param condition when they join
     * @param always whether they join whenever the condition holds, not only where another part is absent
     */
    record Joined(List<Use> own, List<Use> uses, Conjunct condition, boolean always) {}

    /** The part where it is there; null if there is more than one case. */
    @Nullable
    Joined joined(OptionalPart part) {
        List<Chain> cases = chainsOf(part);
        if (cases.size() != 1 || cases.get(0).on().conjuncts().size() != 1) {
            return null;
        }
        Chain chain = cases.get(0);
        boolean always = optional.stream()
                .noneMatch(other ->
                        chain.absence().has(other) && !piece.branch.absence().has(other));
        return new Joined(part.uses, chain.uses(), chain.on().conjuncts().get(0), always);
    }

    // --- revealing ---------------------------------------------------------------------------------------------------

    /** Emits one question for each part that matters; {@code identity} tells the block's rows apart. */
    void reveal(List<Term> identity) {
        Map<OptionalPart, List<Term>> keys = new HashMap<>();
        for (OptionalPart part : optional) {
            if (needed.contains(part)) {
                keys.put(part, keys(part, identity, keys));
                chainsOf(part).forEach(chain -> reveal(chain, identity, keys));
            }
        }
    }

    /**
     * What tells the rows of a part apart, given the keys of those it depends on. With several cases there is no one
     * set of conditions by which a key could be left out, so all rows give their own key.
     */
    private List<Term> keys(OptionalPart part, List<Term> identity, Map<OptionalPart, List<Term>> keys) {
        List<Chain> cases = chainsOf(part);
        if (cases.size() != 1) {
            Set<Term> whole = new LinkedHashSet<>();
            for (Chain chain : cases) {
                var closure = new Closure(uses(chain), common(chain));
                part.uses.forEach(
                        use -> whole.addAll(closure.keyOf(use, piece.shown().of(part))));
            }
            return List.copyOf(whole);
        }
        Chain chain = cases.get(0);
        Set<Term> known = new LinkedHashSet<>(identity);
        for (OptionalPart other : chain.parts()) {
            known.addAll(keys.getOrDefault(other, List.of()));
        }
        List<Use> rows = Revealer.union(piece.rows(), chain.uses());
        return Keys.missing(
                rows, uses(chain), common(chain), known, piece.shown().of(part));
    }

    private void reveal(Chain chain, List<Term> identity, Map<OptionalPart, List<Term>> keys) {
        Set<Term> own = new LinkedHashSet<>(identity);
        for (OptionalPart part : chain.parts()) {
            own.addAll(keys.getOrDefault(part, List.of()));
        }
        // What tells this level's rows apart, before what is shown of them is added: sub-queries in the condition are
        // asked for these.
        List<Term> levelIdentity = Terms.informative(own);
        own.addAll(piece.shown().of(chain.last()));
        List<Conjunct> conditions = new Choices(work).expanded(chain.on().conjuncts(), chain.last().position);
        List<Draft> exact = new ArrayList<>();
        for (Conjunct condition : conditions) {
            if (condition.isExact()) {
                exact.addAll(drafts(chain, condition, own));
            } else {
                revealHidden(chain, condition, own, levelIdentity);
            }
        }
        if (!exact.isEmpty()) {
            emit(exact, chain);
        }
    }

    /**
     * As {@link Revealer} does it for the block: the candidates, what the literal reads of them, and its sub-queries
     * for them. Which of the candidates join is a function of these.
     */
    private void revealHidden(Chain chain, Conjunct condition, Set<Term> own, List<Term> levelIdentity) {
        Set<Term> head = new LinkedHashSet<>(own);
        condition.hidden().forEach(literal -> head.addAll(literal.reads()));
        emit(drafts(chain, condition, head), chain);
        var context = new Context(
                Revealer.union(piece.rows(), chain.uses()), alternatives(List.of(condition)), levelIdentity);
        for (Hidden literal : condition.hidden()) {
            literal.pendings().forEach(pending -> pending.reveal(context));
        }
    }

    private void emit(List<Draft> drafts, Chain chain) {
        work.emit(drafts, "rows that an outer join adds", chain.last().position);
    }

    private List<Draft> drafts(Chain chain, Conjunct condition, Collection<Term> head) {
        List<Draft> drafts = new ArrayList<>();
        List<Use> rows = Revealer.union(piece.rows(), chain.uses());
        for (Conjunct alternative : alternatives(List.of(condition))) {
            drafts.add(new Draft(
                    Revealer.union(rows, alternative.uses()), alternative.conditions(), Terms.informative(head)));
        }
        return drafts;
    }

    /** The block's rows, joined by these conditions. */
    private List<Conjunct> alternatives(List<Conjunct> conditions) {
        List<Conjunct> alternatives = new ArrayList<>();
        for (Conjunct row : piece.candidates(piece.conjuncts, List.of()).alternatives()) {
            for (Conjunct condition : conditions) {
                // Without hidden literals, so there may be more rows than join: candidates.
                alternatives.add(row.and(condition.relaxed()));
            }
        }
        return alternatives;
    }

    private List<Condition> common(Chain chain) {
        return Conditions.common(alternatives(chain.on().conjuncts()));
    }

    private List<Use> uses(Chain chain) {
        Set<Use> uses = new LinkedHashSet<>(piece.allUses());
        uses.addAll(chain.uses());
        alternatives(chain.on().conjuncts()).forEach(alternative -> uses.addAll(alternative.uses()));
        return List.copyOf(uses);
    }
}
