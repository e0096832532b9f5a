package berth.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SealTest {

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path parent;

    private Seal seal(String directory) throws IOException {
        try (var data = new DataDirectory(parent.resolve(directory))) {
            return new Seal(data, "", InstanceMode.ONE);
        }
    }

    @Test
    void onlyTheSameKeyOpensASealedSecret() throws IOException {
        var sealed = seal("one").seal("berth_secret");

        assertThat(sealed).startsWith("sealed:").doesNotContain("berth_secret");
        assertThat(seal("one").open(sealed)).contains("berth_secret");
        assertThat(seal("another").open(sealed)).isEmpty();
    }

    @Test
    void theSameSecretIsNeverSealedTheSameWay() throws IOException {
        var seal = seal("one");

        assertThat(seal.seal("berth_secret")).isNotEqualTo(seal.seal("berth_secret"));
    }

    @Test
    void aChangedOrUnsealedTextIsNotOpened() throws IOException {
        var seal = seal("one");
        var sealed = seal.seal("berth_secret");

        assertThat(seal.open(sealed.substring(0, sealed.length() - 4))).isEmpty();
        assertThat(seal.open("berth_secret")).isEmpty();
        assertThat(seal.open("sealed:%")).isEmpty();
        assertThat(seal.open("sealed:")).isEmpty();
        assertThat(seal.open("sealed:Z3Vlc3NlZA==")).isEmpty();
    }

    @Test
    void aSealForAPurposeOpensOnlyItsOwn() throws IOException {
        var sealed = seal("one").derived("session").seal("berth_secret");

        assertThat(seal("one").derived("session").open(sealed)).contains("berth_secret");
        assertThat(seal("one").open(sealed)).isEmpty();
        assertThat(seal("one").derived("another").open(sealed)).isEmpty();
        assertThat(seal("another").derived("session").open(sealed)).isEmpty();
        assertThat(seal("one").derived("session").open(seal("one").seal("berth_secret")))
                .isEmpty();
    }

    @Test
    void onlyTheOwnerReadsTheKey() throws IOException {
        seal("one");

        assertThat(PosixFilePermissions.toString(
                        Files.getPosixFilePermissions(parent.resolve("one").resolve(Seal.FILE))))
                .isEqualTo("rw-------");
    }

    @Test
    void aDamagedKeyIsNamed() throws IOException {
        seal("one");
        Files.writeString(parent.resolve("one").resolve(Seal.FILE), "0a0b");

        assertThatThrownBy(() -> seal("one")).isInstanceOf(StartRefused.class).hasMessageContaining(Seal.FILE);
    }
}
