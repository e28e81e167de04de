/** Programs on LazyTables, and what they are compared with. */
@NullMarked
package io.leeway.lazytables.apps;

import org.jspecify.annotations.NullMarked;
