/** Which ports to try next: the search of AutoPipelining §4.4. */
@NullMarked
package io.leeway.pipelining.internal.optimise;

import org.jspecify.annotations.NullMarked;
