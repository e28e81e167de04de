/** The controller: REST API, page, stored instances, command line. */
@NullMarked
package io.leeway.autotune.internal.controller;

import org.jspecify.annotations.NullMarked;
