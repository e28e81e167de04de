package io.leeway.privoxy.internal.cache;

import io.leeway.privoxy.internal.model.Condition.Operator;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Whether one template accepts whatever another accepts: its patterns and demands map onto those of the other. Finds
 * the usual cases, not all.
 *
 * <p>The same test as containment of conjunctive queries (Chandra and Merlin, 1977), by form only. A case that it
 * misses leaves one template too many in the store.
 */
final class Subsumption {

    private final Template general;
    private final Template special;
    /** What stands for each of the general template's variables. */
    private final @Nullable Pattern[] images;

    private Subsumption(Template general, Template special) {
        this.general = general;
        this.special = special;
        this.images = new Pattern[general.variables()];
    }

    /** Of equal goals only: a more general goal would need a proof. */
    static boolean holds(Template general, Template special) {
        return general.goal().equals(special.goal())
                && general.arguments().size() == special.arguments().size()
                && new Subsumption(general, special).search();
    }

    private boolean search() {
        return mapAll(general.arguments(), special.arguments()) && mapContext() && mapPremises(0);
    }

    /** A parameter that the general one does not need may be in the special one. */
    private boolean mapContext() {
        for (Map.Entry<String, Pattern> parameter : general.context().entrySet()) {
            Pattern other = special.context().get(parameter.getKey());
            if (other == null || !map(parameter.getValue(), other)) {
                return false;
            }
        }
        return true;
    }

    /** Two premises of the general one may fall on one of the special one's: the request then has one row for both. */
    private boolean mapPremises(int position) {
        if (position == general.premises().size()) {
            return demandsHold();
        }
        Premise premise = general.premises().get(position);
        for (Premise other : special.premises()) {
            @Nullable Pattern[] before = images.clone();
            if (premise.query().equals(other.query())
                    && mapAll(premise.arguments(), other.arguments())
                    && mapAll(premise.row(), other.row())
                    && mapPremises(position + 1)) {
                return true;
            }
            // Another premise is tried with the images of before.
            System.arraycopy(before, 0, images, 0, before.length);
        }
        return false;
    }

    /** Lengths differ where a text was read otherwise then; such templates have nothing to do with each other. */
    private boolean mapAll(List<Pattern> patterns, List<Pattern> others) {
        if (patterns.size() != others.size()) {
            return false;
        }
        for (int i = 0; i < patterns.size(); i++) {
            if (!map(patterns.get(i), others.get(i))) {
                return false;
            }
        }
        return true;
    }

    private boolean map(Pattern pattern, Pattern other) {
        if (pattern instanceof Pattern.Any) {
            return true;
        }
        // The special one takes values of which nothing is known there, which the general one would refuse.
        if (other instanceof Pattern.Any) {
            return false;
        }
        if (!(pattern instanceof Pattern.Variable variable)) {
            return pattern.equals(other);
        }
        Pattern image = images[variable.index()];
        if (image == null) {
            images[variable.index()] = other;
            return true;
        }
        return image.equals(other);
    }

    private boolean demandsHold() {
        return general.notNull().stream().allMatch(variable -> isNotNull(images[variable]))
                && general.comparisons().stream().allMatch(this::holds);
    }

    private boolean isNotNull(@Nullable Pattern image) {
        if (image instanceof Pattern.Constant constant) {
            return !constant.value().isNull();
        }
        return image instanceof Pattern.Variable variable
                && (special.notNull().contains(variable.index())
                        // What is compared is not NULL, so a demand for that is fulfilled by a comparison.
                        || special.comparisons().stream()
                                .anyMatch(comparison -> comparison.left().equals(image)
                                        || comparison.right().equals(image)));
    }

    private boolean holds(PatternComparison demand) {
        Pattern left = image(demand.left());
        Pattern right = image(demand.right());
        if (left instanceof Pattern.Constant one && right instanceof Pattern.Constant other) {
            return demand.holds(one.value(), other.value());
        }
        // Less is also less or equal, and different; the reverse is not so.
        List<Operator> stronger = demand.operator() == Operator.LESS
                ? List.of(Operator.LESS)
                : Arrays.asList(Operator.LESS, demand.operator());
        return special.comparisons().stream()
                .anyMatch(comparison -> stronger.contains(comparison.operator())
                        && comparison.left().equals(left)
                        && comparison.right().equals(right));
    }

    /** Null where the general one's variable was matched with nothing yet, which equals no pattern. */
    private @Nullable Pattern image(Pattern pattern) {
        return pattern instanceof Pattern.Variable variable ? images[variable.index()] : pattern;
    }
}
