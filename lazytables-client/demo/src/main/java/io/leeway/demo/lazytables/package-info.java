/** What {@code ./demo lazytables} shows. */
@NullMarked
package io.leeway.demo.lazytables;

import org.jspecify.annotations.NullMarked;
