package berth.demo;

import berth.demo.Caller.Reply;
import berth.demo.Site.Machine;
import berth.demo.Site.Project;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

/** Continues the history while somebody watches: its people book, change and cancel runs, and some requests are refused. */
final class Robot implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(Robot.class);

    private static final Duration SHORTEST_PAUSE = Duration.ofSeconds(20);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(60);
    private static final Duration DAY = Duration.ofDays(1);

    /** The speed of time up to which it acts no more often. */
    private static final int CALM = 12;

    /** The number of kinds of actions among which it draws. */
    private static final int ACTIONS = 10;

    private final Caller caller;
    private final Map<String, String> tokens;
    private final InstantSource clock;
    private final int speed;
    private final SplittableRandom draws = new SplittableRandom();
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread thread = Thread.ofVirtual().name("demo").unstarted(this::run);

    /**
     * Creates the robot.
     *
     * @param caller is closed with the robot
     * @param tokens the tokens of the accounts by their names
     * @param speed how many times as fast as real time the clock runs
     */
    Robot(Caller caller, Map<String, String> tokens, InstantSource clock, int speed) {
        this.caller = caller;
        this.tokens = tokens;
        this.clock = clock;
        this.speed = speed;
    }

    void start() {
        thread.start();
    }

    private void run() {
        try {
            var tomorrow = clock.instant().plus(DAY);
            while (!closed.await(pause(), TimeUnit.MILLISECONDS)) {
                try {
                    if (clock.instant().isAfter(tomorrow)) {
                        tomorrow = clock.instant().plus(DAY);
                        Stage.renew(caller, tokens, clock.instant());
                    }
                    var reply = act();
                    log.debug("The demo's robot got {}: {}", reply.status(), reply.body());
                } catch (IOException | RuntimeException e) {
                    log.debug("A call of the demo's robot failed; it continues.", e);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Returns the milliseconds until the next action, fewer if much happens in the same time. */
    private long pause() {
        long pause = draws.nextLong(SHORTEST_PAUSE.toMillis(), LONGEST_PAUSE.toMillis() + 1);
        return pause * CALM / Math.max(CALM, speed);
    }

    private Reply act() throws IOException, InterruptedException {
        var machine = Site.MACHINES.get(draws.nextInt(Site.MACHINES.size()));
        var members = Site.PROJECTS.get(draws.nextInt(Site.PROJECTS.size())).members();
        var token = token(members.get(draws.nextInt(members.size())));
        return switch (draws.nextInt(ACTIONS)) {
            case 0, 1 -> change(token, "renegotiations", Map.of("terms", Map.of("slack", "P3D")));
            case 2 -> change(token, "extend", Map.of("by", "PT2H", "atLeast", "PT30M"));
            case 3 -> change(token, "cancel", Map.of());
            case 4 -> askForTooMuch(machine);
            default -> book(machine);
        };
    }

    private String token(String account) {
        return tokens.getOrDefault(account, "");
    }

    private Reply book(Machine machine) throws IOException, InterruptedException {
        long now = clock.instant().getEpochSecond();
        var wish = machine.wish(draws, now + draws.nextLong(14 * Site.DAY));
        var inTime = wish.start() < now ? machine.wish(draws, now + 2 * Site.DAY) : wish;
        return caller.post(token(inTime.owner()), "reservations", Stage.request(machine, inTime));
    }

    /** Asks for a whole cluster within hours, which is refused. */
    private Reply askForTooMuch(Machine machine) throws IOException, InterruptedException {
        var owner = Project.of("language").members().getLast();
        var terms = Map.of("pes", machine.cluster().pes(), "duration", "PT24H", "slack", "PT6H");
        return caller.post(
                token(owner),
                "reservations",
                Map.of("cluster", machine.cluster().id().value(), "project", "language", "terms", terms));
    }

    /** Changes a reservation of an account that has not begun. */
    private Reply change(String token, String action, Map<String, ?> body) throws IOException, InterruptedException {
        var found = caller.get(token, "reservations?state=CONFIRMED&limit=100");
        List<JsonNode> reservations = found.body().path("items").valueStream().toList();
        return reservations.isEmpty()
                ? found
                : caller.post(
                        token,
                        "reservations/%s/%s"
                                .formatted(
                                        reservations
                                                .get(draws.nextInt(reservations.size()))
                                                .path("id")
                                                .asString(),
                                        action),
                        body);
    }

    @Override
    public void close() {
        closed.countDown();
        caller.close();
    }
}
