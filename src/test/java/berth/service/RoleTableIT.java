package berth.service;

import static org.assertj.core.api.Assertions.assertThat;

import berth.service.Api.Reply;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;
import tools.jackson.databind.JsonNode;

/** Every call by every role, on its own objects, on those of others and on missing ones. */
class RoleTableIT extends ServiceSuite {

    private static final String NOBODYS = "0190a000-0000-7000-8000-000000000000";

    /** So that a stream is refused where it would begin: it would not end. */
    private static final String NO_CURSOR = "?after=nonsense";

    /** Whom a call is open to. */
    private enum Open {
        ADMIN("ADMIN"),
        VIEWER("ADMIN", "VIEWER"),
        CLIENT("ADMIN", "CLIENT"),
        AGENT("ADMIN", "AGENT"),
        READERS("ADMIN", "VIEWER", "AGENT"),
        /** To read the load of a cluster that shows clients nothing of others. */
        BOARDS("ADMIN", "VIEWER", "SCREEN"),
        BOARDS_AND_AGENT("ADMIN", "VIEWER", "SCREEN", "AGENT"),
        PEOPLE("ADMIN", "CLIENT", "VIEWER"),
        PEOPLE_AND_SCREENS("ADMIN", "CLIENT", "VIEWER", "SCREEN"),
        /** To read or claim what a client owns, or an agent puts in place. */
        USERS("ADMIN", "CLIENT", "AGENT"),
        ALL_EXCEPT_SCREENS("ADMIN", "CLIENT", "VIEWER", "AGENT"),
        ALL("ADMIN", "CLIENT", "VIEWER", "AGENT", "SCREEN"),
        /** Callers that know a secret; the others get "not found". */
        WHOEVER_KNOWS("ADMIN", "CLIENT", "VIEWER", "AGENT", "SCREEN"),
        /** Every caller. */
        EVERYBODY("ADMIN", "CLIENT", "VIEWER", "AGENT", "SCREEN");

        private final Set<String> roles;

        Open(String... roles) {
            this.roles = Set.of(roles);
        }
    }

    /**
     * A call of the contract.
     *
     * @param path where {@code {id}} is a reservation, {@code {cluster}} a cluster, {@code {name}} an account
     */
    private record Call(String method, String path, Open open, String body) {

        boolean concernsAReservation() {
            return path.contains("/reservations/{id}");
        }

        @Override
        public String toString() {
            return method + " " + path;
        }
    }

