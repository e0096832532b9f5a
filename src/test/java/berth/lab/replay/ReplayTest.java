package berth.lab.replay;

import berth.lab.replay.StubService.Posted;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Base of tests that replay a small log of 40 jobs on a stub of the service. */
abstract class ReplayTest {
    static final int JOBS = 40;

    @TempDir
    Path directory;

    StubService service;
    Path trace;

    @BeforeEach
    void start() throws IOException {
        service = new StubService();
        trace = Files.writeString(directory.resolve("log.swf"), log());
    }

    @AfterEach
    void stop() {
        service.close();
    }

    /** Returns a log with 40 jobs an hour apart, the first submitted at 1000, and two jobs that become no request. */
    static String log() {
        StringBuilder log = new StringBuilder("; MaxProcs: 16\n");
        for (int i = 0; i < JOBS; i++) {
            log.append(line(i, 1_000 + 3_600L * i, 1_800 + 600L * (i % 7), 1 + i % 16));
            if (i == 2) {
                log.append(line(100, 1_000 + 3_600L * i, 59, 1)).append(line(101, 1_000 + 3_600L * i, 600, 17));
            }
        }
        return log.toString();
    }

    static String line(int job, long submit, long runTime, int pes) {
        return "%d %d 0 %d %d -1 -1 %d -1 -1 1 1 1 1 1 1 -1 -1\n".formatted(job, submit, runTime, pes, pes);
    }

    static int jobOf(Posted request) {
        return Integer.parseInt(request.name().substring("job-".length()));
    }

    static void pause(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Runs the command against the stub with its token. The given options override the trace. */
    Outcome replay(String... options) {
        List<String> arguments =
                new ArrayList<>(List.of("--url", service.url(), "--token", StubService.TOKEN, "--cluster", "sp2"));
        if (!Arrays.asList(options).contains("--trace")) {
            arguments.addAll(List.of("--trace", trace.toString()));
        }
        arguments.addAll(List.of(options));
        return run(arguments.toArray(String[]::new));
    }

    static Outcome run(String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int exitCode = new CommandLine(new ReplayCommand())
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(arguments);
        return new Outcome(exitCode, out.toString(), err.toString());
    }

    record Outcome(int exitCode, String out, String err) {
        /** Returns the value of a line of the table. */
        String figure(String name) {
            return out.lines()
                    .filter(line -> line.strip().startsWith(name + " "))
                    .map(line -> line.strip().substring(name.length()).strip())
                    .findFirst()
                    .orElse("no line " + name + " in " + out + err);
        }
    }
}
