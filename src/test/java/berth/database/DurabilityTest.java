package berth.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The rules about servers that need no connection. */
class DurabilityTest {

    private static final Timeline FIRST = new Timeline("7563829384756382938", 1);
    private static final Timeline SECOND = new Timeline("7563829384756382938", 2);

    @Test
    void aUrlWithSeveralServersYieldsOneUrlEach() {
        assertThat(Durability.servers("jdbc:postgresql://a:1,b,[::1]:3/berth?targetServerType=primary"))
                .containsExactly(
                        "jdbc:postgresql://a:1/berth?targetServerType=primary",
                        "jdbc:postgresql://b/berth?targetServerType=primary",
                        "jdbc:postgresql://[::1]:3/berth?targetServerType=primary");
        assertThat(Durability.servers("jdbc:postgresql://a/berth?options=a,b"))
                .containsExactly("jdbc:postgresql://a/berth?options=a,b");
        assertThat(Durability.servers("jdbc:postgresql:berth")).containsExactly("jdbc:postgresql:berth");
    }

    @Test
    void fewerThanOneCopyIsRejected() {
        assertThatThrownBy(() -> new Durability(0, _ -> Optional.empty()))
                .isInstanceOf(StartRefused.class)
                .hasMessageContaining("berth.database.copies is 0");
    }

    @Test
    void theLatestTimelineExcludesEarlierTimelinesAndOtherServers(@TempDir Path directory) throws Exception {
        try (var data = new DataDirectory(directory);
                var acknowledged = new AcknowledgedPositions(data)) {
            assertThat(acknowledged.doubt(FIRST)).isEmpty();
            assertThat(acknowledged.doubt(SECOND)).isEmpty();
            assertThat(acknowledged.doubt(SECOND)).isEmpty();
            assertThat(acknowledged.doubt(FIRST))
                    .hasValueSatisfying(why -> assertThat(why).contains("timeline 1", "timeline 2 is already in use"));
            assertThat(acknowledged.doubt(new Timeline("1", 3)))
                    .hasValueSatisfying(why -> assertThat(why).contains("system identifier is 1"));
            assertThat(Files.readString(directory.resolve(AcknowledgedPositions.NAME)))
                    .as("a start that comes to nothing leaves nothing behind")
                    .isEmpty();
        }
    }
}
