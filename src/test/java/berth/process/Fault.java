package berth.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import berth.database.FaultyLink;
import berth.database.FaultyLink.Commit;
import berth.database.Replicated;
import berth.runtime.Timekeeper;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A fault around a Berth under load. After it has struck, a service runs again; the caller checks whether it serves. If the machine lacks
 * what the fault needs, the test is skipped.
 */
abstract class Fault implements AutoCloseable {

    private static final Duration BY_ITSELF = Duration.ofSeconds(30);
    private static final Duration ENDING = Duration.ofSeconds(60);

    /** Creates the installation that the fault will strike. */
    Installation open(Path directory) throws Exception {
        return Installation.in(directory);
    }

    /**
     * Causes the fault.
     *
     * @return further information; empty if there is none
     */
    abstract String strike(Site site, Random random) throws Exception;

    /** Returns the name of the fault. */
    abstract String name();

    @Override
    public void close() throws Exception {}

    /** Starts a service again if it does not recover by itself. */
    private static String startAgainWhereStuck(Site site) throws Exception {
        if (site.servesAgain(BY_ITSELF).isPresent()) {
            return "";
        }
        site.service().killHard();
        site.traffic().struck();
        site.startAgain();
        return "only after a restart";
    }

    /** A service is killed without warning. */
    static final class Kill extends Fault {

        private final boolean isBerth;
        private final boolean isPostgres;

        Kill(boolean isBerth, boolean isPostgres) {
            this.isBerth = isBerth;
            this.isPostgres = isPostgres;
        }

        @Override
        String name() {
            return "kill -9 of " + (isBerth ? isPostgres ? "both" : "Berth" : "PostgreSQL");
        }

        @Override
        String strike(Site site, Random random) throws Exception {
            if (isPostgres) {
                killWithAllThatItStarted(site.installation().postgres());
            }
            if (isBerth) {
                site.service().killHard();
            }
            site.traffic().struck();
            if (isBerth) {
                site.startAgain();
                return "";
            }
            return startAgainWhereStuck(site);
        }
    }

    /** Kills all processes, because those that serve sessions continue briefly if only the first process is gone. */
    private static void killWithAllThatItStarted(ProcessHandle first) {
        var all = withAllThatItStarted(first);
        all.forEach(ProcessHandle::destroyForcibly);
        all.forEach(one -> one.onExit().join());
    }

    private static List<ProcessHandle> withAllThatItStarted(ProcessHandle first) {
        return Stream.concat(Stream.of(first), first.descendants()).toList();
    }

    /** PostgreSQL pauses for a while, as if its machine did, and continues. */
    static final class HungDatabase extends Fault {

        @Override
        String name() {
            return "SIGSTOP of PostgreSQL, SIGCONT";
        }

        @Override
        String strike(Site site, Random random) throws Exception {
            int seconds = random.nextInt(2, 16);
            var all = withAllThatItStarted(site.installation().postgres());
            for (var one : all) {
                Installation.signal(one, "STOP");
            }
            Thread.sleep(Duration.ofSeconds(seconds));
            for (var one : all) {
                Installation.signal(one, "CONT");
            }
            site.traffic().struck();
            var remark = startAgainWhereStuck(site);
            return "%d s long %s".formatted(seconds, remark).strip();
        }
    }

    /** The primary dies or hangs, its standby takes over, and the old primary returns. */
    static final class Failover extends Fault {

        private final boolean isKilled;
        private Optional<Replicated> servers = Optional.empty();

        Failover(boolean isKilled) {
            this.isKilled = isKilled;
        }

        @Override
        String name() {
            return (isKilled ? "kill -9" : "SIGSTOP") + " of the primary, a standby promoted";
        }

        @Override
        Installation open(Path directory) throws Exception {
            var row = Replicated.start(
                    Replicated.Template.in(directory), Files.createDirectory(directory.resolve("servers")), 3);
            servers = Optional.of(row);
            return Installation.in(directory)
                    .with("SPRING_DATASOURCE_URL", row.url())
                    .with("SPRING_DATASOURCE_USERNAME", "postgres")
                    .with("BERTH_DATABASE_COPIES", "2");
        }

