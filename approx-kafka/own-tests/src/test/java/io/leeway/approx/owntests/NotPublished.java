package io.leeway.approx.owntests;

import java.util.Map;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Leaves out tests that need what Kafka does not publish, and says so. */
public final class NotPublished implements ExecutionCondition {

    private static final Map<String, String> NEEDS =
            Map.of("testUniqueProducerIds", "org.apache.kafka.server.IntegrationTestUtils");

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        String method = context.getTestMethod().map(found -> found.getName()).orElse("");
        String needed = NEEDS.get(method);
        return needed == null
                ? ConditionEvaluationResult.enabled("")
                : ConditionEvaluationResult.disabled(method + " needs " + needed + ", which is not published");
    }
}
