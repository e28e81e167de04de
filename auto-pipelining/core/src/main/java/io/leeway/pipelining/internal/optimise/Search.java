package io.leeway.pipelining.internal.optimise;

/**
 * How the tree of choices is searched.
 *
 * @param prune stop where some thread has no port left that would help it (AutoPipelining §4.4.3)
 * @param sort decide the ports that most threads share first (AutoPipelining §4.4.3)
 * @param bound stop where nothing better than the best so far can follow; not in the paper, never changes the result
 * @param nodes after how many nodes the best so far is taken; at least 1
 */
public record Search(boolean prune, boolean sort, boolean bound, long nodes) {

    /** The search of a controller. */
    public static final Search DEFAULT = new Search(true, true, true, 100_000);

    /** The paper's search without enhancements. */
    public static final Search BASIC = new Search(false, false, false, Long.MAX_VALUE);

    /** The paper's search with pruning. */
    public static final Search PRUNED = new Search(true, false, false, Long.MAX_VALUE);

    /** The paper's search with pruning and sorting. */
    public static final Search SORTED = new Search(true, true, false, Long.MAX_VALUE);

    /** This search with at most so many nodes. */
    public Search within(long most) {
        return new Search(prune, sort, bound, most);
    }
}
