package io.leeway.privoxy.internal.policy;

import java.util.List;
import java.util.stream.Collectors;

/**
 * A policy that cannot be used, with everything that is wrong with it.
 *
 * <p>At the first load it ends the connection attempt; later the policy loaded before stays in force
 * ({@link PolicySource}).
 */
public final class InvalidPolicyException extends Exception {

    private static final long serialVersionUID = 1L;

    private final transient List<Finding> findings;

    /** All findings, at least one of them an error. */
    public InvalidPolicyException(List<Finding> findings) {
        super(message(findings));
        this.findings = findings.stream().sorted(Finding.BY_POSITION).toList();
    }

    private static String message(List<Finding> findings) {
        return findings.stream()
                .filter(finding -> finding.severity() == Finding.Severity.ERROR)
                .sorted(Finding.BY_POSITION)
                .map(Finding::toString)
                .collect(Collectors.joining("\n"));
    }

    /** Errors and warnings, in the order of the files. */
    public List<Finding> findings() {
        return findings;
    }
}
