package io.leeway.lazytables.internal.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.lazytables.LazyTablesException.Code;
import io.leeway.lazytables.internal.net.CopyingSender;
import io.leeway.lazytables.internal.wire.Protocol;
import io.leeway.lazytables.internal.wire.WireReader;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a client is told when it is sent away. */
class SessionTest {

    @Test
    void aLongReasonIsCutSoThatClientsCanReadIt() {
        String said = "The server failed: " + "x".repeat(Protocol.MAX_TEXT);

        assertThat(refused(said)).hasSize(Protocol.MAX_TEXT).endsWith("xx...");
        assertThat(refused(said).substring(0, 4_000)).isEqualTo(said.substring(0, 4_000));
        assertThat(refused("short")).isEqualTo("short");
    }

    @Test
    void noCharacterIsCutInTwo() {
        for (String character : List.of("ä", "€", "\uD83D\uDE00")) {
            for (int before = 0; before < 4; before++) {
                String told = refused("-".repeat(before) + character.repeat(Protocol.MAX_TEXT));

                assertThat(told)
                        .endsWith(character + "...")
                        .doesNotContain("\uFFFD")
                        .doesNotContain("?");
            }
        }
    }

    private static String refused(String why) {
        var session = new Session(1);
        session.refuse(Code.FAILED, why);
        List<byte[]> frames = new ArrayList<>();
        session.outbox.sendTo(CopyingSender.into(frames), 1);
        var in = new WireReader();
        in.open(frames.get(0), 0, frames.get(0).length);
        assertThat(in.getByte()).isEqualTo(Protocol.REFUSED);
        in.getInt();
        assertThat(in.getVar()).isEqualTo(Code.FAILED.number());
        return in.getText("The reason", Protocol.MAX_TEXT);
    }
}
