package io.leeway.privoxy.solvers.internal.smt;

import io.leeway.privoxy.internal.model.Term;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;

/** Writes terms. */
final class TermWriter {

    private final Vocabulary vocabulary;
    private final Bindings bindings;
    private final IntFunction<String> variables;

    TermWriter(Vocabulary vocabulary, Bindings bindings, IntFunction<String> variables) {
        this.vocabulary = vocabulary;
        this.bindings = bindings;
        this.variables = variables;
    }

    String write(Term term) {
        if (term instanceof Term.Variable variable) {
            return variables.apply(variable.index());
        }
        if (term instanceof Term.Constant constant) {
            return vocabulary.value(constant.value());
        }
        if (term instanceof Term.Parameter parameter) {
            return bindings.arguments().get(parameter.index());
        }
        if (term instanceof Term.Context context) {
            String bound = bindings.context().get(context.name());
            // A goal may name a parameter that the request lacks: then it stands for any value.
            return bound == null
                    ? vocabulary.function("context " + context.name(), "context." + context.name(), 0)
                    : bound;
        }
        Term.Function function = (Term.Function) term;
        List<String> arguments = new ArrayList<>();
        function.arguments().forEach(argument -> arguments.add(write(argument)));
        return vocabulary.apply(function.symbol(), arguments);
    }
}
