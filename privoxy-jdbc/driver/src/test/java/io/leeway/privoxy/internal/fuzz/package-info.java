/** The fuzzer of the contract. */
@NullMarked
package io.leeway.privoxy.internal.fuzz;

import org.jspecify.annotations.NullMarked;
