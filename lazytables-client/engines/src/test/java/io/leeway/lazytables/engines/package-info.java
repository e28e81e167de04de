/** Examples of LazyTables in engines, which use its public API only, and the tests that run them. */
@NullMarked
package io.leeway.lazytables.engines;

import org.jspecify.annotations.NullMarked;
