package io.leeway.privoxy.internal.cache;

import io.leeway.privoxy.internal.cache.Vocabulary.Place;
import io.leeway.privoxy.internal.decide.CompiledPolicy;
import io.leeway.privoxy.internal.decide.Goal;
import io.leeway.privoxy.internal.decide.Shape;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The domains of queries under one policy, found once for each query. Thread-safe.
 *
 * <p>Bound to one compiled policy and dropped with it, as domains follow from its views and the schema's foreign keys.
 */
final class PlaceSource {

    private final Vocabulary vocabulary;
    private final ConcurrentHashMap<Goal, QueryPlaces> goals = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<Shape, QueryPlaces> shapes = new ConcurrentHashMap<>();

    PlaceSource(CompiledPolicy policy) {
        this.vocabulary = Vocabulary.of(policy.policy(), policy.schema());
    }

    Vocabulary vocabulary() {
        return vocabulary;
    }

    QueryPlaces of(Goal goal) {
        return goals.computeIfAbsent(goal, absent -> QueryPlaces.of(absent.query(), vocabulary));
    }

    QueryPlaces of(Shape shape) {
        return shapes.computeIfAbsent(shape, absent -> QueryPlaces.of(absent.query(), vocabulary));
    }

    Place of(String contextName) {
        return vocabulary.domain(new Place.Parameter(contextName));
    }
}
