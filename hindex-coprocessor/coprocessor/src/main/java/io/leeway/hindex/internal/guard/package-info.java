/** Keeps what goes wrong here from ending a region server. */
@NullMarked
package io.leeway.hindex.internal.guard;

import org.jspecify.annotations.NullMarked;