        @Override
        String strike(Site site, Random random) throws Exception {
            var row = servers.orElseThrow();
            var old = row.server(0);
            if (isKilled) {
                old.kill();
            } else {
                old.hang();
            }
            site.traffic().struck();
            row.server(1).promote();
            assertThat(site.servesAgain(BY_ITSELF)).as("it serves again").isPresent();
            var servedAfter = site.traffic().servedAgainAfter();
            if (isKilled) {
                old.start();
            } else {
                old.goOn();
            }
            site.traffic().struck();
            Thread.sleep(5000);
            return servedAfter
                    .map(after -> "after the promotion %.1f s".formatted(after.toMillis() / 1000.0))
                    .orElse("");
        }

        @Override
        public void close() {
            servers.ifPresent(Replicated::close);
        }
    }

    /** The service is asked to end while clients wait for answers. */
    static final class Term extends Fault {

        private static final int WAITING = 4;

        @Override
        String name() {
            return "SIGTERM";
        }

        @Override
        String strike(Site site, Random random) throws Exception {
            var waiting = site.traffic().waiting(WAITING);
            site.service().askToStop();
            site.service().awaitExit(ENDING);
            site.traffic().struck();
            site.startAgain();
            var answers = new ArrayList<Integer>();
            for (var one : waiting) {
                one.get(1, TimeUnit.MINUTES).ifPresent(answer -> answers.add(answer.status()));
            }
            assertThat(answers).as("answers to those in flight").hasSize(WAITING);
            return "in flight answered with %s".formatted(answers);
        }
    }

    /** The disk is full for a while. */
    static final class DiskFull extends Fault {

        private static final String SIZE = "size=400m";
        private Path disk = Path.of("");

        @Override
        String name() {
            return "disk full";
        }

        @Override
        Installation open(Path directory) throws Exception {
            disk = Files.createDirectory(directory.resolve("disk"));
            assumeTrue(
                    runs("mount", "-t", "tmpfs", "-o", SIZE, "berth", disk.toString()),
                    "a small disk needs root, who may mount one");
            return Installation.in(disk);
        }

        @Override
        String strike(Site site, Random random) throws Exception {
            var ballast = disk.resolve("ballast");
            try (var out = Files.newOutputStream(ballast)) {
                var block = new byte[4096];
                while (true) {
                    out.write(block);
                }
            } catch (IOException e) {
                // full
            }
            for (int i = 0; i < 5; i++) {
                Thread.sleep(2000);
                wantAnotherFile(site.installation());
            }
            Files.delete(ballast);
            site.traffic().struck();
            return startAgainWhereStuck(site);
        }

        /** Makes PostgreSQL need another log file, as more load would have done. */
        private static void wantAnotherFile(Installation installation) {
            try (var connection = installation.connectToDatabase();
                    var statement = connection.createStatement()) {
                statement.execute("select pg_switch_wal()");
            } catch (IOException | SQLException e) {
                // there is no room for it, or it has already ended
            }
        }

        @Override
        public void close() throws Exception {
            if (!disk.toString().isEmpty()) {
                runs("umount", "-l", disk.toString());
            }
        }
    }

    /** Each sync is slow, and the service is killed while commits wait. */
    static final class SlowDisk extends Fault {

        private final int ms;

        SlowDisk(int ms) {
            this.ms = ms;
        }

        @Override
        String name() {
            return "%d ms a sync, kill -9".formatted(ms);
        }

        @Override
        Installation open(Path directory) throws Exception {
            return Installation.in(directory)
                    .with("LD_PRELOAD", compiled("slowsync", directory).toString())
                    .with("SLOW_SYNC_MS", Integer.toString(ms));
        }

        @Override
        String strike(Site site, Random random) throws Exception {
            site.service().killHard();
            site.traffic().struck();
            site.startAgain();
            return "";
        }
    }

    /** Many connections send half a request. */
    static final class HalfSent extends Fault {

        private static final int CONNECTIONS = 500;

        @Override
        String name() {
            return CONNECTIONS + " half-sent requests";
        }

