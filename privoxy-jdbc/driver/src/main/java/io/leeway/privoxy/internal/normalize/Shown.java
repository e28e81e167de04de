package io.leeway.privoxy.internal.normalize;

import io.leeway.privoxy.internal.model.Term;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a branch gives away, sorted by where it comes from. A term over the branch's own rows is returned as it is. A
 * term that reads an optional part is taken apart into its columns, and each is returned where its row is; that the
 * part is there at all is then shown too, even by a constant in its select list.
 *
 * <p>Taken apart, since the terms' columns are asked for in different questions: {@code a.x || b.y} under {@code LEFT
 * JOIN b} is a function of a.x, which comes with the block's rows, and b.y, which comes with the level's
 * ({@link Levels}).
 */
final class Shown {

    /** Terms over the branch's rows. */
    final Set<Term> own = new LinkedHashSet<>();
    /** Sub-queries that must be revealed for each row. */
    final List<Pending> pendings = new ArrayList<>();
    /** Whether all is in {@link #own}, term by term. */
    boolean plain = true;

    private final Map<OptionalPart, Set<Term>> byPart = new LinkedHashMap<>();
    private final List<OptionalPart> parts;

    /** What the outputs show, some of the branch's parts being optional. */
    Shown(Work work, Outputs outputs, Branch branch) {
        this.parts = branch.optional();
        for (Outputs.Reader reader : outputs.all()) {
            List<Operand> read = new ArrayList<>();
            if (parts.isEmpty()) {
                read.add(reader.read(branch.absence()));
                read.forEach(this::add);
            } else {
                Work.Mentions mentions = work.watch(() -> read.add(reader.read(branch.absence())));
                add(read.get(0), mentions.among(parts));
            }
        }
    }

    /** Whether something of the part is shown, be it only whether it is there. */
    boolean shows(OptionalPart part) {
        return byPart.containsKey(part);
    }

    /** Columns of an optional part. */
    Set<Term> of(OptionalPart part) {
        return byPart.getOrDefault(part, Set.of());
    }

    private void add(Operand operand) {
        if (operand instanceof Hidden hidden) {
            plain = false;
            own.addAll(hidden.reads());
            pendings.addAll(hidden.pendings());
        } else {
            own.add(((Operand.Plain) operand).term());
        }
    }

    private void add(Operand operand, List<OptionalPart> mentioned) {
        if (mentioned.isEmpty()) {
            add(operand);
            return;
        }
        plain = false;
        // Also where no column of it is in the term: COALESCE and constants in a select list show by NULL whether the
        // part is there.
        mentioned.forEach(part -> byPart.computeIfAbsent(part, key -> new LinkedHashSet<>()));
        if (operand instanceof Hidden hidden) {
            hidden.reads().forEach(this::addColumns);
            pendings.addAll(hidden.pendings());
        } else {
            addColumns(((Operand.Plain) operand).term());
        }
    }

    private void addColumns(Term term) {
        for (Term.Variable column : Terms.columns(term)) {
            OptionalPart part = owner(column);
            if (part == null) {
                // Of the block's rows, or of a row around.
                own.add(column);
            } else {
                byPart.computeIfAbsent(part, key -> new LinkedHashSet<>()).add(column);
            }
        }
    }

    private @Nullable OptionalPart owner(Term.Variable column) {
        for (OptionalPart part : parts) {
            if (part.owns(column.index())) {
                return part;
            }
        }
        return null;
    }
}
