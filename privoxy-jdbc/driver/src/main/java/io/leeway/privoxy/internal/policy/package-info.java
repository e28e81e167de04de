/**
 * Reads policies: finds their files, splits them into statements, has the views compiled, and says everything that is
 * wrong with them at once, with file, line, column and remedy.
 */
@NullMarked
package io.leeway.privoxy.internal.policy;

import org.jspecify.annotations.NullMarked;
