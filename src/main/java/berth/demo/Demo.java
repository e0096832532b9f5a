package berth.demo;

import berth.database.DataDirectory;
import berth.runtime.Timekeeper;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.event.EventListener;
import org.springframework.core.env.Environment;

/** Sets the stage once the service has started, and then lets the robot act until the service ends. */
class Demo implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(Demo.class);

    private final DataDirectory directory;
    private final Environment environment;
    private final Timekeeper timekeeper;
    private final int speed;
    private volatile @Nullable Map<String, String> tokens;
    private @Nullable Robot robot;

    /** @param speed how many times as fast as the clock time runs once the stage is set */
    Demo(DataDirectory directory, Environment environment, Timekeeper timekeeper, int speed) {
        this.directory = directory;
        this.environment = environment;
        this.timekeeper = timekeeper;
        this.speed = speed;
    }

    /** Returns the tokens of the accounts by their names; empty until the stage is set. */
    Optional<Map<String, String>> tokens() {
        return Optional.ofNullable(tokens);
    }

    @EventListener(ApplicationReadyEvent.class)
    void begin() throws IOException, InterruptedException {
        int port = environment.getRequiredProperty("local.server.port", Integer.class);
        var caller = new Caller(port);
        var set = Stage.set(
                caller, Files.readString(directory.resolve("admin.token")).strip(), timekeeper.instant());
        timekeeper.speedUp(speed);
        robot = new Robot(caller, set, timekeeper, speed);
        robot.start();
        tokens = set;
        log.info(
                "The demo is ready: open http://localhost:{} and sign in with one click. All data are invented, and are deleted when Berth ends.{}",
                port,
                speed == 1 ? "" : " Its time runs %d times as fast as the clock.".formatted(speed));
    }

    @Override
    public void close() {
        if (robot != null) {
            robot.close();
        }
    }
}
