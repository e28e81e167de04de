/** What a host of operator graphs implements. */
@NullMarked
package io.leeway.pipelining.spi;

import org.jspecify.annotations.NullMarked;
