/**
 * Decision templates: what one proof shows for all requests alike, how a request is matched against it, and where
 * templates are kept. No JDBC, no clock, no files.
 */
@NullMarked
package io.leeway.privoxy.internal.cache;

import org.jspecify.annotations.NullMarked;
