/** The checker's own language: schemas, conjunctive queries, values. It knows neither SQL text nor JDBC. */
@NullMarked
package io.leeway.privoxy.internal.model;

import org.jspecify.annotations.NullMarked;
