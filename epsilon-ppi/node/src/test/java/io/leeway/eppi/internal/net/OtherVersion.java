package io.leeway.eppi.internal.net;

import io.leeway.eppi.internal.config.Settings;
import io.leeway.eppi.internal.metrics.Meters;

/** A member that says it speaks another version. */
public final class OtherVersion {

    private OtherVersion() {}

    public static Net of(Settings settings) {
        return new Net(settings, new Meters(), 99);
    }
}