    private static final List<Call> CALLS = List.of(
            new Call("GET", "", Open.EVERYBODY, ""),
            new Call("GET", "/me", Open.ALL, ""),
            new Call("POST", "/session", Open.PEOPLE, ""),
            new Call("DELETE", "/session", Open.PEOPLE, ""),
            new Call("GET", "/clusters", Open.PEOPLE_AND_SCREENS, ""),
            new Call("POST", "/clusters", Open.ADMIN, "{}"),
            new Call("GET", "/clusters/{cluster}", Open.ALL_EXCEPT_SCREENS, ""),
            new Call("PATCH", "/clusters/{cluster}", Open.ADMIN, "{}"),
            new Call("DELETE", "/clusters/" + NOBODYS, Open.ADMIN, ""),
            new Call("GET", "/clusters/{cluster}/prices", Open.PEOPLE, ""),
            new Call("GET", "/clusters/{cluster}/signal", Open.ALL_EXCEPT_SCREENS, ""),
            new Call("PUT", "/clusters/{cluster}/signal", Open.AGENT, "{}"),
            new Call("DELETE", "/clusters/{cluster}/signal", Open.AGENT, ""),
            new Call("GET", "/clusters/{cluster}/outages", Open.AGENT, ""),
            new Call("GET", "/clusters/{cluster}/outages/" + NOBODYS, Open.AGENT, ""),
            new Call("GET", "/clusters/{cluster}/outages.ics", Open.AGENT, ""),
            new Call("POST", "/clusters/{cluster}/outages", Open.ADMIN, "{}"),
            new Call("POST", "/clusters/{cluster}/outages/slots", Open.ADMIN, "{}"),
            new Call("PUT", "/clusters/{cluster}/outages/" + NOBODYS, Open.AGENT, "{}"),
            new Call("DELETE", "/clusters/{cluster}/outages/" + NOBODYS, Open.ADMIN, ""),
            new Call("POST", "/clusters/{cluster}/maintenances", Open.ADMIN, "{}"),
            new Call("GET", "/clusters/{cluster}/maintenances", Open.PEOPLE, ""),
            new Call("DELETE", "/clusters/{cluster}/maintenances/" + NOBODYS, Open.ADMIN, ""),
            new Call("GET", "/backups", Open.ADMIN, ""),
            new Call("POST", "/backups", Open.ADMIN, ""),
            new Call("GET", "/instances", Open.ADMIN, ""),
            new Call("GET", "/refusals", Open.PEOPLE, ""),
            new Call("GET", "/refusals/summary", Open.VIEWER, ""),
            new Call("GET", "/utilisation", Open.VIEWER, ""),
            new Call("GET", "/schedule", Open.VIEWER, ""),
            new Call("GET", "/reports/summary", Open.VIEWER, ""),
            new Call("GET", "/reports/projects", Open.VIEWER, ""),
            new Call("GET", "/reports/owners", Open.VIEWER, ""),
            new Call("GET", "/reports/hours", Open.VIEWER, ""),
            new Call("GET", "/clusters/{cluster}/utilisation", Open.BOARDS, ""),
            new Call("GET", "/clusters/{cluster}/schedule", Open.BOARDS_AND_AGENT, ""),
            new Call("GET", "/clusters/{cluster}/statistics", Open.VIEWER, ""),
            new Call("POST", "/clusters/{cluster}/room", Open.ADMIN, "{}"),
            new Call("POST", "/clusters/{cluster}/jobs", Open.CLIENT, "{}"),
            new Call("GET", "/clusters/{cluster}/jobs", Open.CLIENT, ""),
            new Call("PUT", "/clusters/{cluster}/jobs", Open.AGENT, "{}"),
            new Call("GET", "/clusters/{cluster}/enforcement", Open.READERS, ""),
            new Call("PUT", "/clusters/{cluster}/enforcement", Open.AGENT, "{}"),
            new Call("GET", "/clusters/{cluster}/jobs/1", Open.CLIENT, ""),
            new Call("POST", "/clusters/{cluster}/jobs/1/complete", Open.CLIENT, ""),
            new Call("POST", "/clusters/{cluster}/jobs/1/cancel", Open.CLIENT, ""),
            new Call("POST", "/probes", Open.CLIENT, "{\"terms\":{\"duration\":\"PT1H\",\"pes\":1}}"),
            new Call("POST", "/probes/map", Open.PEOPLE_AND_SCREENS, "{\"duration\":\"PT1H\"}"),
            new Call("POST", "/reservations", Open.CLIENT, "{}"),
            new Call("GET", "/reservations", Open.CLIENT, ""),
            new Call("GET", "/reservations/{id}", Open.USERS, ""),
            new Call("PATCH", "/reservations/{id}", Open.CLIENT, "{\"users\":[]}"),
            new Call("GET", "/reservations/{id}/events", Open.CLIENT, ""),
            new Call("GET", "/reservations/{id}/renegotiations", Open.CLIENT, ""),
            new Call("POST", "/reservations/{id}/renegotiations", Open.CLIENT, "{\"terms\":{\"pes\":1}}"),
            new Call("POST", "/reservations/{id}/extend", Open.CLIENT, "{\"by\":\"PT1H\"}"),
            new Call("POST", "/reservations/{id}/renegotiations/1/accept", Open.CLIENT, ""),
            new Call("POST", "/reservations/{id}/renegotiations/1/decline", Open.CLIENT, ""),
            new Call("POST", "/reservations/{id}/confirm", Open.CLIENT, ""),
            new Call("POST", "/reservations/{id}/transfer", Open.CLIENT, "{\"account\":\"nobody\"}"),
            new Call("POST", "/reservations/{id}/approve", Open.CLIENT, ""),
            new Call("POST", "/reservations/{id}/decline", Open.CLIENT, "{\"reason\":\"no\"}"),
            new Call("POST", "/reservations/{id}/fix", Open.CLIENT, ""),
            new Call("POST", "/reservations/{id}/claim", Open.USERS, ""),
            new Call("POST", "/reservations/{id}/complete", Open.CLIENT, ""),
            new Call("POST", "/reservations/{id}/cancel", Open.CLIENT, ""),
            new Call("POST", "/coallocations", Open.CLIENT, "{}"),
            new Call("GET", "/coallocations/" + NOBODYS, Open.CLIENT, ""),
            new Call("POST", "/coallocations/" + NOBODYS + "/cancel", Open.CLIENT, ""),
            new Call("POST", "/series", Open.CLIENT, "{}"),
            new Call("GET", "/series", Open.CLIENT, ""),
            new Call("GET", "/series/" + NOBODYS, Open.CLIENT, ""),
            new Call("POST", "/series/" + NOBODYS + "/end", Open.CLIENT, "{}"),
            new Call("POST", "/series/" + NOBODYS + "/occurrences/1", Open.CLIENT, ""),
            new Call("POST", "/projects", Open.ADMIN, "{}"),
            new Call("GET", "/projects", Open.CLIENT, ""),
            new Call("GET", "/projects/" + NOBODYS, Open.CLIENT, ""),
            new Call("PATCH", "/projects/" + NOBODYS, Open.CLIENT, "{}"),
            new Call("GET", "/projects/" + NOBODYS + "/balance", Open.CLIENT, ""),
            new Call("GET", "/projects/" + NOBODYS + "/grants", Open.CLIENT, ""),
            new Call("POST", "/projects/" + NOBODYS + "/grants", Open.ADMIN, "{}"),
            new Call("DELETE", "/projects/" + NOBODYS + "/grants/nobody", Open.ADMIN, ""),
            new Call("GET", "/projects/" + NOBODYS + "/ledger", Open.CLIENT, ""),
            new Call("GET", "/projects/" + NOBODYS + "/charges", Open.CLIENT, ""),
            new Call("GET", "/projects/" + NOBODYS + "/charges.csv", Open.CLIENT, ""),
            new Call("GET", "/projects/" + NOBODYS + "/focus.csv", Open.CLIENT, ""),
            new Call("PUT", "/projects/" + NOBODYS + "/members/nobody", Open.CLIENT, "{}"),
            new Call("DELETE", "/projects/" + NOBODYS + "/members/nobody", Open.CLIENT, ""),
            new Call("POST", "/webhooks", Open.CLIENT, "{}"),
            new Call("GET", "/webhooks", Open.CLIENT, ""),
            new Call("GET", "/webhooks/" + NOBODYS, Open.CLIENT, ""),
            new Call("PATCH", "/webhooks/" + NOBODYS, Open.CLIENT, "{}"),
            new Call("DELETE", "/webhooks/" + NOBODYS, Open.CLIENT, ""),
            new Call("POST", "/webhooks/" + NOBODYS + "/secret", Open.CLIENT, ""),
            new Call("POST", "/webhooks/" + NOBODYS + "/test", Open.CLIENT, ""),
            new Call("POST", "/webhooks/" + NOBODYS + "/redeliver", Open.CLIENT, ""),
            new Call("GET", "/webhooks/" + NOBODYS + "/attempts", Open.CLIENT, ""),
            new Call("GET", "/events", Open.ALL_EXCEPT_SCREENS, ""),
            new Call("GET", "/events/stream" + NO_CURSOR, Open.ALL, ""),
            new Call("GET", "/reservations/{id}/events/stream" + NO_CURSOR, Open.CLIENT, ""),
            new Call("POST", "/accounts/{name}/feeds", Open.CLIENT, "{}"),
            new Call("GET", "/accounts/{name}/feeds", Open.CLIENT, ""),
            new Call("DELETE", "/accounts/{name}/feeds/" + NOBODYS, Open.CLIENT, ""),
            new Call("GET", "/feeds/guessed.ics", Open.WHOEVER_KNOWS, ""),
            new Call("GET", "/accounts/{name}/mail", Open.CLIENT, ""),
            new Call("PATCH", "/accounts/{name}/mail", Open.CLIENT, "{}"),
            new Call("POST", "/accounts/{name}/mail/proof", Open.CLIENT, ""),
            new Call("POST", "/mail/proof", Open.WHOEVER_KNOWS, "{\"token\":\"guessed\"}"),
            new Call("GET", "/mail/off/guessed", Open.WHOEVER_KNOWS, ""),
            new Call("POST", "/mail/off/guessed", Open.WHOEVER_KNOWS, ""),
            new Call("GET", "/accounts", Open.ADMIN, ""),
            new Call("POST", "/accounts", Open.ADMIN, "{}"),
            new Call("GET", "/accounts/{name}", Open.ADMIN, ""),
            new Call("PATCH", "/accounts/{name}", Open.CLIENT, "{}"),
            new Call("POST", "/accounts/nobody/token", Open.ADMIN, ""),
            new Call("DELETE", "/accounts/nobody", Open.ADMIN, ""));

