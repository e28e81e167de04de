/** The demonstration of auto-pipelining. */
@NullMarked
package io.leeway.demo.pipelining;

import org.jspecify.annotations.NullMarked;
