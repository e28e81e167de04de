package io.leeway.autotune.lab.internal.run;

/** How a parameter's value reaches its service. {@code {value}} in a format is the value. */
sealed interface Apply {

    /** Another argument of the service's command, such as {@code --threads={value}} or {@code -Xmx{value}m}. */
    record Argument(String format) implements Apply {}

    /** An environment variable of the service. */
    record Environment(String name, String format) implements Apply {}

    /** An option of the service's JVM, wherever its command starts it: through {@code JAVA_TOOL_OPTIONS}. */
    record Jvm(String format) implements Apply {}

    /** A line of a file, such as {@code maxmemory {value}mb}; lines of several parameters make one file. */
    record Line(String file, String format) implements Apply {}

    /** A knob of the service's agent, changed when the service is up. */
    record Knob(String name) implements Apply {}

    /** Nothing by itself: templates and commands take the value by the parameter's name. */
    record Named() implements Apply {}
}
