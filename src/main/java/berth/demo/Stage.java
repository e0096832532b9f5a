package berth.demo;

import berth.demo.Caller.Reply;
import berth.demo.Site.Machine;
import berth.demo.Site.Project;
import berth.demo.Site.Wish;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.time.temporal.TemporalAdjusters;
import java.util.HashMap;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** Makes what the history does not have: accounts, projects with budgets, and what awaits a person. It uses only calls of the API. */
final class Stage {

    private static final String GPUS = Site.GPUS.cluster().id().value();
    private static final BigDecimal ROUND = new BigDecimal("1000");

    private final Caller caller;
    private final String admin;
    private final Instant now;
    private final ZoneId zone = ZoneId.systemDefault();
    private final Map<String, String> tokens;

    private Stage(Caller caller, String admin, Instant now, Map<String, String> tokens) {
        this.caller = caller;
        this.admin = admin;
        this.now = now.truncatedTo(ChronoUnit.HOURS);
        this.tokens = new HashMap<>(tokens);
    }

    /**
     * Sets the stage and returns the tokens of the accounts by their names.
     *
     * @param admin the administrator's token
     * @throws IllegalStateException if the service refuses a call that it should not refuse
     */
    static Map<String, String> set(Caller caller, String admin, Instant now) throws IOException, InterruptedException {
        return new Stage(caller, admin, now, Map.of()).set();
    }

    /** Renews what a day has used up: the budgets, the request that waits for room, and the offer. */
    static void renew(Caller caller, Map<String, String> tokens, Instant now) throws IOException, InterruptedException {
        var stage = new Stage(caller, tokens.getOrDefault(Site.OPERATOR, ""), now, tokens);
        for (var project : Site.PROJECTS) {
            stage.fund(project, "from-" + LocalDate.ofInstant(now, stage.zone));
        }
        stage.waitForRoom();
        stage.propose();
    }

    private Map<String, String> set() throws IOException, InterruptedException {
        account(Site.OPERATOR, "ADMIN");
        account(Site.MANAGER, "VIEWER");
        for (var project : Site.PROJECTS) {
            for (var member : project.members()) {
                account(member, "CLIENT");
            }
            create(project);
        }
        bookSeries();
        planMaintenance();
        waitForRoom();
        propose();
        return Map.copyOf(tokens);
    }

    private void account(String name, String role) throws IOException, InterruptedException {
        var limits = Map.of("pes", Site.CPUS.cluster().pes(), "peHours", 1_000_000);
        var serviceClass = name.equals(Site.PREMIUM) ? "PREMIUM" : "STANDARD";
        var made = done(caller.post(
                admin, "accounts", Map.of("name", name, "role", role, "serviceClass", serviceClass, "limits", limits)));
        tokens.put(name, made.path("token").asString());
    }

    private String token(String account) {
        return tokens.getOrDefault(account, "");
    }

    private void create(Project project) throws IOException, InterruptedException {
        var path = "projects/" + project.id();
        done(caller.post(admin, "projects", Map.of("id", project.id(), "name", project.name())));
        for (var member : project.members()) {
            var role = member.equals(project.members().getFirst()) ? "OWNER" : "MEMBER";
            done(caller.put(admin, path + "/members/" + member, Map.of("role", role)));
        }
        grant(path, "start", ROUND);
        fund(project, "this-half");
        done(caller.patch(admin, path, Map.of("mode", "ENFORCE")));
    }

    /** Grants a project so much that what it spent and holds is the wanted share of its grants. */
    private void fund(Project project, String id) throws IOException, InterruptedException {
        var path = "projects/" + project.id();
        var balance = done(caller.get(admin, path + "/balance"));
        var spent = amount(balance, "held").add(amount(balance, "charged"));
        var granted = spent.divide(BigDecimal.valueOf(project.spent()), 0, RoundingMode.DOWN);
        grant(path, id, granted.subtract(amount(balance, "granted")).max(BigDecimal.ONE));
    }

    private static BigDecimal amount(JsonNode balance, String which) {
        return new BigDecimal(balance.path(which).path("amount").asString("0"));
    }

    private void grant(String path, String id, BigDecimal amount) throws IOException, InterruptedException {
        done(caller.post(
                admin,
                path + "/grants",
                Map.of(
                        "id",
                        id,
                        "amount",
                        money(amount),
                        "until",
                        now.plus(Duration.ofDays(150)).toString())));
    }

