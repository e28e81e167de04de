/** A request: who asks, and what was learnt so far. It knows no JDBC. */
@NullMarked
package io.leeway.privoxy.internal.request;

import org.jspecify.annotations.NullMarked;
