/** What a program types to share tables with bounded staleness. */
@NullMarked
package io.leeway.lazytables;

import org.jspecify.annotations.NullMarked;