        @Override
        String strike(Site site, Random random) throws Exception {
            var head = "POST /api/v1/reservations HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\n"
                    .formatted(site.token());
            var half = head + "Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{\"terms\":";
            var port = URI.create(site.url()).getPort();
            var sockets = new ArrayList<Socket>();
            try {
                for (int i = 0; i < CONNECTIONS; i++) {
                    var socket = new Socket("localhost", port);
                    sockets.add(socket);
                    socket.getOutputStream()
                            .write((random.nextBoolean() ? head : half).getBytes(StandardCharsets.US_ASCII));
                }
                site.traffic().struck();
                assertThat(site.servesAgain(BY_ITSELF))
                        .as("others are served meanwhile")
                        .isPresent();
                Thread.sleep(2000);
            } finally {
                for (var socket : sockets) {
                    socket.close();
                }
            }
            return "";
        }
    }

    /** The database is not embedded. */
    private abstract static class OutsideDatabase extends Fault {

        private Optional<SharedDatabase> database = Optional.empty();

        SharedDatabase start(Path directory) throws IOException {
            database = Optional.of(SharedDatabase.in(directory));
            return database.get();
        }

        SharedDatabase database() {
            return database.orElseThrow();
        }

        @Override
        public void close() throws Exception {
            if (database.isPresent()) {
                database.get().close();
            }
        }
    }

    /** A way for an instance to end. */
    enum End {
        KILL("kill -9"),
        TERM("SIGTERM"),
        STOP("SIGSTOP for 15 s");

        private static final Duration STILL = Duration.ofSeconds(15);

        private final String told;

        End(String told) {
            this.told = told;
        }

        void begin(JavaProcess process) throws Exception {
            switch (this) {
                case KILL -> process.killHard();
                case TERM -> process.askToStop();
                case STOP -> Installation.signal(ProcessHandle.of(process.pid()).orElseThrow(), "STOP");
            }
        }
    }

    /** Three instances serve one database; clients call whichever is available. */
    private abstract static class ThreeInstances extends OutsideDatabase {

        private Path parent = Path.of("");
        private final List<Installation> others = new ArrayList<>();

        @Override
        Installation open(Path directory) throws Exception {
            parent = directory;
            start(directory);
            return instance(directory);
        }

        private Installation instance(Path directory) throws IOException {
            return database().instance(Program.quick(), directory);
        }

        /** Starts another instance. */
        JavaProcess startAnother() throws Exception {
            var standby = instance(Files.createDirectory(parent.resolve("standby-" + others.size())));
            others.add(standby);
            return standby.start();
        }

        List<Installation> others() {
            return others;
        }

        @Override
        public void close() throws Exception {
            for (var other : others) {
                other.close();
            }
            super.close();
        }
    }

    /** The active one of three instances ends in some way. */
    static final class OneOfThree extends ThreeInstances {

        private final End end;

        OneOfThree(End end) {
            this.end = end;
        }

        @Override
        String name() {
            return end.told + " of the one of three instances that decides";
        }

        @Override
        String strike(Site site, Random random) throws Exception {
            var decides = site.service();
            var there = site.url();
            var successor = startAnother();
            startAnother();
            var left = others().stream().map(Installation::url).toArray(String[]::new);
            site.traffic().go(there, left[0], left[1]);
            Thread.sleep(random.nextLong(1000, 3000));
            site.movedTo(successor, left[0]);
            site.traffic().go(left);
            site.traffic().struck();
            end.begin(decides);
            var served = site.servesAgain(BY_ITSELF);
            assertThat(served).as("another one decides").isPresent();
            switch (end) {
                case KILL -> {}
                case TERM -> decides.awaitExit(ENDING);
                case STOP -> {
                    Thread.sleep(End.STILL);
                    Installation.signal(ProcessHandle.of(decides.pid()).orElseThrow(), "CONT");
                    site.traffic().go(there, left[0], left[1]);
                    assertThat(decides.awaitExit(ENDING)).isEqualTo(3);
                    site.traffic().go(left);
                }
            }
            return "of the same three processes";
        }
    }

    /** One after another of three instances, active or standby, ends in some way and is started again. */
    static final class OneAfterTheOther extends ThreeInstances {

        private static final Duration EVERY = Duration.ofSeconds(20);

        private final Duration length;

        OneAfterTheOther(Duration length) {
            this.length = length;
        }

        @Override
        String name() {
            return "one of three instances ends every %d s, for %d min"
                    .formatted(EVERY.toSeconds(), length.toMinutes());
        }

