/** hindex beside no index, an index updated in place, Phoenix and MariaDB, on real servers in processes of their own. */
@NullMarked
package io.leeway.benchmarks.hindex;

import org.jspecify.annotations.NullMarked;
