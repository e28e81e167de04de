/** What every implementation of the SPI has to do: for those of this repository and for others. */
@NullMarked
package io.leeway.lazytables.spi;

import org.jspecify.annotations.NullMarked;
