/** Agents of other processes, spoken to over their control channel. */
@NullMarked
package io.leeway.autotune.internal.remote;

import org.jspecify.annotations.NullMarked;
