package berth.archive;

import berth.database.StartRefused;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.SQLException;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** A command that works on the database from the service's settings. */
abstract class DatabaseCommand implements Callable<Integer> {

    static final int FAILED = 1;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    /**
     * Runs the command; returns one of the exit codes in its help.
     *
     * @param settings the service's settings
     */
    abstract int run(Environment settings) throws IOException, SQLException;

    @Override
    public Integer call() {
        try {
            return run(settings());
        } catch (StartRefused e) {
            error(e.getMessage());
            error(e.remedy());
        } catch (UnusableExport e) {
            error(e.getMessage());
        } catch (SQLException e) {
            error("The database cannot be used: " + e.getMessage());
        } catch (IOException | UncheckedIOException e) {
            error("A file cannot be read or written: " + e.getMessage());
        }
        return FAILED;
    }

    @Configuration(proxyBeanMethods = false)
    static class Nothing {}

    /** Reads the service's settings, and sets the log level to WARN. */
    private static Environment settings() {
        try (var context = new SpringApplicationBuilder(Nothing.class)
                .web(WebApplicationType.NONE)
                .bannerMode(Banner.Mode.OFF)
                .logStartupInfo(false)
                .run("--logging.level.root=warn", "--logging.level.berth=warn")) {
            return context.getEnvironment();
        }
    }

    void print(String line) {
        var out = spec.commandLine().getOut();
        out.println(line);
        out.flush();
    }

    void error(@Nullable String line) {
        var err = spec.commandLine().getErr();
        err.println(line);
        err.flush();
    }
}
