/** What ./demo autotune shows. */
@NullMarked
package io.leeway.demo.autotune;

import org.jspecify.annotations.NullMarked;
