/** How slack and work per clock are chosen while a program runs, as a function of what was measured. */
@NullMarked
package io.leeway.lazytables.internal.pace;

import org.jspecify.annotations.NullMarked;
