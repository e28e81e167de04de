/** privoxy-jdbc, as it is packaged, on real servers and under the software that people use it with. */
@NullMarked
package io.leeway.it.privoxy;

import org.jspecify.annotations.NullMarked;
