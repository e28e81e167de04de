/** What travels between shim and gateway: datagrams, frames, records. */
@NullMarked
package io.leeway.approx.internal.wire;

import org.jspecify.annotations.NullMarked;
