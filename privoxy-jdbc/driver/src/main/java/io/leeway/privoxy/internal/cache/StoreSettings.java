package io.leeway.privoxy.internal.cache;

/**
 * How much a {@link TemplateStore} keeps, and of what kind.
 *
 * @param templates in all
 * @param perGoal for one goal
 * @param reviewedOnly whether only templates count that people have reviewed: those made from proofs are not kept
 */
public record StoreSettings(int templates, int perGoal, boolean reviewedOnly) {

    /**
     * 10,000 templates, 64 for one goal, made from proofs or loaded.
     *
     * <p>An application has some hundred texts and a few templates for each; 64 for one goal ends what cannot be
     * generalised and would be compared one by one by each request.
     */
    public static final StoreSettings DEFAULT = new StoreSettings(10_000, 64, false);

    public StoreSettings {
        if (templates < 0 || perGoal < 1) {
            throw new IllegalArgumentException("a store has room for at least one template of a goal");
        }
    }
}
