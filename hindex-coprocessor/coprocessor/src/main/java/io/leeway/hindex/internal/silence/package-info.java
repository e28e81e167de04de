/** What is done about an index whose region does not answer. */
@NullMarked
package io.leeway.hindex.internal.silence;

import org.jspecify.annotations.NullMarked;
