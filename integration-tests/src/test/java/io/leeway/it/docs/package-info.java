/** The documentation is tested like code. */
@NullMarked
package io.leeway.it.docs;

import org.jspecify.annotations.NullMarked;
