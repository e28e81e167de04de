/** HTTP, JSON and pages. */
@NullMarked
package io.leeway.eppi.internal.web;

import org.jspecify.annotations.NullMarked;
