/** hindex on a real HBase: source text, indexed by its words while it is written. */
@NullMarked
package io.leeway.demo.hindex;

import org.jspecify.annotations.NullMarked;
