/**
 * What runs in a server: the tables, the clocks of processes and the reads that wait for them, as a function of what it
 * is told.
 */
@NullMarked
package io.leeway.lazytables.internal.server;

import org.jspecify.annotations.NullMarked;
