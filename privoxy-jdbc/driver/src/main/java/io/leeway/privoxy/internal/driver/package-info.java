/** The checked side of JDBC: thin wrappers through which no SQL passes that a guard has not permitted. */
@NullMarked
package io.leeway.privoxy.internal.driver;

import org.jspecify.annotations.NullMarked;
