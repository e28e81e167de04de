/** The packaged jars on real servers, under real third-party software. */
@NullMarked
package io.leeway.it;

import org.jspecify.annotations.NullMarked;
