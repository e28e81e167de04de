package io.leeway.lazytables.internal.config;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a location begins with, before the first colon; one letter is the drive of a path on Windows.
 *
 * <p>By it the library tells what opens a location: a provider for it, or a directory of this machine where there is
 * none. Without state.
 */
public final class Scheme {

    private static final Pattern SCHEME = Pattern.compile("([A-Za-z][A-Za-z0-9+.-]+):.*");

    private Scheme() {}

    /** The scheme of a location; empty if it has none. */
    public static String of(String location) {
        Matcher scheme = SCHEME.matcher(location);
        return scheme.matches() ? scheme.group(1) : "";
    }
}