    /** Whatever the role, only the owner answers what is proposed to it. */
    private static final Set<String> OWNERS = Set.of("1/accept", "1/decline", "extend");

    @Autowired
    @Qualifier("requestMappingHandlerMapping")
    @SuppressWarnings("NullAway.Init")
    RequestMappingHandlerMapping mappings;

    @SuppressWarnings("NullAway.Init")
    private String cluster;

    @SuppressWarnings("NullAway.Init")
    private Named owner;

    /** How a caller proves who it is. */
    private enum Proof {
        TOKEN("ADMIN", "VIEWER", "CLIENT", "AGENT", "SCREEN"),
        SESSION("ADMIN", "VIEWER", "CLIENT");

        private final Set<String> roles;

        Proof(String... roles) {
            this.roles = Set.of(roles);
        }
    }

    /** A caller, and the name it goes by in failures. */
    private record Named(String name, Api api) {}

    @BeforeEach
    void book() {
        cluster = newCluster(64);
        owner = named("CLIENT");
    }

    private Named named(String role) {
        return named(role, Proof.TOKEN);
    }

    private Named named(String role, Proof proof) {
        var name = newName() + "-" + role.toLowerCase(Locale.ROOT);
        var token = role.equals("AGENT") ? tokenOfAgent(name, cluster) : tokenOf(name, role);
        return new Named(
                name,
                switch (proof) {
                    case TOKEN -> new Api(port, Optional.of(token));
                    case SESSION -> Api.page(port, token);
                });
    }

