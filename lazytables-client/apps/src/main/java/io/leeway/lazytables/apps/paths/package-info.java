/** Shortest paths from one vertex. */
@NullMarked
package io.leeway.lazytables.apps.paths;

import org.jspecify.annotations.NullMarked;
