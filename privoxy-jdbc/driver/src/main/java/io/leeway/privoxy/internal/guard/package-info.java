/** The one gate between the driver and the decision: every statement passes it before it reaches the database. */
@NullMarked
package io.leeway.privoxy.internal.guard;

import org.jspecify.annotations.NullMarked;
