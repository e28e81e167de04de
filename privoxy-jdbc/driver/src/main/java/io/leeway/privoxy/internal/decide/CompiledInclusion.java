package io.leeway.privoxy.internal.decide;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Stream;

/**
 * An inclusion with its queries compiled; no right side: left is always empty.
 *
 * <p>Assertions of the policy in the form of the dissertation's "other constraints" (Chang, UCB/EECS-2021-244, section
 * 3.7, for instance that a reshared post is public): the left query's answers are among the right one's. They are
 * believed, not checked.
 */
@SuppressWarnings("ArrayRecordComponent") // the kernel works on arrays; never compared as a whole
record CompiledInclusion(String name, Shape[] left, Shape[] right, Set<String> contextNames) {

    static CompiledInclusion of(String name, Shape[] left, Shape[] right) {
        // Both sides: an assertion with a parameter that the request lacks says nothing that could
        // be used.
        Set<String> names = new HashSet<>();
        Stream.concat(Arrays.stream(left), Arrays.stream(right)).forEach(shape -> names.addAll(shape.contextNames));
        return new CompiledInclusion(name, left, right, Set.copyOf(names));
    }

    /** Whether it says the same whatever the time and the settings are. */
    boolean isSteady() {
        return Stream.concat(Arrays.stream(left), Arrays.stream(right)).allMatch(shape -> shape.changing.isEmpty());
    }

    /** Of which moments it says something: what it denies, and what it demands by the time, it says of now. */
    Moments moments() {
        return right.length > 0 && isSteady() ? Moments.ONE : Moments.NOW;
    }
}
