package io.leeway.privoxy.internal.cache.file;

import io.leeway.privoxy.internal.cache.Template;
import java.util.List;

/**
 * A template of a file.
 *
 * @param reviews by whom it was read
 * @param line where it begins in the file, 0 if it was not read from one
 */
public record ReviewedTemplate(Template template, List<Review> reviews, int line) {
    public ReviewedTemplate {
        reviews = List.copyOf(reviews);
    }

    /** A template that nobody has read yet. */
    public static ReviewedTemplate of(Template template) {
        return new ReviewedTemplate(template, List.of(), 0);
    }
}
