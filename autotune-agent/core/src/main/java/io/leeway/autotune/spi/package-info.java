/** What users implement: services that are tuned, and orchestrators that deploy. */
@NullMarked
package io.leeway.autotune.spi;

import org.jspecify.annotations.NullMarked;
