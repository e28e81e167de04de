/** What privacy an index gives and what a search costs. */
@NullMarked
package io.leeway.eppi.internal.report;

import org.jspecify.annotations.NullMarked;
