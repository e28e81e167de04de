package io.leeway.autotune.internal.knobs;

import io.leeway.autotune.AutoTuneError;
import io.leeway.autotune.KnobSpec;
import io.leeway.autotune.KnobValue;
import java.lang.management.ManagementFactory;
import javax.management.Attribute;
import javax.management.JMException;
import javax.management.ObjectName;

/** An attribute of an MBean that the user declared to be a knob: {@code app:type=Cache#Size#10..1000}. */
final class MBeanKnob implements LiveKnob {

    private final KnobSpec spec;
    private final ObjectName bean;
    private final String attribute;

    private MBeanKnob(KnobSpec spec, ObjectName bean, String attribute) {
        this.spec = spec;
        this.bean = bean;
        this.attribute = attribute;
    }

    /** Reads a declaration; faults are told when the agent starts. */
    static MBeanKnob parse(String declaration) {
        String[] parts = declaration.split("#");
        if (parts.length != 3) {
            throw AutoTuneError.BAD_OPTION.because("not object name#attribute#min..max: " + declaration);
        }
        try {
            KnobSpec spec = Ranges.bounded(
                    KnobSpec.size("mbean." + parts[1], 1, 1, "at once, if the bean does as it says"), parts[2]);
            return new MBeanKnob(spec, new ObjectName(parts[0]), parts[1]);
        } catch (JMException e) {
            throw AutoTuneError.BAD_OPTION.because("no name of an MBean: " + parts[0], e);
        }
    }

    @Override
    public KnobSpec spec() {
        return spec;
    }

    @Override
    public boolean isAlive() {
        return ManagementFactory.getPlatformMBeanServer().isRegistered(bean);
    }

    @Override
    public KnobValue read() throws ReflectiveOperationException {
        return KnobValue.of(((Number) raw()).doubleValue());
    }

    private Object raw() throws ReflectiveOperationException {
        try {
            return ManagementFactory.getPlatformMBeanServer().getAttribute(bean, attribute);
        } catch (JMException e) {
            throw new ReflectiveOperationException(bean + " " + attribute, e);
        }
    }

    @Override
    public void write(KnobValue value) throws ReflectiveOperationException {
        Object present = raw();
        double number = value.number();
        Object typed = present instanceof Integer
                ? (Object) (int) number
                : present instanceof Long ? (Object) (long) number : (Object) number;
        try {
            ManagementFactory.getPlatformMBeanServer().setAttribute(bean, new Attribute(attribute, typed));
        } catch (JMException e) {
            throw new ReflectiveOperationException(bean + " " + attribute, e);
        }
    }
}
