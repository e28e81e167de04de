package io.leeway.privoxy.internal.cache.file;

import java.util.List;

/**
 * Builds indented lines and breaks lists that are too long for one.
 *
 * <p>Files are read by people and compared line by line by version control, so the same template is always printed the
 * same.
 */
final class Layout {

    private static final int WIDTH = 110;
    private static final String STEP = "  ";

    private final StringBuilder text = new StringBuilder();

    /** A line. */
    Layout line(int indent, String content) {
        text.append(STEP.repeat(indent)).append(content).append('\n');
        return this;
    }

    /**
     * A heading and items after it, as many on a line as fit; following lines are indented once more.
     *
     * <p>One line for short lists: a reviewer sees the whole template on one page.
     */
    Layout list(int indent, String heading, List<String> items, String separator) {
        StringBuilder line = new StringBuilder(STEP.repeat(indent)).append(heading);
        for (int i = 0; i < items.size(); i++) {
            String item = items.get(i) + (i + 1 < items.size() ? separator : "");
            if (i > 0 && line.length() + 1 + item.length() > WIDTH) {
                text.append(line).append('\n');
                line = new StringBuilder(STEP.repeat(indent + 1)).append(item);
            } else {
                line.append(' ').append(item);
            }
        }
        text.append(line).append('\n');
        return this;
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
