/** What users of Privoxy may implement: a receiver of metrics, a solver. */
@NullMarked
package io.leeway.privoxy.spi;

import org.jspecify.annotations.NullMarked;
