package io.leeway.privoxy.internal.cache;

/**
 * Hears what happens to the templates of a store, for metrics. Called under the store's lock: to be quick.
 *
 * <p>Metrics are optional and must not get into the store's own logic.
 */
@FunctionalInterface
public interface TemplateListener {

    /** What can happen. */
    enum Event {
        /** Kept after a proof. */
        CREATED,
        /** Kept from a file. */
        LOADED,
        /** Dropped because a more general one came. */
        REPLACED,
        /** Dropped to make room. */
        EVICTED,
        /** Not kept: not needed, no room, or not reviewed where only reviewed ones count. */
        REJECTED
    }

    /** Hears nothing. */
    TemplateListener NONE = event -> {};

    /** Something happened to one template. */
    void on(Event event);
}
