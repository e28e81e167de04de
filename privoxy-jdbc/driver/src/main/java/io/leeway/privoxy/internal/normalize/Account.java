package io.leeway.privoxy.internal.normalize;

import io.leeway.privoxy.internal.sql.ast.Assignment;
import io.leeway.privoxy.internal.sql.ast.Expr;
import io.leeway.privoxy.internal.sql.ast.FromItem;
import io.leeway.privoxy.internal.sql.ast.GroupItem;
import io.leeway.privoxy.internal.sql.ast.InsertSource;
import io.leeway.privoxy.internal.sql.ast.MergeWhen;
import io.leeway.privoxy.internal.sql.ast.Node;
import io.leeway.privoxy.internal.sql.ast.OnConflict;
import io.leeway.privoxy.internal.sql.ast.OrderItem;
import io.leeway.privoxy.internal.sql.ast.Query;
import io.leeway.privoxy.internal.sql.ast.QueryBody;
import io.leeway.privoxy.internal.sql.ast.SelectItem;
import io.leeway.privoxy.internal.sql.ast.Statement;
import io.leeway.privoxy.internal.sql.ast.Window;
import io.leeway.privoxy.internal.sql.ast.With;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which parts of a statement's tree somebody has read. What nobody read may make rows, sort, group or tell, so a
 * statement with such a part is refused.
 *
 * <p>Each reader notes the nodes that it interprets. What is left out on purpose is left out here, by a name that says
 * why. Nodes that only hold others together need no reader of their own, as these have to be read.
 */
final class Account {

    /** Why nothing depends on a part that nobody reads. */
    enum Ignored {
        /**
         * What a sub-query shows of its rows, how it sorts, groups or repeats them, where it is only asked whether it
         * has a row; and columns of a query in FROM that are not used. Both have been looked through for what would
         * make one row of none, or more of one ({@link UnusedItems}, {@link Traits}).
         */
        NOT_ASKED_FOR,
        /**
         * All rows are taken to be shown, however few a limit lets pass; sub-queries in it are refused
         * ({@link Vetting}).
         */
        LIMIT,
        /** A query with an aggregate and no groups has one row, whatever it reads. */
        ALWAYS_ONE_ROW,
        /** A query with {@code LIMIT 0} has no row, whatever it reads. */
        NO_ROW,
        /** What happens to a row that a new one strikes, where none can be struck. */
        STRIKES_NOTHING,
        /** Targets of a DELETE from several tables are names of what it reads from. */
        NAMES_OF_TARGETS,
        /** What a conflict clause calls the values that were to be inserted; these are the writer's own. */
        VALUES_TO_INSERT,
        /** A statement that reads nothing but public tables of the catalogue may read all of them ({@link Vetting}). */
        CATALOGUE
    }

    // By identity: two nodes may be equal as records (the same column written twice) and one of them be read and the
    // other not. By equality the one that nobody looked at would count as read.
    private final Set<Node> read = Collections.newSetFromMap(new IdentityHashMap<>());
    private final IdentityHashMap<Node, Ignored> ignored = new IdentityHashMap<>();

    /**
     * Notes that a node has been read; what is below it is noted by who reads that.
     *
     * <p>So a reader that takes a node must hand on its children or {@linkplain #ignore leave them out by name}: noting
     * them all here would make the account worthless.
     */
    void read(Node node) {
        read.add(node);
    }

    /**
     * Leaves out a part with all that is below it.
     *
     * <p>The first reason given stays. A part can be left out for two (a limit inside a clause that is not asked for);
     * which of them is told does not matter to anyone but a reader of the account.
     */
    void ignore(@Nullable Node part, Ignored reason) {
        if (part != null) {
            ignored.putIfAbsent(part, reason);
            Tree.children(part).forEach(child -> ignore(child, reason));
        }
    }

    /** Why a part is left out, or null if it is not. */
    @Nullable
    Ignored reason(Node part) {
        return ignored.get(part);
    }

    /**
     * The first part that nobody has read, or null. A query of WITH to whose name nothing refers is not run, so it is
     * left out as well.
     *
     * <p>Such a query has to be a SELECT: a data-modifying WITH is run by PostgreSQL whether or not somebody names it,
     * so that one must have been read.
     */
    @Nullable
    Node unread(Node node) {
        if (node instanceof With.CommonTable table
                && table.statement() instanceof Statement.Select
                && !read.contains(table)) {
            return null;
        }
        // The node before its children: what is refused is then named by the outermost construct that was not
        // understood, which is what a person recognises in the text.
        if (!read.contains(node) && !ignored.containsKey(node) && !holdsOnly(node)) {
            return node;
        }
        for (Node child : Tree.children(node)) {
            Node unread = unread(child);
            if (unread != null) {
                return unread;
            }
        }
        return null;
    }

    /**
     * Whether a node means nothing but that its parts belong together. It is a list of what needs no reader; a kind of
     * node that is added to the tree is on no list, so statements with it are refused until somebody has said what it
     * means.
     */
    static boolean holdsOnly(Node node) {
        if (node instanceof Expr) {
            return node instanceof Expr.Row || node instanceof Expr.ArrayOf || node instanceof Expr.Scalar;
        }
        if (node instanceof FromItem) {
            return node instanceof FromItem.Join || node instanceof FromItem.Derived;
        }
        if (node instanceof QueryBody) {
            // TABLE t is short for SELECT * FROM t: it names a table and shows its columns, and has no child that would
            // be missed.
            return !(node instanceof QueryBody.Table);
        }
        return node instanceof Statement
                || node instanceof Query
                || node instanceof With
                || node instanceof With.CommonTable
                || node instanceof SelectItem.Value
                || node instanceof OrderItem
                || node instanceof GroupItem
                || node instanceof Window
                || node instanceof Assignment
                || node instanceof InsertSource
                || node instanceof OnConflict
                || node instanceof MergeWhen;
    }
}
