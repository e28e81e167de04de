/** What users of Privoxy may implement. */
@NullMarked
package io.leeway.privoxy.spi;

import org.jspecify.annotations.NullMarked;