        @Override
        String strike(Site site, Random random) throws Exception {
            startAnother();
            startAnother();
            var all = Stream.concat(Stream.of(site.installation()), others().stream())
                    .toList();
            var served = new EnumMap<End, List<Long>>(End.class);
            long over = System.nanoTime() + length.toNanos();
            for (long next = System.nanoTime(); next < over; next += EVERY.toNanos()) {
                Thread.sleep(Math.max(0, (next - System.nanoTime()) / 1_000_000));
                var end = End.values()[random.nextInt(End.values().length)];
                var ends = all.get(random.nextInt(all.size()));
                boolean decides = ends.url().equals(whoDecides(site));
                site.traffic()
                        .go(all.stream()
                                .filter(one -> one != ends)
                                .map(Installation::url)
                                .toArray(String[]::new));
                site.traffic().struck();
                var process = ends.last();
                end.begin(process);
                var after = site.servesAgain(BY_ITSELF);
                assertThat(after).as("another one decides after %s", end).isPresent();
                if (decides) {
                    served.computeIfAbsent(end, _ -> new ArrayList<>())
                            .add(after.get().toMillis());
                }
                if (end == End.STOP) {
                    Thread.sleep(End.STILL);
                    Installation.signal(ProcessHandle.of(process.pid()).orElseThrow(), "CONT");
                }
                if (end != End.STOP || decides) {
                    assertThat(process.awaitExit(ENDING) == 3).isEqualTo(end == End.STOP);
                    ends.start();
                }
                site.traffic().go(all.stream().map(Installation::url).toArray(String[]::new));
            }
            site.traffic().struck();
            return "of the one that decides, ms: " + served;
        }

        private static String whoDecides(Site site) throws Exception {
            for (var each : site.administrator().get("/instances").body().path("items")) {
                if (each.path("state").asString().equals("ACTIVE")) {
                    return each.path("url").asString();
                }
            }
            throw new AssertionError("Nobody decides.");
        }
    }

    /** Connections break exactly during commits. */
    static final class CutCommits extends OutsideDatabase {

        private static final List<FaultyLink.Fault> WAYS =
                List.of(FaultyLink.Fault.LOST_ON_THE_WAY, FaultyLink.Fault.ANSWER_LOST);

        private Optional<FaultyLink> between = Optional.empty();

        @Override
        String name() {
            return "connections cut in mid-commit";
        }

        @Override
        Installation open(Path directory) throws Exception {
            var link = new FaultyLink("localhost", start(directory).port());
            between = Optional.of(link);
            return SharedDatabase.service(link.port(), directory);
        }

        @Override
        String strike(Site site, Random random) throws Exception {
            var link = between.orElseThrow();
            site.traffic().struck();
            int cuts = random.nextInt(3, 8);
            for (int i = 0; i < cuts; i++) {
                link.failNext(Commit.OF_JOURNAL, WAYS.get(random.nextInt(WAYS.size())));
                Waiting.until(BY_ITSELF, () -> "No commit comes by.", link::hasStruck);
                Thread.sleep(random.nextInt(300));
            }
            link.cut();
            Thread.sleep(random.nextInt(1000));
            site.traffic().struck();
            link.mend();
            assertThat(site.servesAgain(BY_ITSELF)).as("it serves again").isPresent();
            return "%d cuts".formatted(cuts);
        }

        @Override
        public void close() throws Exception {
            if (between.isPresent()) {
                between.get().close();
            }
            super.close();
        }
    }

    /** The clock goes forward and back. */
    static final class ClockSteps extends Fault {

        private Path steps = Path.of("");

        @Override
        String name() {
            return "clock stepped";
        }

        @Override
        Installation open(Path directory) throws Exception {
            steps = directory.resolve("seconds");
            step(0);
            return Installation.in(directory)
                    .with("LD_PRELOAD", compiled("stepclock", directory).toString())
                    .with("CLOCK_STEPS", steps.toString());
        }

