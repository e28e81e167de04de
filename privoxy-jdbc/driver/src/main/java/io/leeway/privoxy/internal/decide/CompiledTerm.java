package io.leeway.privoxy.internal.decide;

import io.leeway.privoxy.internal.model.Term;
import io.leeway.privoxy.internal.model.Value;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A term with its variables resolved to atom and column, for evaluation without look-ups.
 *
 * <p>A flat class with a kind, not a sealed hierarchy as {@code Term}: terms are evaluated for each row that matching
 * looks at, which is where a decision spends its time.
 */
final class CompiledTerm {

    enum Kind {
        VARIABLE,
        CONSTANT,
        PARAMETER,
        CONTEXT,
        FUNCTION
    }

    private static final CompiledTerm[] NO_ARGUMENTS = {};

    final Kind kind;
    /** Variable or parameter number; for a variable also its atom and column. */
    final int index;

    final int atom;
    final int column;
    final @Nullable Value value;
    /** Function symbol or name of the context parameter. */
    final String name;

    final CompiledTerm[] arguments;
    /**
     * Position in the atom order after which the term can be evaluated, or -1 if it has no variables.
     *
     * <p>Conditions are tested in the first position at which all their terms are known, so that a wrong row ends a
     * branch early.
     */
    final int ready;

    private CompiledTerm(
            Kind kind,
            int index,
            int atom,
            int column,
            @Nullable Value value,
            String name,
            CompiledTerm[] arguments,
            int ready) {
        this.kind = kind;
        this.index = index;
        this.atom = atom;
        this.column = column;
        this.value = value;
        this.name = name;
        this.arguments = arguments;
        this.ready = ready;
    }

    static CompiledTerm of(Term term, int[] variableAtom, int[] firstVariable, int[] position) {
        if (term instanceof Term.Variable variable) {
            int atom = variableAtom[variable.index()];
            return new CompiledTerm(
                    Kind.VARIABLE,
                    variable.index(),
                    atom,
                    variable.index() - firstVariable[atom],
                    null,
                    "",
                    NO_ARGUMENTS,
                    position[atom]);
        }
        if (term instanceof Term.Constant constant) {
            return new CompiledTerm(Kind.CONSTANT, 0, -1, -1, constant.value(), "", NO_ARGUMENTS, -1);
        }
        if (term instanceof Term.Parameter parameter) {
            return new CompiledTerm(Kind.PARAMETER, parameter.index(), -1, -1, null, "", NO_ARGUMENTS, -1);
        }
        if (term instanceof Term.Context context) {
            return new CompiledTerm(Kind.CONTEXT, 0, -1, -1, null, context.name(), NO_ARGUMENTS, -1);
        }
        Term.Function function = (Term.Function) term;
        CompiledTerm[] arguments = ofAll(function.arguments(), variableAtom, firstVariable, position);
        int ready = -1;
        for (CompiledTerm argument : arguments) {
            ready = Math.max(ready, argument.ready);
        }
        return new CompiledTerm(Kind.FUNCTION, 0, -1, -1, null, function.symbol(), arguments, ready);
    }

    static CompiledTerm[] ofAll(List<Term> terms, int[] variableAtom, int[] firstVariable, int[] position) {
        CompiledTerm[] compiled = new CompiledTerm[terms.size()];
        for (int i = 0; i < compiled.length; i++) {
            compiled[i] = of(terms.get(i), variableAtom, firstVariable, position);
        }
        return compiled;
    }

    boolean isVariable() {
        return kind == Kind.VARIABLE;
    }

    /** Whether the term is the same value in every row: no variable in it. */
    boolean isRigid() {
        return ready < 0;
    }

    /** Whether it keeps its meaning for ever: what a function of the time gives now it gave at no other moment. */
    boolean isSteady() {
        return (kind != Kind.FUNCTION || Term.Function.isSteady(name))
                && Arrays.stream(arguments).allMatch(CompiledTerm::isSteady);
    }

    /** Whether it is given by the same constant, parameter or context parameter as another one. */
    boolean isGivenLike(CompiledTerm other) {
        return kind == other.kind
                && kind != Kind.FUNCTION
                && kind != Kind.VARIABLE
                && index == other.index
                && name.equals(other.name)
                && Objects.equals(value, other.value);
    }
}
