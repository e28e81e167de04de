/** Directed graphs: where they come from, and how they are kept. */
@NullMarked
package io.leeway.lazytables.apps.graph;

import org.jspecify.annotations.NullMarked;
