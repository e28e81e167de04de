/** A queueing simulator of services on servers, for runs by the thousand. */
@NullMarked
package io.leeway.autotune.internal.sim;

import org.jspecify.annotations.NullMarked;
