package io.leeway.eppi.internal.session;

import io.leeway.eppi.EppiException;
import io.leeway.eppi.EppiException.Code;
import io.leeway.eppi.Policy;
import io.leeway.eppi.internal.config.Settings;
import io.leeway.eppi.internal.mpc.Profile;
import io.leeway.eppi.internal.net.Reading;
import io.leeway.eppi.internal.net.Writing;
import io.leeway.eppi.node.EppiOptions;
import java.util.Arrays;

/**
 * What all coordinators of a construction have to agree on.
 *
 * @param epoch number of the construction
 * @param policy as text
 * @param profile of the secure computation
 * @param classSize fewest persons of a class
 * @param hiddenBits of frequencies
 * @param register digest of the register
 */
@SuppressWarnings("ArrayRecordComponent") // Compared by hand.
record Parameters(long epoch, String policy, String profile, int classSize, int hiddenBits, byte[] register) {

    static Parameters of(Settings settings, long epoch, byte[] register) {
        return new Parameters(
                epoch,
                settings.get(EppiOptions.POLICY).text(),
                settings.get(EppiOptions.PROFILE).name(),
                settings.get(EppiOptions.CLASS_SIZE),
                settings.get(EppiOptions.HIDDEN_BITS),
                register);
    }

    static Parameters read(Reading in) {
        return new Parameters(in.longNumber(), in.text(), in.text(), in.number(), in.number(), in.bytes());
    }

    byte[] written() {
        return new Writing()
                .longNumber(epoch)
                .text(policy)
                .text(profile)
                .number(classSize)
                .number(hiddenBits)
                .bytes(register)
                .done();
    }

    Policy parsedPolicy() {
        return Policy.parse(policy);
    }

    Profile parsedProfile() {
        return Profile.valueOf(profile);
    }

    /** Fails with what differs from a coordinator's own settings. */
    void mustEqual(Parameters own, String who) {
        check(policy.equals(own.policy), EppiOptions.POLICY.key(), who);
        check(profile.equals(own.profile), EppiOptions.PROFILE.key(), who);
        check(classSize == own.classSize, EppiOptions.CLASS_SIZE.key(), who);
        check(hiddenBits == own.hiddenBits, EppiOptions.HIDDEN_BITS.key(), who);
        check(Arrays.equals(register, own.register), "the register of " + EppiOptions.REGISTER.key(), who);
    }

    private static void check(boolean isEqual, String what, String who) {
        if (!isEqual) {
            throw EppiException.of(Code.DISAGREEMENT, what + " is another one at " + who);
        }
    }
}
