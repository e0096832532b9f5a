package berth.lab.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import berth.lab.experiment.ShardLock.Maker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ShardLockTest {
    private static final Maker SELF = Maker.self(Map.of());

    @TempDir
    private Path directory;

    private Path file;

    @BeforeEach
    void nameTheFile() {
        file = directory.resolve("runs/0-of-3.lock");
    }

    private static Maker onAnotherHost(String job, int restarts) {
        return new Maker("n17", 4711, Optional.of(job), restarts);
    }

    /** Writes a file that its maker could not delete. */
    private void leftBehindBy(Maker maker) throws IOException {
        String content;
        try (var _ = ShardLock.take(file, maker)) {
            content = Files.readString(file);
        }
        assertThat(file).doesNotExist();
        Files.writeString(file, content);
    }

    @Test
    void isTakenByOneAtATime() {
        try (var _ = ShardLock.take(file, SELF)) {
            assertThatThrownBy(() -> ShardLock.take(file, SELF))
                    .isInstanceOf(UnusableDirectory.class)
                    .hasMessage(
                            "process %d on %s is making this shard. Wait until it has ended; if it has ended already, delete the file %s and give the command again.",
                            SELF.pid(), SELF.host(), file);
        }
        ShardLock.take(file, SELF).close();
        assertThat(file).doesNotExist();
    }

    @Test
    void isTakenFromAProcessOfThisHostThatIsGone() throws Exception {
        Process process = new ProcessBuilder("true").start();
        process.waitFor();
        leftBehindBy(new Maker(SELF.host(), process.pid(), Optional.empty(), 0));

        try (var _ = ShardLock.take(file, SELF)) {
            assertThat(file).content().contains("\"pid\":" + SELF.pid());
        }
    }

    @Test
    void isLeftToAProcessOfAnotherHost() throws IOException {
        leftBehindBy(onAnotherHost("99", 0));

        assertThatThrownBy(() -> ShardLock.take(file, SELF))
                .isInstanceOf(UnusableDirectory.class)
                .hasMessageContaining(
                        "process 4711 on n17, Slurm job 99 is making this shard. Wait until it has ended; if it has ended already, delete the file "
                                + file);
        assertThat(file).exists();
    }

    @Test
    void isTakenFromTheSameJobBeforeItWasRequeued() throws IOException {
        var job = Map.of("SLURM_JOB_ID", "99");
        var requeued = Map.of("SLURM_JOB_ID", "99", "SLURM_RESTART_COUNT", "2");
        leftBehindBy(onAnotherHost("99", 1));

        assertThatThrownBy(() -> ShardLock.take(file, Maker.self(job))).isInstanceOf(UnusableDirectory.class);
        ShardLock.take(file, Maker.self(requeued)).close();
        leftBehindBy(onAnotherHost("99", 2));
        assertThatThrownBy(() -> ShardLock.take(file, Maker.self(requeued))).isInstanceOf(UnusableDirectory.class);
        Files.delete(file);
        leftBehindBy(onAnotherHost("98", 1));
        assertThatThrownBy(() -> ShardLock.take(file, Maker.self(requeued))).isInstanceOf(UnusableDirectory.class);
    }

    @Test
    void isLeftToAProcessThatHasNotWrittenItsNameYet() throws IOException {
        leftBehindBy(SELF);
        Files.writeString(file, "");

        assertThatThrownBy(() -> ShardLock.take(file, SELF))
                .isInstanceOf(UnusableDirectory.class)
                .hasMessageContaining("another program is making this shard");
    }

    @Test
    void isNotDeletedOnceAnotherProcessHasTakenIt() throws IOException {
        try (var _ = ShardLock.take(file, SELF)) {
            Files.writeString(file, "another's");
        }

        assertThat(file).hasContent("another's");
    }
}
