package io.leeway.privoxy.internal.cache;

import io.leeway.privoxy.internal.cache.Vocabulary.Place;
import io.leeway.privoxy.internal.cache.Vocabulary.Tests;
import io.leeway.privoxy.internal.model.Value;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How much a first guess keeps of what a problem says, from little to all.
 *
 * <p>A template that says too much is of little use, one that says too little is not proved. So the likely guess comes
 * first and the literal one last; whichever is proved is then weakened. The dissertation's trimming of accidental
 * equalities (Chang, UCB/EECS-2021-244, section 3.5) has the same aim, with rules that are fixed.
 */
enum Caution {
    /**
     * Equal values of one domain are meant to be equal; a value is known where its domain is tested for it, for order
     * or for null.
     *
     * <p>User 5 and event 5 are equal by accident: their columns are tied by no foreign key and no view, so they are of
     * different domains and get different variables.
     */
    LIKELY {
        @Override
        void group(Draft draft, int place, Value value, Grouping grouping) {
            Place domain = draft.places.domain(place);
            Tests tests = grouping.tests(domain);
            if (value.isNull()) {
                draft.setKnown(draft.group(place), tests.nullness);
                return;
            }
            int group = grouping.groupOf(value, domain, draft.group(place));
            draft.join(place, group);
            if (tests.constants.contains(value) || (tests.order && value.isOrderedWith(value))) {
                draft.setKnown(group, true);
            } else if (tests.nullness) {
                draft.setNotNull(group, true);
            }
        }
    },
    /** All equal values are meant to be equal, and known if anything is tested for them; nulls are known. */
    CAUTIOUS {
        @Override
        void group(Draft draft, int place, Value value, Grouping grouping) {
            int group = grouping.groupOf(value, null, draft.group(place));
            draft.join(place, group);
            Tests tests = grouping.tests(draft.places.domain(place));
            if (value.isNull()
                    || grouping.constants.contains(value)
                    || (tests.order && value.isOrderedWith(value))
                    || tests.difference) {
                draft.setKnown(group, true);
            } else {
                draft.setNotNull(group, true);
            }
        }
    },
    /**
     * Every value is known.
     *
     * <p>True of this one request at least. It serves the rest of a page that asks the same again.
     */
    LITERAL {
        @Override
        void group(Draft draft, int place, Value value, Grouping grouping) {
            int group = grouping.groupOf(value, null, draft.group(place));
            draft.join(place, group);
            draft.setKnown(group, true);
        }
    };

    abstract void group(Draft draft, int place, Value value, Grouping grouping);

    /** The first guess. */
    Draft draft(Places places, Vocabulary vocabulary, Set<Value> constants) {
        Draft draft = new Draft(places);
        Grouping grouping = new Grouping(vocabulary, constants);
        for (int place = 0; place < places.count(); place++) {
            Value value = places.value(place);
            if (value != null) {
                group(draft, place, value, grouping);
            }
        }
        return draft;
    }

    /** The groups made so far. */
    static final class Grouping {

        /** Without a domain, in the cautious guesses, equal values are one group wherever they stand. */
        private record Key(Value value, @Nullable Place domain) {}

        private final Vocabulary vocabulary;
        final Set<Value> constants;
        private final Map<Key, Integer> groups = new HashMap<>();

        Grouping(Vocabulary vocabulary, Set<Value> constants) {
            this.vocabulary = vocabulary;
            this.constants = constants;
        }

        int groupOf(Value value, @Nullable Place domain, int otherwise) {
            Integer earlier = groups.putIfAbsent(new Key(value, domain), otherwise);
            return earlier == null ? otherwise : earlier;
        }

        Tests tests(@Nullable Place domain) {
            return domain == null ? Vocabulary.NOTHING : vocabulary.tests(domain);
        }
    }
}
