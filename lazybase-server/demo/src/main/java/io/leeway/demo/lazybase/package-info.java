/** What ./demo lazybase shows. */
@NullMarked
package io.leeway.demo.lazybase;

import org.jspecify.annotations.NullMarked;
