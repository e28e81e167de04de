/** What coordinators do in a construction. */
@NullMarked
package io.leeway.eppi.internal.session;

import org.jspecify.annotations.NullMarked;
