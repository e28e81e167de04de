/** What a user of epsilon-PPI types: wishes, policies, options, errors and metrics. */
@NullMarked
package io.leeway.eppi;

import org.jspecify.annotations.NullMarked;
