/** What a chain would do on a machine with more cores, from measured costs. */
@NullMarked
package io.leeway.pipelining.internal.simulate;

import org.jspecify.annotations.NullMarked;