    /** Each call gets its own, since some of them end it. */
    private String reservation(Api api) {
        return reserve(api, cluster, """
                {"readyTime":"%s","duration":"PT1H","pes":1}""".formatted(clock.instant().plusSeconds(36_000)))
                .text("id");
    }

    private Reply make(Call call, Api caller, String id) {
        var path = "/api/v1"
                + call.path().replace("{id}", id).replace("{cluster}", cluster).replace("{name}", owner.name());
        var body = call.body().isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(call.body());
        return caller.send(
                caller.request(path).header("Content-Type", "application/json").method(call.method(), body));
    }

    /** A call that is added to the service must be added here. */
    @Test
    void theTableHasEveryCall() {
        var known = CALLS.stream()
                .map(call -> call.method() + " /api/v1" + pattern(call.path()))
                .collect(Collectors.toSet());
        var served = new HashSet<String>();
        mappings.getHandlerMethods()
                .keySet()
                .forEach(mapping -> mapping.getPatternValues().stream()
                        .filter(path -> path.startsWith("/api/"))
                        .forEach(path -> mapping.getMethodsCondition()
                                .getMethods()
                                .forEach(method -> served.add(method + " " + pattern(path)))));

        assertThat(served).isEqualTo(known);
    }

    /** With stars in the place of whatever names one thing. */
    private static String pattern(String path) {
        return Stream.of(path.replace(NO_CURSOR, "").split("/"))
                .map(part -> part.startsWith("{")
                                || part.equals(NOBODYS)
                                || part.equals("1")
                                || part.equals("nobody")
                                || part.equals("guessed")
                                || part.endsWith(".ics") && !part.equals("outages.ics")
                        ? "*"
                        : part)
                .collect(Collectors.joining("/"));
    }

