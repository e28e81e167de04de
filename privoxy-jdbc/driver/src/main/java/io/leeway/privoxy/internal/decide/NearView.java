package io.leeway.privoxy.internal.decide;

import java.util.List;

/**
 * A view that nearly covers a refused query.
 *
 * <p>Shown to developers in refusals and logs. It speaks of the policy, the schema and the text only, never of rows: a
 * message that told what is in a hidden row would be the leak itself.
 *
 * @param name of the view
 * @param description from the policy file, may be empty
 * @param origin file and line of the view
 * @param missing what it lacks, in plain words without data; empty if it shows the rows but the proof needs more than
 *     this view
 */
public record NearView(String name, String description, String origin, List<String> missing) {
    public NearView {
        missing = List.copyOf(missing);
    }
}
