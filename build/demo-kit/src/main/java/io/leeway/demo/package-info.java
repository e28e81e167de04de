/** What the demo script runs: one class a drop-in, in the terminal and on a page. */
@NullMarked
package io.leeway.demo;

import org.jspecify.annotations.NullMarked;
