/** What an agent sees of traces between services: headers of requests, and the spans that come of them. Pure. */
@NullMarked
package io.leeway.autotune.internal.trace;

import org.jspecify.annotations.NullMarked;
