/** What users of LazyBase type: the server, its options, errors and metrics. */
@NullMarked
package io.leeway.lazybase;

import org.jspecify.annotations.NullMarked;