    @Test
    void noCallIsOpenWithoutAValidTokenOrSession() {
        for (var call : CALLS) {
            for (var token : List.of(
                    Map.<String, String>of(),
                    Map.of("Authorization", "Bearer berth_guessed"),
                    Map.of("Authorization", "Bearer " + "a".repeat(5_000)),
                    Map.of("Cookie", Sessions.COOKIE + "=sealed:Z3Vlc3NlZA==", Sessions.HEADER, "true"))) {
                var reply = make(call, new Api(port, token), NOBODYS);
                if (call.open() == Open.WHOEVER_KNOWS) {
                    assertThat(reply.status()).as("%s with %s", call, token).isEqualTo(404);
                    continue;
                }
                if (call.open() == Open.EVERYBODY) {
                    assertThat(reply.status()).as("%s with %s", call, token).isEqualTo(200);
                    continue;
                }
                assertThat(reply.status()).as("%s with %s", call, token).isEqualTo(401);
                assertThat(reply.text("code")).isEqualTo("unauthorized");
                assertThat(reply.contentType()).isEqualTo("application/problem+json");
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void eachRoleHasExactlyItsCalls(Proof proof) {
        var callers = proof.roles.stream()
                .collect(Collectors.toMap(
                        role -> role, role -> named(role, proof).api()));
        for (var call : CALLS) {
            if (proof == Proof.SESSION && call.path().equals("/session")) {
                continue; // SessionsIT
            }
            for (var role : callers.keySet()) {
                var reply = make(call, callers.get(role), NOBODYS);
                if (call.open().roles.contains(role)) {
                    assertThat(reply.status())
                            .as("%s by %s: %s", call, role, reply.body())
                            .isNotIn(401, 403);
                } else {
                    assertThat(reply.status()).as("%s by %s", call, role).isEqualTo(403);
                    assertThat(reply.text("code")).isEqualTo("forbidden");
                }
                assertThat(reply.status()).isLessThan(500);
            }
        }
    }

    @Test
    void aScreenSeesPlacesButNeitherNamesNorPrices() {
        var id = owner.api()
                .post("/api/v1/reservations", """
                {"cluster":"%s","name":"secret-run","project":"secret-project",
                 "terms":{"readyTime":"%s","duration":"PT1H","pes":64}}""".formatted(
                                cluster, clock.instant().plusSeconds(7200)))
                .text("id");
        var name = newName();
        var screen = new Api(port, Optional.of(tokenOf(name, "SCREEN")));

        var schedule = screen.get("/api/v1/clusters/%s/schedule".formatted(cluster));
        assertThat(schedule.body().at("/placements/0/pes").asInt()).isEqualTo(64);
        var answers = new ArrayList<String>();
        for (var call : CALLS) {
            if (call.open().roles.contains("SCREEN")) {
                answers.add(make(call, screen, id).body().toString());
            }
        }
        assertThat(answers)
                .noneMatch(answer -> answer.contains("secret")
                        || answer.contains(owner.name())
                        || answer.contains(id)
                        || answer.contains("pricePerPeHour"));
        var map = screen.post("/api/v1/probes/map", """
                {"duration":"PT1H","clusters":["%s"]}""".formatted(cluster));
        assertThat(map.body().at("/clusters/0/rows/0/starts/0").isNull()).isFalse();
        assertThat(map.body().at("/clusters/0/rows").valueStream())
                .allSatisfy(row -> assertThat(row.get("prices").valueStream()).allMatch(JsonNode::isNull));

        admin.patch("/api/v1/clusters/" + cluster, """
                {"policy":{"visibility":"NAMES"}}""");
        assertThat(screen.get("/api/v1/clusters/%s/schedule".formatted(cluster))
                        .body()
                        .at("/placements/0/owner")
                        .asString())
                .isEqualTo(owner.name());
        admin.post("/api/v1/accounts/%s/token".formatted(name), "");
        assertThat(screen.get("/api/v1/clusters").status()).isEqualTo(401);
    }

    @Test
    void anAgentHasOneClusterAlone() {
        var agent = named("AGENT").api();
        var theirs = reservation(owner.api());
        assertThat(agent.get("/api/v1/me").text("cluster")).isEqualTo(cluster);
        assertThat(agent.post("/api/v1/reservations/" + theirs + "/claim", "").text("code"))
                .isEqualTo("wrong-state");

        cluster = newCluster(64);
        var elsewhere = reservation(owner.api());
        for (var call : CALLS) {
            if (call.path().contains("{cluster}")) {
                assertThat(make(call, agent, NOBODYS).text("code"))
                        .as("%s of another cluster's agent", call)
                        .isEqualTo("forbidden");
            }
        }
        assertThat(agent.post("/api/v1/reservations/" + elsewhere + "/claim", "")
                        .status())
                .isEqualTo(404);
        assertThat(agent.get("/api/v1/events").body().findValuesAsString("reservation"))
                .contains(theirs)
                .doesNotContain(elsewhere);
    }

    @Test
    void onlyTheOwnerAndAdministratorsUseAReservation() {
        var other = named("CLIENT");
        for (var call : CALLS) {
            if (!call.concernsAReservation()) {
                continue;
            }
            var own = make(call, owner.api(), reservation(owner.api()));
            var byAdmin = make(call, admin, reservation(owner.api()));
            var theirs = reservation(owner.api());
            var byOther = make(call, other.api(), theirs);
            var nobodys = make(call, other.api(), NOBODYS);

            assertThat(own.status())
                    .as("%s of the own: %s", call, own.body())
                    .isIn(
                            call.path().endsWith(NO_CURSOR)
                                    ? Set.of(400)
                                    // without a project, only an administrator hands over
                                    : call.path().endsWith("/transfer") ? Set.of(403) : Set.of(200, 409));
            // a proposal needs more than the owner's own wish
            boolean isOwners = OWNERS.stream().anyMatch(call.path()::endsWith);
            assertThat(byAdmin.status())
                    .as("%s by admin: %s", call, byAdmin.body())
                    .isIn(isOwners ? Set.of(403) : Set.of(200, 400, 409, 422));
            assertThat(byOther.status()).as("%s of another's", call).isEqualTo(404);
            assertThat(byOther.body().toString().replace(theirs, NOBODYS))
                    .isEqualTo(nobodys.body().toString());
            assertThat(owner.api().get("/api/v1/reservations/" + theirs).text("state"))
                    .isEqualTo("CONFIRMED");
        }
    }

    @Test
    void aClientLearnsNothingAboutReservationsOfOthers() {
        var secret = "secret-" + newName();
        var body = """
                {"cluster":"%s","name":"%s","project":"%s","terms":{"readyTime":"%s","deadline":"%s","duration":"PT1H","pes":64}}""".formatted(
                        cluster,
                        secret,
                        secret,
                        clock.instant().plusSeconds(7200),
                        clock.instant().plusSeconds(10_800));
        var booked = owner.api().post("/api/v1/reservations", body);
        assertThat(booked.status()).isEqualTo(201);
        var id = booked.text("id");
        var other = named("CLIENT").api();
        var refused = other.post("/api/v1/reservations", """
                {"cluster":"%s","terms":{"readyTime":"%s","deadline":"%s","duration":"PT1H","pes":1}}""".formatted(
                cluster, clock.instant().plusSeconds(7200), clock.instant().plusSeconds(10_800)));
        assertThat(refused.text("code")).isEqualTo("no-slot");

        var answers = new ArrayList<String>();
        answers.add(refused.body().toString());
        answers.add(other.get("/api/v1/reservations?project=" + secret).body().toString());
        for (var call : CALLS) {
            answers.add(make(call, other, NOBODYS).body().toString());
        }

        assertThat(answers).noneMatch(answer -> answer.contains(secret) || answer.contains(id));
        assertThat(answers).noneMatch(answer -> answer.contains(owner.name()));
    }
}
