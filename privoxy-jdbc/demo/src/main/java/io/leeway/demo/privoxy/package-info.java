/** Privoxy in front of a social network on PostgreSQL. */
@NullMarked
package io.leeway.demo.privoxy;

import org.jspecify.annotations.NullMarked;
