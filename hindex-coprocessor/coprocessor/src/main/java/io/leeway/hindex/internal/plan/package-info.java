/** What the indexes of one table are, in the form that the server works with. */
@NullMarked
package io.leeway.hindex.internal.plan;

import org.jspecify.annotations.NullMarked;
