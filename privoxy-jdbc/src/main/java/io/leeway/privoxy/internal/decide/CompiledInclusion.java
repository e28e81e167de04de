package io.leeway.privoxy.internal.decide;

/** An inclusion with its queries compiled; no right side: left is always empty. */
@SuppressWarnings("ArrayRecordComponent") // the kernel works on arrays; never compared as a whole
record CompiledInclusion(String name, Shape[] left, Shape[] right) {}
