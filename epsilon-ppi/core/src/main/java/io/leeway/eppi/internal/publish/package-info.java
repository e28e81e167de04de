/** Publication of a provider's row with noise that does not change between constructions. */
@NullMarked
package io.leeway.eppi.internal.publish;

import org.jspecify.annotations.NullMarked;
