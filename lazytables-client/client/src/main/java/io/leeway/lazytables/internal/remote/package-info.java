/** Servers that are processes of their own, and what client processes reach them by. */
@NullMarked
package io.leeway.lazytables.internal.remote;

import org.jspecify.annotations.NullMarked;
