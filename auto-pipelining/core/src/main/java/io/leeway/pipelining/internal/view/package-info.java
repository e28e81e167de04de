/** The graph with its threads and decisions, as text and as a page. */
@NullMarked
package io.leeway.pipelining.internal.view;

import org.jspecify.annotations.NullMarked;
