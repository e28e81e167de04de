/** Recorded traffic: what an application asked, what was decided and which rows it saw, as lines of JSON. */
@NullMarked
package io.leeway.privoxy.internal.traffic;

import org.jspecify.annotations.NullMarked;
