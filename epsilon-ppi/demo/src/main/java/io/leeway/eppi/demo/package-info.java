/** What {@code ./demo eppi} shows. */
@NullMarked
package io.leeway.eppi.demo;

import org.jspecify.annotations.NullMarked;
