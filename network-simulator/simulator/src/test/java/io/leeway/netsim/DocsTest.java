package io.leeway.netsim;

import io.leeway.netsim.internal.training.Mechanism;
import io.leeway.netsim.internal.transport.Transport;
import io.leeway.testkit.DocTable;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class DocsTest {

    @Test
    void theKeysAreThoseOfTheCode() throws IOException {
        DocTable table = DocTable.of("Key", "Study", "Default", "What it means");
        for (ExperimentKey key : ExperimentKey.values()) {
            table.row(
                    "`" + key.key() + "`",
                    key.study().isEmpty() ? "both" : key.study(),
                    key.standard().isEmpty() ? "required" : "`" + key.standard() + "`",
                    key.meaning());
        }
        table.assertIn("netsim/configuration.md", "keys");
    }

    @Test
    void theTransportsAreThoseOfTheCode() throws IOException {
        DocTable table = DocTable.of("Transport", "What it is");
        for (Transport transport : Transport.values()) {
            table.row("`" + transport.key() + "`", transport.title());
        }
        table.assertIn("netsim/configuration.md", "transports");
    }

    @Test
    void theMechanismsAreThoseOfTheCode() throws IOException {
        DocTable table = DocTable.of("Mechanism", "What it is");
        for (Mechanism mechanism : Mechanism.values()) {
            table.row("`" + mechanism.key() + "`", mechanism.title());
        }
        table.assertIn("netsim/configuration.md", "mechanisms");
    }

    @Test
    void theErrorsAreThoseOfTheCode() throws IOException {
        DocTable table = DocTable.of("Code", "Cause", "Remedy");
        for (NetsimError error : NetsimError.values()) {
            table.row(error.name(), error.cause(), error.remedy());
        }
        table.assertIn("netsim/operations.md", "errors");
    }
}