        @Override
        String strike(Site site, Random random) throws Exception {
            int ahead = random.nextInt(400, 4000);
            int back = random.nextInt(10, 90);
            step(ahead);
            Thread.sleep(1500);
            goesOnAsBefore(site);
            step(ahead - back);
            Thread.sleep(1500);
            goesOnAsBefore(site);
            site.service().killHard();
            site.traffic().struck();
            isNotBelieved(site.installation().launch());
            step(0);
            site.startAgain();
            return "%d s ahead, %d s back, kill -9".formatted(ahead, back);
        }

        /** Checks that the service reports a wrong clock and makes no promises by it. */
        private static void goesOnAsBefore(Site site) throws Exception {
            assertThat(Api.isHealthy(site.url())).as("whether it is well").isFalse();
            var offered = site.installation().api().post("/probes", """
                {"clusters":["demo"],"terms":{"duration":"PT1M","pes":1}}\
                """);
            var start = offered.body().at("/slots/0/start");
            assertThat(Instant.parse(start.asString())).isBefore(Instant.now().plus(Timekeeper.TOLERANCE));
        }

        private static void isNotBelieved(JavaProcess started) throws InterruptedException {
            assertThat(started.awaitExit(Duration.ofMinutes(2))).isNotZero();
            assertThat(started.output()).contains("The clock says", "BERTH_TIME_ACCEPT");
        }

        /** Writes the offset. The file is memory-mapped and must never become shorter. */
        private void step(int seconds) throws IOException {
            try (var file = new RandomAccessFile(steps.toFile(), "rw")) {
                file.writeBytes("%-15d%n".formatted(seconds));
            }
        }
    }

    /** The service is stopped, another one takes over, and the first continues. */
    static final class Stop extends OutsideDatabase {

        private final Duration still;
        private Path parent = Path.of("");
        private final List<Installation> successors = new ArrayList<>();

        Stop(Duration still) {
            this.still = still;
        }

        @Override
        String name() {
            return "SIGSTOP for %d s, a successor, SIGCONT".formatted(still.toSeconds());
        }

        @Override
        Installation open(Path directory) throws Exception {
            parent = directory;
            return SharedDatabase.service(start(directory).port(), directory);
        }

        @Override
        String strike(Site site, Random random) throws Exception {
            var first = ProcessHandle.of(site.service().pid()).orElseThrow();
            var before = site.url();
            Installation.signal(first, "STOP");
            site.traffic().struck();
            long stopped = System.nanoTime();
            endItsSessions();
            var successor = SharedDatabase.service(
                    database().port(), Files.createDirectory(parent.resolve("successor-" + successors.size())));
            successors.add(successor);
            site.movedTo(successor.start(), successor.url());
            assertThat(site.servesAgain(BY_ITSELF)).as("the successor serves").isPresent();
            var servedAfter = site.traffic().servedAgainAfter();
            TimeUnit.NANOSECONDS.sleep(still.toNanos() - (System.nanoTime() - stopped));
            Installation.signal(first, "CONT");
            site.traffic().go(site.url(), before);
            Thread.sleep(8000);
            site.traffic().go(site.url());
            return servedAfter.map("successor after %s"::formatted).orElse("");
        }

        /** Ends its sessions as an operator would; the server would wait for as long as the first machine responds. */
        private void endItsSessions() throws Exception {
            try (var connection = database().connect();
                    var statement = connection.createStatement()) {
                statement.execute("select pg_terminate_backend(pid) from pg_stat_activity"
                        + " where pid <> pg_backend_pid() and backend_type = 'client backend'");
            }
        }

        @Override
        public void close() throws Exception {
            for (var successor : successors) {
                successor.close();
            }
            super.close();
        }
    }

    /** Compiles a library from this package's resources that is preloaded. */
    static Path compiled(String name, Path directory) throws IOException, InterruptedException {
        var source = directory.resolve(name + ".c");
        var library = directory.resolve(name + ".so");
        try (var text = Objects.requireNonNull(Fault.class.getResourceAsStream(name + ".c"))) {
            Files.copy(text, source);
        }
        assumeTrue(
                runs("cc", "-shared", "-fPIC", "-o", library.toString(), source.toString(), "-ldl"),
                "it needs a compiler, cc");
        return library;
    }

    private static boolean runs(String... command) throws InterruptedException {
        try {
            return new ProcessBuilder(command).inheritIO().start().waitFor() == 0;
        } catch (IOException e) {
            return false;
        }
    }
}
