package io.leeway.privoxy.internal.normalize;

import io.leeway.privoxy.internal.model.Term;
import io.leeway.privoxy.internal.sql.ast.QueryBody;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * SELECTs as one union of conjunctive queries, if they are that exactly: no hidden literal, no outer join that matters,
 * and the same types in each column, so that a value is the same whichever side it comes from.
 *
 * <p>Two askers: a view of the policy, which has to be this exactly, and a statement's UNION, which is asked for side
 * by side otherwise. As one question it can be compliant by a view of just that union.
 */
final class UnionReader {

    private final Work work;
    private final Place place;
    private final Absence absence;
    private final Context context;

    UnionReader(Work work, Place place, Absence absence, Context context) {
        this.work = work;
        this.place = place;
        this.absence = absence;
        this.context = context;
    }

    /** The union, each head being the context's keys and the select list; null if it is not exact. */
    @Nullable
    List<Draft> drafts(List<QueryBody.Select> selects) {
        List<Draft> drafts = new ArrayList<>();
        List<String> types = new ArrayList<>();
        for (QueryBody.Select select : selects) {
            for (From from : new FromReader(work, absence).readAll(select.from(), place)) {
                if (!from.pendings.isEmpty() || !add(select, from, drafts, types)) {
                    return null;
                }
            }
        }
        return drafts;
    }

    /**
     * Adds the branches of one side; false if one of them is not exactly conjunctive queries, and then the whole is
     * not.
     */
    private boolean add(QueryBody.Select select, From from, List<Draft> drafts, List<String> types) {
        var rows = new SelectRows(work, select, from, place, absence);
        Outputs outputs = rows.outputs(List.of());
        var revealer = new Revealer(work, rows.block(), context, Mode.SET, outputs, "");
        rows.block().readOptional();
        List<Branch> branches = rows.block().branches(Mode.SET, outputs);
        if (branches.isEmpty()) {
            work.watch(() -> outputs.readAll(absence));
        }
        for (Branch branch : branches) {
            var piece = revealer.new Piece(branch);
            if (!piece.isPlain()) {
                return false;
            }
            List<Term> head = new ArrayList<>(context.keys());
            List<String> tags = new ArrayList<>();
            for (Operand operand : outputs.readItems(branch.absence())) {
                head.add(((Operand.Plain) operand).term());
                tags.add(((Operand.Plain) operand).sort().tag());
            }
            if (types.isEmpty()) {
                types.addAll(tags);
            }
            // UNION converts: 1 beside 1.5 comes out as 1.0, '1' beside 1 as a number on MariaDB. Then a value of the
            // result is none of the side's.
            if (!types.equals(tags)) {
                return false;
            }
            drafts.addAll(piece.drafts(piece.conjuncts, head));
        }
        return true;
    }
}
