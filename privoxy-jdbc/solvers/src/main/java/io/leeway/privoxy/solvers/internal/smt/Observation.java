package io.leeway.privoxy.solvers.internal.smt;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a model must tell so that databases can be read from it: the constants, and for each position and each applied
 * function a constant defined to be it.
 *
 * <p>{@code get-value} is asked of names only: solvers print whole terms differently, and a name comes back as it was
 * written.
 *
 * @param names constants to ask for
 * @param definitions SMT-LIB text that defines the additional ones
 * @param positions by line and term, the constant
 * @param applications by applied function, the constant
 */
record Observation(
        List<String> names,
        String definitions,
        Map<Position, String> positions,
        Map<Vocabulary.Application, String> applications) {

    /** A term's place on a line. */
    record Position(String line, String term) {}

    static Observation of(Vocabulary vocabulary) {
        List<String> names = new ArrayList<>(vocabulary.constants());
        names.add(Vocabulary.NULL);
        StringBuilder definitions = new StringBuilder();
        Map<Position, String> positions = new LinkedHashMap<>();
        vocabulary
                .lines()
                .forEach((line, terms) -> terms.forEach(term -> positions.put(
                        new Position(line, term),
                        define(names, definitions, "Real", vocabulary.position(line, term)))));
        Map<Vocabulary.Application, String> applications = new LinkedHashMap<>();
        vocabulary
                .applications()
                .forEach((text, application) ->
                        applications.put(application, define(names, definitions, Vocabulary.SORT, text)));
        return new Observation(names, definitions.toString(), positions, applications);
    }

    /** A definition and no constant with an equality: nothing is added to the formula. */
    private static String define(List<String> names, StringBuilder definitions, String sort, String term) {
        String name = "observed~" + names.size();
        names.add(name);
        definitions.append("(define-fun ").append(name).append(" () ").append(sort);
        definitions.append(' ').append(term).append(")\n");
        return name;
    }
}
