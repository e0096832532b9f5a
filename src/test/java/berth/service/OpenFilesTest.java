package berth.service;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OpenFilesTest {

    @ParameterizedTest
    @CsvSource({
        "8192, 65536, 8192", // plenty
        "8192, 8192, 6144", // a quarter is left for everything else
        "8192, 4096, 3072",
        "8192, 600, 400", // at least 200 are left
        "8192, 128, 64", // but no more than half
        "100, 600, 100",
        "8192, 9223372036854775807, 8192",
        "8192, -1, 8192" // no limit
    })
    void theLimitOfConnectionsLeavesFilesForOtherUses(int wanted, long files, int connections) {
        assertThat(OpenFiles.connections(wanted, files)).isEqualTo(connections);
    }
}
