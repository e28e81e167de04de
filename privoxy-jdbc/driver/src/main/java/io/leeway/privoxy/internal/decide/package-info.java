/**
 * Decides compliance by a chase over symbolic rows. A function of its inputs: no JDBC, no clock, no randomness.
 */
@NullMarked
package io.leeway.privoxy.internal.decide;

import org.jspecify.annotations.NullMarked;
