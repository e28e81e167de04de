/** The request in progress: who asks, and what the request has seen. */
@NullMarked
package io.leeway.privoxy.internal.request;

import org.jspecify.annotations.NullMarked;