    private static Map<String, String> money(BigDecimal amount) {
        return Map.of("amount", amount.toPlainString(), "currency", Site.CURRENCY);
    }

    private void bookSeries() throws IOException, InterruptedException {
        var climate = Project.of("climate");
        var tomorrow = LocalDate.ofInstant(now, zone).plusDays(1);
        done(caller.post(
                token(climate.members().getFirst()),
                "series",
                Map.of(
                        "cluster",
                        GPUS,
                        "project",
                        climate.id(),
                        "name",
                        "nightly forecast",
                        "terms",
                        Map.of("duration", "PT3H", "pes", 16),
                        "recurrence",
                        recurrence("FREQ=DAILY", tomorrow, "T22:00"),
                        "window",
                        Map.of("slack", "PT6H"),
                        "count",
                        14,
                        "onConflict",
                        "ANY")));
    }

    private Map<String, String> recurrence(String rule, LocalDate day, String time) {
        return Map.of("rrule", rule, "dtstart", day + time, "zone", zone.getId());
    }

    private void planMaintenance() throws IOException, InterruptedException {
        var tuesday = LocalDate.ofInstant(now, zone).with(TemporalAdjusters.next(DayOfWeek.TUESDAY));
        done(caller.post(
                token(Site.OPERATOR),
                "clusters/%s/maintenances".formatted(GPUS),
                Map.of(
                        "pes",
                        32,
                        "duration",
                        "PT4H",
                        "reason",
                        "firmware of four nodes",
                        "count",
                        2,
                        "recurrence",
                        recurrence("FREQ=WEEKLY;BYDAY=TU", tuesday, "T08:00"))));
    }

    /** Makes the client wait for most of the cluster in the latest window of the next two days that has no room. */
    private void waitForRoom() throws IOException, InterruptedException {
        var token = token(Site.CLIENT);
        for (int hour = 48; hour > 0; hour -= 3) {
            var wanted = new HashMap<String, Object>(request(
                    Site.GPUS,
                    new Wish(
                            Site.CLIENT,
                            Site.PROJECTS.getFirst().id(),
                            "full reconstruction",
                            112,
                            now.plus(Duration.ofHours(hour)).getEpochSecond(),
                            6 * Site.HOUR,
                            2 * Site.HOUR)));
            wanted.put("dryRun", true);
            if (!caller.post(token, "reservations", wanted).isDone()) {
                wanted.remove("dryRun");
                wanted.put("wait", Map.of());
                if (caller.post(token, "reservations", wanted).isDone()) {
                    return;
                }
            }
        }
    }

    /** Offers the client money for a later deadline of the first reservation for which that is possible. */
    private void propose() throws IOException, InterruptedException {
        var later = now.plus(Duration.ofDays(1));
        var mine = done(caller.get(token(Site.CLIENT), "reservations?state=CONFIRMED&limit=200"));
        for (var reservation : mine.path("items")) {
            var deadline = reservation.path("terms").path("deadline").asString("");
            var start = reservation.path("placement").path("start").asString("");
            if (deadline.isEmpty() || start.isEmpty() || Instant.parse(start).isBefore(later)) {
                continue;
            }
            var offer = Map.of(
                    "terms",
                            Map.of(
                                    "deadline",
                                    Instant.parse(deadline)
                                            .plus(Duration.ofDays(2))
                                            .toString()),
                    "incentive", money(new BigDecimal("40.00")),
                    "expiresAt", later.toString());
            var path = "reservations/%s/renegotiations"
                    .formatted(reservation.path("id").asString());
            if (caller.post(token(Site.OPERATOR), path, offer).isDone()) {
                return;
            }
        }
    }

    /** Returns a request for a reservation. */
    static Map<String, Object> request(Machine machine, Wish wish) {
        var start = Instant.ofEpochSecond(wish.start());
        var terms = new HashMap<String, Object>(Map.of(
                "pes", wish.pes(), "duration", "PT%dS".formatted(wish.duration()), "readyTime", start.toString()));
        var request = new HashMap<String, Object>(Map.of(
                "cluster", machine.cluster().id().value(),
                "project", wish.project(),
                "name", wish.run(),
                "terms", terms));
        if (wish.slack() > 0) {
            terms.put("slack", "PT%dS".formatted(wish.slack()));
        } else {
            request.put("start", start.toString());
        }
        return request;
    }

    private static JsonNode done(Reply reply) {
        if (!reply.isDone()) {
            throw new IllegalStateException("The service refused a call: " + reply.body());
        }
        return reply.body();
    }
}
