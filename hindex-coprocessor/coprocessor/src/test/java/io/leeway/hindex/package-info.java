/** Tests of the indexes on real HBase. */
@NullMarked
package io.leeway.hindex;

import org.jspecify.annotations.NullMarked;
