package io.leeway.privoxy.internal.cache;

import io.leeway.privoxy.internal.cache.Vocabulary.Place;
import io.leeway.privoxy.internal.decide.Arg;
import io.leeway.privoxy.internal.decide.Fact;
import io.leeway.privoxy.internal.decide.Problem;
import io.leeway.privoxy.internal.model.Value;
import io.leeway.privoxy.internal.model.ValueKind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Puts the rows that a request has seen in the order in which a proof is likely to need them: first those that share
 * values with the goal's arguments, then with the context or with such rows; of each result its best row before the
 * second best.
 *
 * <p>It decides how quickly a template is found and how particular it is: the proof is tried with nothing, then with
 * one row, two, four and so on in this order.
 */
final class FactRanking {

    /** More than all neighbours together can weigh: a row with the asked id is nearly always the one that opens it. */
    private static final int SHARED_WITH_GOAL = 8;

    private static final int SHARED_WITH_CONTEXT = 3;
    private static final int SHARED_WITH_NEIGHBOUR = 3;

    private final PlaceSource source;
    private final List<Item> goalItems = new ArrayList<>();
    private final List<Item> contextItems = new ArrayList<>();
    private final Set<Item> neighbourItems = new HashSet<>();

    /**
     * A value in a domain.
     *
     * <p>With its domain, as the number 5 stands for many things.
     */
    private record Item(Value value, @Nullable Place domain) {}

    /** All rows of one result. */
    private record Result(Object query, List<Arg> arguments) {}

    private static final class Ranked {
        final Fact fact;
        final int age;
        int score;
        int round;

        Ranked(Fact fact, int age) {
            this.fact = fact;
            this.age = age;
        }
    }

    private FactRanking(Problem problem, PlaceSource source) {
        this.source = source;
        QueryPlaces goal = source.of(problem.goal());
        problem.context().forEach((name, arg) -> addItem(contextItems, arg, source.of(name)));
        for (int i = 0; i < problem.arguments().size(); i++) {
            addItem(goalItems, problem.arguments().get(i), goal.argument(i));
        }
        // The user's own id is an argument of most statements and tells nothing about which row matters.
        goalItems.removeAll(contextItems);
    }

    private static void addItem(List<Item> items, Arg arg, @Nullable Place domain) {
        if (arg instanceof Arg.Known known && isTelling(known.value())) {
            items.add(new Item(known.value(), domain));
        }
    }

    /** TRUE and NULL stand in many rows by accident. */
    private static boolean isTelling(Value value) {
        return value.kind() != ValueKind.NULL && value.kind() != ValueKind.BOOLEAN;
    }

    static List<Fact> rank(Problem problem, PlaceSource source, boolean all) {
        FactRanking ranking = new FactRanking(problem, source);
        List<Ranked> ranked = new ArrayList<>();
        for (Fact fact : new LinkedHashSet<>(problem.facts())) {
            if (all || problem.goal().concerns(fact.query())) {
                ranked.add(new Ranked(fact, -ranked.size()));
            }
        }
        ranking.score(ranked);
        ranked.sort(Comparator.<Ranked>comparingInt(each -> each.score == 0 ? 1 : 0)
                // The best row of each result before the second of any: proofs join results, and seldom need two
                // rows of one.
                .thenComparingInt(each -> each.round)
                .thenComparingInt(each -> -each.score)
                .thenComparingInt(each -> each.age));
        return ranked.stream().map(each -> each.fact).toList();
    }

    private void score(List<Ranked> ranked) {
        for (Ranked each : ranked) {
            each.score = shared(each.fact, goalItems) * SHARED_WITH_GOAL;
            if (each.score > 0) {
                collect(each.fact);
            }
        }
        neighbourItems.removeAll(goalItems);
        neighbourItems.removeAll(contextItems);
        for (Ranked each : ranked) {
            // However many columns share the user's id, it is one hint.
            each.score += Math.min(1, shared(each.fact, contextItems)) * SHARED_WITH_CONTEXT;
            if (each.score < SHARED_WITH_GOAL) {
                each.score += Math.min(2, neighbours(each.fact)) * SHARED_WITH_NEIGHBOUR;
            }
        }
        Map<Result, List<Ranked>> results = new HashMap<>();
        for (Ranked each : ranked) {
            results.computeIfAbsent(new Result(each.fact.query(), each.fact.arguments()), absent -> new ArrayList<>())
                    .add(each);
        }
        for (List<Ranked> rows : results.values()) {
            rows.sort(Comparator.comparingInt(each -> -each.score));
            for (int i = 0; i < rows.size(); i++) {
                rows.get(i).round = i;
            }
        }
    }

    /** How many of the items stand in the fact. */
    private int shared(Fact fact, List<Item> items) {
        int shared = 0;
        for (Item item : items) {
            shared += stands(item, fact) ? 1 : 0;
        }
        return shared;
    }

    private boolean stands(Item item, Fact fact) {
        QueryPlaces places = source.of(fact.query());
        for (int i = 0; i < fact.arguments().size(); i++) {
            if (isItem(item, fact.arguments().get(i), places.argument(i))) {
                return true;
            }
        }
        for (int i = 0; i < fact.row().size(); i++) {
            if (isItem(item, fact.row().get(i), places.cell(i))) {
                return true;
            }
        }
        return false;
    }

    private static boolean isItem(Item item, @Nullable Arg arg, @Nullable Place domain) {
        return arg instanceof Arg.Known known
                && known.value().equals(item.value())
                && domain != null
                && domain.equals(item.domain());
    }

    private void collect(Fact fact) {
        QueryPlaces places = source.of(fact.query());
        for (int i = 0; i < fact.arguments().size(); i++) {
            collect(fact.arguments().get(i), places.argument(i));
        }
        for (int i = 0; i < fact.row().size(); i++) {
            collect(fact.row().get(i), places.cell(i));
        }
    }

    private void collect(@Nullable Arg arg, @Nullable Place domain) {
        if (domain != null && arg instanceof Arg.Known known && isTelling(known.value())) {
            neighbourItems.add(new Item(known.value(), domain));
        }
    }

    /** A second step from the goal, for proofs that go by a row in between. */
    private int neighbours(Fact fact) {
        QueryPlaces places = source.of(fact.query());
        int count = 0;
        for (int i = 0; i < fact.arguments().size(); i++) {
            count += isNeighbour(fact.arguments().get(i), places.argument(i)) ? 1 : 0;
        }
        for (int i = 0; i < fact.row().size(); i++) {
            count += isNeighbour(fact.row().get(i), places.cell(i)) ? 1 : 0;
        }
        return count;
    }

    private boolean isNeighbour(@Nullable Arg arg, @Nullable Place domain) {
        return domain != null
                && arg instanceof Arg.Known known
                && isTelling(known.value())
                && neighbourItems.contains(new Item(known.value(), domain));
    }
}
