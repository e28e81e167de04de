package io.leeway.privoxy.internal.normalize;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The names of a policy's tables: what one has meant first it means from then on, or nothing. Who may create or drop
 * tables, or choose where names are looked up, could otherwise put another table in the place of one that the policy
 * shows, or that opens others. Thread-safe.
 *
 * <p>Kept for the JVM, not for a version of the schema: a rename and a new table of the old name in one transaction
 * would otherwise be one new version in which the policy shows the wrong rows
 * ({@code PolicyMeaningIT.aNameOfThePolicyMeansOneTable}, {@code .noTransactionMovesANameEither}).
 */
public final class PolicyNames implements TableResolver {

    // Bounded, since databases in memory without a name are each a place of their own; the one that was not used for
    // longest goes.
    private static final int MOST_PLACES = 1_024;

    /** What names have meant, by where they were looked up. */
    private static final Map<String, Map<String, String>> PLACES = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Map<String, String>> eldest) {
            return size() > MOST_PLACES;
        }
    };

    private final TableResolver resolver;
    private final Map<String, String> bound;

    private PolicyNames(TableResolver resolver, Map<String, String> bound) {
        this.resolver = resolver;
        this.bound = bound;
    }

    /**
     * The names of a policy.
     *
     * @param resolver what they mean now
     * @param place the policy, the database, and how it is connected to
     */
    public static PolicyNames of(TableResolver resolver, String place) {
        synchronized (PLACES) {
            return new PolicyNames(resolver, PLACES.computeIfAbsent(place, absent -> new ConcurrentHashMap<>()));
        }
    }

    /**
     * Looks a name up.
     *
     * @throws Moved if it has meant something else before
     */
    @Override
    public Found resolve(List<String> name, List<String> searchPath) {
        Found found = resolver.resolve(name, searchPath);
        String meaning = meaning(found);
        // With a schema the name says which table is meant; a policy that wants one for each tenant writes it so.
        if (meaning != null && name.size() == 1) {
            String before = bound.putIfAbsent(name.get(0), meaning);
            if (before != null && !before.equals(meaning)) {
                throw new Moved(name.get(0), before, meaning);
            }
        }
        return found;
    }

    @Override
    public boolean isTaken(List<String> name, List<String> searchPath) {
        return resolver.isTaken(name, searchPath);
    }

    @Override
    public void prefetch(List<List<String>> names, List<String> searchPath) {
        resolver.prefetch(names, searchPath);
    }

    /** A name that means nothing is not bound: the table may be made later by a migration. */
    private static @Nullable String meaning(Found found) {
        if (found instanceof BaseTable base) {
            return base.table().name();
        }
        return found instanceof ViewDefinition view ? view.name() : null;
    }

    /** A name means another table than it did. */
    public static final class Moved extends RuntimeException {

        private static final long serialVersionUID = 1L;

        Moved(String name, String before, String now) {
            super("The policy's " + name + " was " + before + " and would be " + now + " now.");
        }
    }
}
