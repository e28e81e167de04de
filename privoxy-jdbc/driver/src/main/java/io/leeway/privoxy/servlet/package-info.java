/** Requests of a web application, for containers with Jakarta Servlet. */
@NullMarked
package io.leeway.privoxy.servlet;

import org.jspecify.annotations.NullMarked;
