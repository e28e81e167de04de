package io.leeway.privoxy.internal.cache;

import io.leeway.privoxy.internal.decide.Fact;
import io.leeway.privoxy.internal.model.Condition.Operator;
import io.leeway.privoxy.internal.model.Value;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A template in the making: the places of a problem in groups. The places of a group have one value; the value itself
 * is said only if the group is known. A group of one place that is neither known nor not-null says nothing. Not
 * thread-safe; weakened on copies.
 *
 * <p>It says nothing that is not true of the problem at hand: groups join only equal values, and constants are the
 * values themselves. So every draft accepts the request that it was made from, and the proof is all that is left to
 * see.
 */
final class Draft {

    final Places places;
    private final int[] group;
    private final BitSet known;
    private final BitSet notNull;
    private final BitSet absentContext;
    private final List<Relation> relations;
    private int groups;

    /**
     * A comparison that may be taken for granted; a side is a group, or a constant if the group is negative.
     *
     * <p>Between groups, not values: other requests have other values in the same relation.
     */
    record Relation(
            Operator operator,
            int left,
            @Nullable Value leftValue,
            int right,
            @Nullable Value rightValue) {

        /** The same with the sides exchanged: what was on the right is now the lesser. */
        @SuppressWarnings("ArgumentSelectionDefectChecker") // that is the point
        Relation mirrored() {
            return new Relation(operator, right, rightValue, left, leftValue);
        }

        Relation with(Operator other) {
            return new Relation(other, left, leftValue, right, rightValue);
        }
    }

    /** Every place in a group of its own, nothing known. */
    Draft(Places places) {
        this.places = places;
        this.group = new int[places.count()];
        this.groups = group.length;
        for (int i = 0; i < group.length; i++) {
            group[i] = i;
        }
        this.known = new BitSet();
        this.notNull = new BitSet();
        this.absentContext = new BitSet();
        this.relations = new ArrayList<>();
    }

    private Draft(Draft other) {
        this.places = other.places;
        this.group = other.group.clone();
        this.groups = other.groups;
        this.known = (BitSet) other.known.clone();
        this.notNull = (BitSet) other.notNull.clone();
        this.absentContext = (BitSet) other.absentContext.clone();
        this.relations = new ArrayList<>(other.relations);
    }

    Draft copy() {
        return new Draft(this);
    }

    int group(int place) {
        return group[place];
    }

    /** Only equal values are joined; {@link Caution} sees to that. */
    void join(int place, int toGroup) {
        group[place] = toGroup;
    }

    /**
     * Gives a place a value of its own.
     *
     * <p>A new number, which is the same as a fresh variable.
     */
    void isolate(int place) {
        group[place] = groups++;
    }

    /** Gives some places of a group a value of their own, one for all of them. */
    void split(BitSet moved) {
        int fresh = groups++;
        moved.stream().forEach(place -> group[place] = fresh);
    }

    boolean isKnown(int ofGroup) {
        return known.get(ofGroup);
    }

    void setKnown(int ofGroup, boolean isKnown) {
        known.set(ofGroup, isKnown);
    }

    boolean isNotNull(int ofGroup) {
        return notNull.get(ofGroup);
    }

    void setNotNull(int ofGroup, boolean isNotNull) {
        notNull.set(ofGroup, isNotNull);
    }

    /**
     * Does without a parameter of the context.
     *
     * <p>A template without a parameter serves requests that lack it, as for pages that need no login.
     */
    void dropContext(int index) {
        absentContext.set(index);
        isolate(places.ofContext(index));
    }

    boolean hasContext(int index) {
        return !absentContext.get(index);
    }

    List<Relation> relations() {
        return relations;
    }

    /** The places of a group, rising. */
    BitSet members(int ofGroup) {
        BitSet members = new BitSet();
        for (int i = 0; i < group.length; i++) {
            if (group[i] == ofGroup) {
                members.set(i);
            }
        }
        return members;
    }

    /**
     * The groups that say something, in the order of their first places.
     *
     * <p>In the order of places, so that the same problem is weakened in the same order each time.
     */
    List<Integer> groups() {
        BitSet seen = new BitSet();
        List<Integer> list = new ArrayList<>();
        for (int ofGroup : group) {
            if (!seen.get(ofGroup)) {
                seen.set(ofGroup);
                list.add(ofGroup);
            }
        }
        return list;
    }

    /** All places of a group have the same value, so the first tells it. */
    Value value(int ofGroup) {
        int first = members(ofGroup).nextSetBit(0);
        return Objects.requireNonNull(places.value(first), "only groups with a value say something");
    }

    /**
     * What the draft says.
     *
     * <p>Built anew with each attempt: it is what is proved.
     */
    Template template() {
        List<Premise> premises = new ArrayList<>();
        for (int f = 0; f < places.facts.size(); f++) {
            Fact fact = places.facts.get(f);
            int first = places.ofFact(f);
            int between = first + fact.arguments().size();
            premises.add(new Premise(
                    fact.query().query(),
                    patterns(first, between),
                    patterns(between, between + fact.row().size())));
        }
        TreeMap<String, Pattern> context = new TreeMap<>();
        for (int i = 0; i < places.contextNames.size(); i++) {
            if (hasContext(i)) {
                context.put(places.contextNames.get(i), pattern(places.ofContext(i)));
            }
        }
        List<PatternComparison> comparisons = new ArrayList<>();
        for (Relation relation : relations) {
            comparisons.add(new PatternComparison(
                    relation.operator(),
                    side(relation.left(), relation.leftValue()),
                    side(relation.right(), relation.rightValue())));
        }
        return Template.canonical(
                places.problem.goal().query(),
                patterns(0, places.problem.arguments().size()),
                context,
                premises,
                notNullGroups(),
                comparisons);
    }

    private List<Integer> notNullGroups() {
        List<Integer> list = new ArrayList<>();
        for (int ofGroup : groups()) {
            if (notNull.get(ofGroup)
                    // A known value says itself whether it is NULL.
                    && !known.get(ofGroup)
                    && places.value(members(ofGroup).nextSetBit(0)) != null) {
                list.add(ofGroup);
            }
        }
        return list;
    }

    private Pattern side(int ofGroup, @Nullable Value constant) {
        if (ofGroup < 0) {
            return new Pattern.Constant(Objects.requireNonNull(constant, "a side without group has a value"));
        }
        return known.get(ofGroup) ? new Pattern.Constant(value(ofGroup)) : new Pattern.Variable(ofGroup);
    }

    private List<Pattern> patterns(int from, int to) {
        List<Pattern> patterns = new ArrayList<>(to - from);
        for (int place = from; place < to; place++) {
            patterns.add(pattern(place));
        }
        return patterns;
    }

    private Pattern pattern(int place) {
        Value value = places.value(place);
        if (value == null) {
            return Pattern.ANY;
        }
        return known.get(group[place]) ? new Pattern.Constant(value) : new Pattern.Variable(group[place]);
    }
}
