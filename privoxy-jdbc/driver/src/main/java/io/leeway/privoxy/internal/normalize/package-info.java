/**
 * Turns a statement into questions about the database whose answers determine everything that the statement returns,
 * and a policy view into the exact question that it answers. Text, names and three-valued logic end here.
 */
@NullMarked
package io.leeway.privoxy.internal.normalize;

import org.jspecify.annotations.NullMarked;
