/** Finds entries that became obsolete, inside flushes and compactions that read the data anyway, and removes them. */
@NullMarked
package io.leeway.hindex.internal.repair;

import org.jspecify.annotations.NullMarked;
