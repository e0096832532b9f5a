package berth.database;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServerProcessTest {

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path proc;

    private final ProcessHandle self = ProcessHandle.current();

    @BeforeEach
    void processTable() throws IOException {
        Files.createDirectory(proc.resolve("self"));
        status("S", 4711);
    }

    private Path entry() {
        return proc.resolve(Long.toString(self.pid()));
    }

    private void status(String state, long start) throws IOException {
        Files.createDirectories(entry());
        Files.writeString(
                entry().resolve("stat"),
                "%d (post gres) x) %s 1 %s%d 0 0\n".formatted(self.pid(), state, "0 ".repeat(17), start));
    }

    @Test
    void aProcessCountsAsRunningUnlessItsEntrySaysThatItEnded() throws IOException {
        var process = new ServerProcess(self, proc);
        assertThat(process.hasEnded()).isFalse();
        status("R", 4711);
        assertThat(process.hasEnded()).isFalse();
    }

    @Test
    void aProcessWithoutAnEntryHasEnded() throws IOException {
        var process = new ServerProcess(self, proc);
        Files.delete(entry().resolve("stat"));
        Files.delete(entry());
        assertThat(process.hasEnded()).isTrue();
    }

    @Test
    void aProcessThatNobodyHasReapedHasEnded() throws IOException {
        var process = new ServerProcess(self, proc);
        status("Z", 4711);
        assertThat(process.hasEnded()).isTrue();
    }

    @Test
    void aLaterProcessWithTheSameNumberIsAnotherOne() throws IOException {
        var process = new ServerProcess(self, proc);
        status("S", 4712);
        assertThat(process.hasEnded()).isTrue();
    }

    @Test
    void aProcessThatCannotBeLookedAtCountsAsRunning() throws IOException {
        var process = new ServerProcess(self, proc);
        Files.delete(entry().resolve("stat"));
        // it can be opened no more than any file of a process that has too many open
        Files.createDirectory(entry().resolve("stat"));
        assertThat(process.hasEnded()).isFalse();
    }

    @Test
    void theRealProcessTableIsRead() throws Exception {
        assertThat(new ServerProcess(self).hasEnded()).isFalse();
        var child = new ProcessBuilder("sleep", "60").start();
        var process = new ServerProcess(child.toHandle());
        assertThat(process.hasEnded()).isFalse();
        child.destroyForcibly().waitFor();
        assertThat(process.hasEnded()).isTrue();
    }
}
