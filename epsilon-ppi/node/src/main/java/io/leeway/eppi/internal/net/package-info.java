/** Connections between members: TLS with pinned certificates on both sides, frames, limits. */
@NullMarked
package io.leeway.eppi.internal.net;

import org.jspecify.annotations.NullMarked;
