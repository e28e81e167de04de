package io.leeway.autotune.lab;

import io.leeway.autotune.AutoTuneError;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * Which services are worth tuning, said by traces of the configuration without tuning (Gagan Somashekhar, "Performance
 * Management of Large-Scale Microservices Applications", 2023, section 3.4.2, dimensionality reduction).
 *
 * @since 0.1
 */
public enum Reduction {
    /** Services on the critical path of at least half of the requests of some type, for at least a millisecond. */
    CRITICAL_PATH,
    /** Services that a classifier holds for a bottleneck. */
    BOTTLENECK,
    /** Services whose own time varies: coefficient of variation above a half. */
    VARIANCE,
    /** The five services of the critical path whose own time varies most. */
    CRITICAL_PATH_VARIANCE;

    /** As files have it: {@code critical-path}. */
    public String key() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /**
     * The reduction of such a name.
     *
     * @throws io.leeway.autotune.AutoTuneException with {@link AutoTuneError#BAD_VALUE} if there is none
     */
    public static Reduction of(String key) {
        return Arrays.stream(values())
                .filter(reduction -> reduction.key().equals(key))
                .findFirst()
                .orElseThrow(() -> AutoTuneError.BAD_VALUE.because("a reduction is none, "
                        + Arrays.stream(values()).map(Reduction::key).collect(Collectors.joining(", ")) + ", not "
                        + key));
    }
}
