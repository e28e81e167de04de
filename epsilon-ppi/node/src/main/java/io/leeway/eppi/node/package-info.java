/** The nodes of a network as a user starts them, their options and metrics. */
@NullMarked
package io.leeway.eppi.node;

import org.jspecify.annotations.NullMarked;
