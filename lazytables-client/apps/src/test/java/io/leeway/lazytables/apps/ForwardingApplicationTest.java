package io.leeway.lazytables.apps;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import org.junit.jupiter.api.Test;

class ForwardingApplicationTest {

    /** A default that comes to be in the interface would answer in place of the other application. */
    @Test
    void leavesNoDefaultInPlace() throws NoSuchMethodException {
        assertForwards(Application.class, ForwardingApplication.class);
        assertForwards(Application.Part.class, ForwardingApplication.ForwardingPart.class);
    }

    private static void assertForwards(Class<?> type, Class<?> forwarding) throws NoSuchMethodException {
        for (Method method : type.getMethods()) {
            assertThat(forwarding
                            .getMethod(method.getName(), method.getParameterTypes())
                            .getDeclaringClass())
                    .as(method.getName())
                    .isEqualTo(forwarding);
        }
    }
}
