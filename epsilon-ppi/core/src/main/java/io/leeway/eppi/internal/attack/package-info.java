/** Attacks on this and on earlier indexes, for tests, the demonstration and measurements. */
@NullMarked
package io.leeway.eppi.internal.attack;

import org.jspecify.annotations.NullMarked;
