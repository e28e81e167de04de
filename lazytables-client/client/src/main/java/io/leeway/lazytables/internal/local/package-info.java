/** Servers inside the process, and links to them without sockets. */
@NullMarked
package io.leeway.lazytables.internal.local;

import org.jspecify.annotations.NullMarked;
