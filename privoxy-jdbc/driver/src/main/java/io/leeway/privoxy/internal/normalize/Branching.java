package io.leeway.privoxy.internal.normalize;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Decides which optional parts of a block are there.
 *
 * <p>A part of which no condition speaks stays undecided; it is revealed by itself ({@link Levels}), so a chain of
 * outer joins that load further tables costs one obligation each. For a part that WHERE mentions there are two cases:
 * it has a row, or it has none and its columns are NULL. If WHERE with NULLs can never be true the second case has no
 * rows and the join is an inner one (exact). Otherwise the block falls into two branches.
 *
 * <p>Where duplicates do not matter and the result shows nothing of the part, a disjunct of WHERE that does not speak
 * of it, and stands in both cases, holds whether the part is there or not: it becomes a branch without the part. So
 * {@code SELECT DISTINCT a.* … LEFT JOIN b … WHERE b.x = 1 OR a.y = 2} needs no knowledge of who has no b.
 */
final class Branching {

    // Each part that a condition speaks of can double the cases. Four independent ones are more than people write;
    // beyond, the statement is refused instead of being read for long.
    private static final int MAXIMUM = 16;

    private final Work work;
    private final Block block;
    private final Mode mode;
    private final Outputs outputs;
    private final List<Branch> branches = new ArrayList<>();

    private Branching(Work work, Block block, Mode mode, Outputs outputs) {
        this.work = work;
        this.block = block;
        this.mode = mode;
        this.outputs = outputs;
    }

    static List<Branch> of(Work work, Block block, Mode mode, Outputs outputs) {
        var branching = new Branching(work, block, mode, outputs);
        branching.run();
        return branching.branches;
    }

    /**
     * A case that may need to be split further.
     *
     * @param where conditions that were fixed by an earlier split, or null to read them
     */
    private record Case(
            Absence absence,
            List<OptionalPart> present,
            List<OptionalPart> absent,
            List<OptionalPart> undecided,
            @Nullable Dnf where) {

        Case present(OptionalPart part, @Nullable Dnf fixed) {
            return new Case(absence, plus(present, part), absent, without(part, false), fixed);
        }

        Case absent(OptionalPart part, @Nullable Dnf fixed) {
            return new Case(absence.plus(part), present, plus(absent, part), without(part, true), fixed);
        }

        /** The part does not matter. */
        Case dropped(OptionalPart part, Dnf fixed) {
            return new Case(absence, present, absent, without(part, true), fixed);
        }

        private List<OptionalPart> without(OptionalPart part, boolean andInside) {
            List<OptionalPart> rest = new ArrayList<>(undecided);
            rest.removeIf(other -> other == part || (andInside && other.isWithin(part)));
            return rest;
        }

        private static List<OptionalPart> plus(List<OptionalPart> parts, OptionalPart part) {
            List<OptionalPart> more = new ArrayList<>(parts);
            more.add(part);
            return more;
        }
    }

    private void run() {
        // Parts of the blocks around that are absent are so here as well: a sub-query is read for one choice of its
        // outer block's parts.
        Absence absence = block.outer;
        for (OptionalPart part : block.from.absent) {
            absence = absence.plus(part);
        }
        Deque<Case> cases = new ArrayDeque<>();
        cases.add(new Case(absence, List.of(), block.from.absent, block.from.optional, null));
        while (!cases.isEmpty()) {
            if (cases.size() + branches.size() > MAXIMUM) {
                throw work.refuse("conditions on so many outer joins", block.position);
            }
            split(cases.removeFirst(), cases);
        }
    }

    private void split(Case now, Deque<Case> cases) {
        var reading = new Reading(now);
        List<OptionalPart> mentioned = reading.mentioned();
        if (mentioned.isEmpty()) {
            // A branch whose condition can never hold has no rows, and a question without rows would only cost.
            if (!reading.where.isFalse()) {
                branches.add(reading.branch());
            }
            return;
        }
        // From outside inwards. Whether an inner part is there can only be asked where the outer one is.
        OptionalPart part = outermost(mentioned.get(0), now.undecided);
        Absence without = now.absence.plus(part);
        // First the case that most outer joins with a condition are: WHERE b.x = 1 drops the rows without b, and one
        // branch says all.
        if (isNeeded(without, now)) {
            cases.addFirst(now.present(part, now.where));
            // Only for sets: dropping the part changes how often a row occurs. And only for the first part that is
            // decided
            // on, with WHERE still as it was read; once disjuncts have been taken out of it, comparing the two readings
            // means nothing.
        } else if (mode != Mode.BAG && mentioned.size() == 1 && now.where == null && isIdle(part, now, reading)) {
            splitSet(now, part, reading.where, block.where(without), cases);
        } else {
            cases.addFirst(now.absent(part, now.where));
            cases.addFirst(now.present(part, now.where));
        }
    }

