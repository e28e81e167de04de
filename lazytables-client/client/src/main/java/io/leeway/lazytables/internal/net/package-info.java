/** What carries frames between client processes and servers, and the boundary at which the protocol meets it. */
@NullMarked
package io.leeway.lazytables.internal.net;

import org.jspecify.annotations.NullMarked;
