/** A client process with its threads: the core behind a lock, waits with limits. */
@NullMarked
package io.leeway.lazytables.internal.process;

import org.jspecify.annotations.NullMarked;
