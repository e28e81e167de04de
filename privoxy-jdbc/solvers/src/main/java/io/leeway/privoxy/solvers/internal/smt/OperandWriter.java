package io.leeway.privoxy.solvers.internal.smt;

import io.leeway.privoxy.internal.decide.Arg;
import io.leeway.privoxy.internal.model.Value;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Writes the values that stand in a problem. In a concrete script each is its constant. In a generalised script each
 * operand is a constant of its own, and what is special about its value hangs on labels: that it equals the other
 * operands of that value, that this common value is not null, that it is just this value. The labels that a proof needs
 * are the conditions of a template; the proof holds for every request that fulfils them.
 *
 * <p>The labels of Chang, UCB/EECS-2021-244, section 3.5 ("LV"), split in three: there a label says which value a
 * parameter has, so a core that needs an equality needs the value as well.
 */
final class OperandWriter {

    private final Vocabulary vocabulary;
    private final boolean generalised;
    private final List<String> assertions = new ArrayList<>();
    private final Map<String, Label> labels = new LinkedHashMap<>();
    private final Map<Operand, String> operands = new HashMap<>();
    private final Map<Value, String> shared = new HashMap<>();

    OperandWriter(Vocabulary vocabulary, boolean generalised) {
        this.vocabulary = vocabulary;
        this.generalised = generalised;
    }

    /** A ground term for the operand. */
    String write(Operand operand, Arg arg) {
        // A symbol is general already.
        if (!generalised || !(arg instanceof Arg.Known known)) {
            return write(arg);
        }
        return operands.computeIfAbsent(operand, key -> {
            String term = vocabulary.constant("o" + operands.size());
            String same = vocabulary.equal(term, shared(known.value()));
            premise("same", new Label.Same(operand, known.value()), same);
            return term;
        });
    }

    /**
     * A ground term for an argument that is what it is in every request.
     *
     * <p>One constant for one symbol: what a template says of a variable holds wherever it stands.
     */
    String write(Arg arg) {
        if (arg instanceof Arg.Known known) {
            return vocabulary.value(known.value());
        }
        Arg.Symbol symbol = (Arg.Symbol) arg;
        String term = vocabulary.function("symbol " + symbol.id(), "s" + symbol.id(), 0);
        if (symbol.notNull()) {
            assertions.add(vocabulary.isNotNull(term));
        }
        return term;
    }

    /**
     * Makes a formula a premise that can be left out.
     *
     * <p>An implication from a Boolean constant, which is assumed or not from check to check.
     */
    void premise(String hint, Label label, String formula) {
        String flag = vocabulary.flag("L." + hint + labels.size());
        labels.put(flag, label);
        assertions.add(Logic.implies(flag, formula));
    }

    private String shared(Value value) {
        String present = shared.get(value);
        if (present != null) {
            return present;
        }
        String term = vocabulary.constant("p" + shared.size());
        shared.put(value, term);
        // That NULL is not null would be a false premise.
        if (!value.isNull()) {
            premise("notnull", new Label.NotNull(value), vocabulary.isNotNull(term));
        }
        premise("fixed", new Label.Fixed(value), vocabulary.equal(term, vocabulary.value(value)));
        return term;
    }

    boolean isGeneralised() {
        return generalised;
    }

    /** What was said about the operands so far. */
    List<String> assertions() {
        return assertions;
    }

    /** Labels by their Boolean constants. */
    Map<String, Label> labels() {
        return Collections.unmodifiableMap(labels);
    }
}
