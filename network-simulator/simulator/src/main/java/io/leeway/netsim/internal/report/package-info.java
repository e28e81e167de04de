/** Tables and plots as pages and files. */
@NullMarked
package io.leeway.netsim.internal.report;

import org.jspecify.annotations.NullMarked;
