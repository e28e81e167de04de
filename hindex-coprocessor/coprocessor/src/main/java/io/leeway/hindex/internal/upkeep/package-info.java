/** The region's part of building, verifying and repairing: what is right for a row is decided under its lock. */
@NullMarked
package io.leeway.hindex.internal.upkeep;

import org.jspecify.annotations.NullMarked;
