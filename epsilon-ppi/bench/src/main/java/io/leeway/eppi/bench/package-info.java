/** Measurements of epsilon-PPI. */
@NullMarked
package io.leeway.eppi.bench;

import org.jspecify.annotations.NullMarked;
