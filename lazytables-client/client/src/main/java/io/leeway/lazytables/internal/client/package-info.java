/** What runs in a client process: caches, logs and clocks, as a function of what it is told. */
@NullMarked
package io.leeway.lazytables.internal.client;

import org.jspecify.annotations.NullMarked;
