package io.leeway.privoxy.internal.cache;

import io.leeway.privoxy.internal.cache.Vocabulary.Place;
import io.leeway.privoxy.internal.decide.Arg;
import io.leeway.privoxy.internal.decide.Fact;
import io.leeway.privoxy.internal.decide.Problem;
import io.leeway.privoxy.internal.model.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The places of a problem where a template may say something, numbered: the goal's arguments, the context's parameters
 * by name, then for each fact its arguments and its cells. Each has a value, unless it is unknown, and a domain.
 * Immutable.
 */
final class Places {

    final Problem problem;
    final List<Fact> facts;
    /** Names of the context's parameters, sorted. */
    final List<String> contextNames;
    /** Null where the value is unknown or need not be said. */
    private final @Nullable Value[] values;

    private final @Nullable Place[] domains;
    private final boolean[] cell;
    private final int[] firstOfFact;

    Places(Problem problem, List<Fact> facts, PlaceSource source) {
        this.problem = problem;
        this.facts = List.copyOf(facts);
        Map<String, Arg> context = new TreeMap<>(problem.context());
        // Sorted, so that the same problem has the same numbers whatever map the context came in.
        this.contextNames = List.copyOf(context.keySet());
        int count = problem.arguments().size() + context.size();
        for (Fact fact : facts) {
            count += fact.arguments().size() + fact.row().size();
        }
        this.values = new Value[count];
        this.domains = new Place[count];
        this.cell = new boolean[count];
        this.firstOfFact = new int[facts.size()];
        fill(source, new ArrayList<>(context.values()));
    }

    /** Arguments, context, rows: the order in which matching binds variables later. */
    private void fill(PlaceSource source, List<Arg> context) {
        QueryPlaces goal = source.of(problem.goal());
        int next = 0;
        for (int i = 0; i < problem.arguments().size(); i++) {
            set(next++, problem.arguments().get(i), goal.argument(i));
        }
        for (int i = 0; i < context.size(); i++) {
            set(next++, context.get(i), source.of(contextNames.get(i)));
        }
        for (int f = 0; f < facts.size(); f++) {
            firstOfFact[f] = next;
            Fact fact = facts.get(f);
            QueryPlaces places = source.of(fact.query());
            for (int i = 0; i < fact.arguments().size(); i++) {
                set(next++, fact.arguments().get(i), places.argument(i));
            }
            for (int i = 0; i < fact.row().size(); i++) {
                cell[next] = true;
                Place domain = places.cell(i);
                int twin = places.twin(i);
                // What the query itself ties to an argument, or to an earlier cell, is true of each of its rows; to
                // say it again would make the template longer and no more particular.
                boolean isSaid = domain == null || (twin < i && fact.row().get(twin) != null);
                set(next++, isSaid ? null : fact.row().get(i), domain);
            }
        }
    }

    /** Symbols have no value to speak of; a template is made of a concrete problem. */
    private void set(int place, @Nullable Arg arg, @Nullable Place domain) {
        values[place] = arg instanceof Arg.Known known ? known.value() : null;
        domains[place] = domain;
    }

    int count() {
        return values.length;
    }

    /** The value, or null if nothing can or need be said. */
    @Nullable
    Value value(int place) {
        return values[place];
    }

    /** The domain, or null if the place has none. */
    @Nullable
    Place domain(int place) {
        return domains[place];
    }

    boolean isCell(int place) {
        return cell[place];
    }

    int ofContext(int index) {
        return problem.arguments().size() + index;
    }

    int ofFact(int fact) {
        return firstOfFact[fact];
    }
}