    /**
     * Whether there are no rows without the part: WHERE, or the condition of a part that is there, fails on NULLs.
     *
     * <p>The second: in {@code a LEFT JOIN b … LEFT JOIN c ON c.x = b.y} a c that is there needs a b, as its condition
     * fails on the NULLs of b.
     */
    private boolean isNeeded(Absence without, Case now) {
        // A fixed WHERE (null otherwise) was read for both cases when it was split; asking it again would ask the
        // unsplit one.
        if (now.where == null && block.fails(without, now.undecided)) {
            return true;
        }
        return now.present.stream().anyMatch(other -> block.fails(other.filters, without, now.undecided));
    }

    /**
     * Whether neither the result nor another part's condition shows anything of the part.
     *
     * <p>Otherwise a branch without the part would lose what it shows: {@code SELECT DISTINCT a.x, b.y}, or another
     * join's {@code ON c.b = b.id}.
     */
    private boolean isIdle(OptionalPart part, Case now, Reading reading) {
        if (reading.isShown(part)) {
            return false;
        }
        List<OptionalPart> others = new ArrayList<>(now.undecided);
        others.addAll(now.present);
        others.addAll(now.absent);
        for (OptionalPart other : others) {
            if (!other.isWithin(part)
                    && work.watch(() -> block.all(other.filters, now.absence)).all().stream()
                            .anyMatch(mentioned -> mentioned.isWithin(part))) {
                return false;
            }
        }
        return true;
    }

    /**
     * The disjuncts common to both cases hold without the part; the rest keeps to its case.
     *
     * <p>Sound because a disjunct that stands in both readings word for word, and speaks of the block's own rows only,
     * is true of a row whichever case the row is in. The branch without the part therefore has exactly the rows that
     * fulfil it, each once as a set.
     */
    private static void splitSet(Case now, OptionalPart part, Dnf present, Dnf absent, Deque<Case> cases) {
        Set<Conjunct> common = new LinkedHashSet<>(present.conjuncts());
        common.retainAll(absent.conjuncts());
        // A disjunct that joins rows of a sub-query, or has hidden literals, has other rows and pendings in each
        // reading although it looks the same.
        common.removeIf(conjunct -> !conjunct.isOfOwnRows());
        if (common.isEmpty()) {
            cases.addFirst(now.absent(part, null));
            cases.addFirst(now.present(part, null));
            return;
        }
        addUnlessFalse(now.absent(part, minus(absent, common)), cases);
        addUnlessFalse(now.present(part, minus(present, common)), cases);
        addUnlessFalse(now.dropped(part, Dnf.of(List.copyOf(common))), cases);
    }

    private static Dnf minus(Dnf dnf, Set<Conjunct> common) {
        return Dnf.of(dnf.conjuncts().stream()
                .filter(conjunct -> !common.contains(conjunct))
                .toList());
    }

    private static void addUnlessFalse(Case next, Deque<Case> cases) {
        if (next.where() != null && !next.where().isFalse()) {
            cases.addFirst(next);
        }
    }

    private static OptionalPart outermost(OptionalPart part, List<OptionalPart> undecided) {
        OptionalPart outermost = part;
        while (outermost.parent != null && undecided.contains(outermost.parent)) {
            outermost = outermost.parent;
        }
        return outermost;
    }

    /** The conditions of a case, and what they speak of. */
    private final class Reading {

        private final Case now;
        private final Work.Mentions inConditions;
        private final Work.Mentions inOutputs;
        private Dnf where = Dnf.FALSE;
        private Dnf on = Dnf.TRUE;

        Reading(Case now) {
            this.now = now;
            if (now.undecided.isEmpty()) {
                readConditions();
                inConditions = Work.Mentions.NONE;
                inOutputs = Work.Mentions.NONE;
            } else {
                // Watching rehearses sub-queries, which costs; without undecided parts nobody wants to know.
                inConditions = work.watch(this::readConditions);
                inOutputs = work.watch(() -> outputs.readAll(now.absence));
            }
        }

        private void readConditions() {
            where = now.where != null ? now.where : block.where(now.absence);
            for (OptionalPart part : now.present) {
                on = on.and(block.all(part.filters, now.absence), work, part.position);
            }
            // Read with the part there, for its mentions and what it refuses. It adds no condition: which rows have no
            // match is a question of its own (Revealer.revealMatches).
            for (OptionalPart part : now.absent) {
                block.all(part.filters, now.absence.minus(part));
            }
        }

        /**
         * The parts that must be decided on: those that conditions speak of, and those that a sub-query in the outputs
         * reads. For a plain column in the output they need not be, as it is revealed with the part ({@link Levels});
         * but a sub-query is asked for each row of a context, and in that the part is there or not.
         */
        List<OptionalPart> mentioned() {
            Set<OptionalPart> parts = new LinkedHashSet<>(inConditions.among(now.undecided));
            for (OptionalPart part : now.undecided) {
                if (inOutputs.inSubqueries().contains(part)) {
                    parts.add(part);
                }
            }
            return List.copyOf(parts);
        }

        boolean isShown(OptionalPart part) {
            return inOutputs.all().stream().anyMatch(shown -> shown.isWithin(part));
        }

        Branch branch() {
            List<Use> rows = new ArrayList<>(block.from.rows);
            now.present.forEach(part -> rows.addAll(part.uses));
            return new Branch(now.absence, rows, where, on, now.absent, now.undecided);
        }
    }
}
