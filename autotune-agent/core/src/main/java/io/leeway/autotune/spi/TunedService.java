package io.leeway.autotune.spi;

import io.leeway.autotune.KnobSpec;
import io.leeway.autotune.Setting;
import io.leeway.autotune.Window;
import java.util.List;
import java.util.function.Predicate;

/**
 * A running service as the tuning loop sees it. Called by one thread at a time.
 *
 * @since 0.1
 */
public interface TunedService {

    /** For people and for stored state. */
    String name();

    /** What can be changed at the moment; pools are found when they are first used, so that the list grows. */
    List<KnobSpec> knobs();

    /** The values as they are. */
    Setting read();

    /**
     * Changes knobs and waits until the change is seen. The change holds until the next one; a service that loses who
     * tunes it goes back by itself to what was last kept.
     *
     * @param changes values of some knobs
     * @throws io.leeway.autotune.AutoTuneException if the host refuses or nothing is seen to change; the values before
     *     are in place then
     */
    void apply(Setting changes);

    /** Says that the present values are good: what the service goes back to from now on. */
    void keep();

    /** Goes back to what was last kept. */
    void restore();

    /**
     * Looks at the service for some time.
     *
     * @param seconds how long
     * @param goOn asked about once a second with what was seen so far; false ends the window early
     */
    Window measure(double seconds, Predicate<Window> goOn);
}
