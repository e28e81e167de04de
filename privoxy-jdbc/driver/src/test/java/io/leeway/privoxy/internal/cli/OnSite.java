package io.leeway.privoxy.internal.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A test of a command: each has a {@link Site} of its own. */
abstract class OnSite {

    @TempDir
    Path folder;

    Site site;

    @BeforeEach
    void open() throws SQLException, IOException {
        site = new Site(folder);
    }

    @AfterEach
    void close() throws SQLException {
        site.close();
    }
}
