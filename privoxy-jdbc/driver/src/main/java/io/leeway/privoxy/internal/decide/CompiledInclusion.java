package io.leeway.privoxy.internal.decide;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Stream;

/** An inclusion with its queries compiled; no right side: left is always empty. */
@SuppressWarnings("ArrayRecordComponent") // the kernel works on arrays; never compared as a whole
record CompiledInclusion(String name, Shape[] left, Shape[] right, Set<String> contextNames) {

    static CompiledInclusion of(String name, Shape[] left, Shape[] right) {
        Set<String> names = new HashSet<>();
        Stream.concat(Arrays.stream(left), Arrays.stream(right)).forEach(shape -> names.addAll(shape.contextNames));
        return new CompiledInclusion(name, left, right, Set.copyOf(names));
    }
}
