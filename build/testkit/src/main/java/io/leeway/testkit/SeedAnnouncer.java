package io.leeway.testkit;

import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/** Prints the seed of a test run before its first test: JUnit orders the methods by it and says nothing. */
public final class SeedAnnouncer implements LauncherSessionListener {

    /** For the service loader. */
    public SeedAnnouncer() {}

    @Override
    public void launcherSessionOpened(LauncherSession session) {
        System.out.println("repeat this run with -D" + Seeds.PROPERTY + "=" + Seeds.base());
    }
}
