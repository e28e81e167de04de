/** What users may implement: where bytes are kept. */
@NullMarked
package io.leeway.lazybase.spi;

import org.jspecify.annotations.NullMarked;
