package berth.lab.experiment.advisor;

import static org.assertj.core.api.Assertions.assertThat;

import berth.service.Api;
import berth.service.OtherBerth;
import berth.service.ServiceSuite;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** The advisor reads a running service. */
class AdvisorServiceIT extends ServiceSuite {

    private record Said(int exitCode, String out, String err) {}

    @Test
    void itAdvisesOnWhatTheServiceRecorded() {
        var cluster = newCluster(16);
        admin.patch("/api/v1/clusters/" + cluster, """
                {"policy":{"placement":"PE_WORST_FIT","juggling":"NEVER"}}""");
        var client = client();
        int read = 0;
        for (int i = 0; i < 260; i++) {
            var made = reserve(client, cluster, """
                    {"pes":%d,"duration":"PT%dM","slack":"PT%dH"}""".formatted(1 + i % 8, 20 + i % 50, i % 5));
            read += made.status() == 201 ? 1 : 0;
            if (i == 0 || i % 20 == 3) {
                changeLater(client, made, i == 0 ? "complete" : "cancel");
            }
            pass(Duration.ofMinutes(10));
        }

        var said = run(cluster, ADMIN_TOKEN, "--window-days", "0.5", "--bound-requests", "10", "--binding", "LATE");

        assertThat(said.err()).isEmpty();
        assertThat(said.exitCode()).isZero();
        assertThat(read).as("more than a page").isGreaterThan(150);
        assertThat(said.out())
                .startsWith("All settings are compared with those now in force.")
                .contains("Policies for cluster %s: 16 PEs, windows of 0.50 days: 3".formatted(cluster))
                .containsPattern("reservations and requests read +%d\n".formatted(read))
                .containsPattern("run ended early +1\n")
                .containsPattern("never began, replayed for the whole time +[1-9]")
                .contains("settings in force (PE_WORST_FIT, NEVER, LATE)", "lead over the settings in force")
                .containsPattern("policy +(as in force|PATCH /api/v1/clusters/%s \\{)".formatted(cluster))
                .doesNotContain("standard settings");
    }

    private void changeLater(Api client, Api.Reply made, String change) {
        pass(Duration.ofMinutes(5));
        client.post("/api/v1/reservations/%s/%s".formatted(made.text("id"), change));
    }

    @Test
    void wrongInputsAreNamed() {
        var cluster = newCluster(16);

        assertThat(error("nowhere", ADMIN_TOKEN)).contains("--cluster is nowhere, but the service has no such cluster");
        assertThat(error("No Where", ADMIN_TOKEN)).contains("--cluster is No Where: give an id");
        assertThat(error(cluster, "not-a-token-of-anybody"))
                .contains("The service rejects the token (401 unauthorized");
        assertThat(error(cluster, tokenOf(newName(), "CLIENT"))).contains("has the role CLIENT and does not see all");
        assertThat(error(cluster, ADMIN_TOKEN))
                .contains("has recorded 0 requests that can be replayed: there must be 30 or more");
        for (int i = 0; i < 30; i++) {
            reserve(admin, cluster, "{\"pes\":1,\"duration\":\"PT1M\"}");
        }
        assertThat(error(cluster, ADMIN_TOKEN))
                .contains("--window-days is 15.0, but the requests of cluster " + cluster);
        assertThat(error(cluster, ADMIN_TOKEN, "--url", "http://localhost:1"))
                .contains("The service does not respond (connection: no connection to http://localhost:1/api/v1)");
        assertThat(error(cluster, ADMIN_TOKEN, "--url", "https://localhost:" + port))
                .contains("The service does not respond", "http or https");
        assertThat(error(cluster, ADMIN_TOKEN, "--url", "http://localhost:%d/elsewhere".formatted(port)))
                .contains("Check that --url is the address of a Berth.");
        for (var option : List.of("--pes", "--flexible-share", "--flexibility", "--actual-percent", "--notice")) {
            assertThat(error(cluster, ADMIN_TOKEN, option, "1"))
                    .contains("%s is for logs, but --cluster is %s".formatted(option, cluster));
        }
        assertThat(error(cluster, ADMIN_TOKEN, "--trace", "some.swf"))
                .contains("leave out --trace, or leave out --cluster");
        assertThat(error(cluster, ADMIN_TOKEN, "--shard", "0/2", "--out", directory.toString()))
                .contains("leave out --shard");
    }

    @Test
    void aServiceWithoutAClusterIsNotReplayed() {
        for (var option : List.of("--url", "--token", "--token-file")) {
            assertThat(execute(option, "http://localhost:1").err()).contains(option + " is given without --cluster");
        }
    }

    @Test
    void aClusterOfAnotherBerthIsReadThere() throws IOException {
        var there = newCluster(16);
        var here = newName();
        try (var other = OtherBerth.before(port)) {
            var made = admin.post(
                    "/api/v1/clusters", """
                    {"id":"%s","peer":{"url":"%s","token":"%s","cluster":"%s"}}""".formatted(here, other.url(), tokenOf(newName(), "CLIENT"), there));

            assertThat(made.status()).isEqualTo(201);
            assertThat(error(here, ADMIN_TOKEN)).contains("--cluster is %s, which another Berth runs".formatted(here));
        }
    }

    @Test
    void recordsOfAnotherVersionAreNotReplayed() throws IOException {
        var cluster = newCluster(16);
        reserve(admin, cluster, "{\"pes\":1,\"duration\":\"PT1M\"}");
        try (var other = OtherBerth.before(port)) {
            other.twist(answer -> answer.replace("createdAt", "madeAt"));
            assertThat(error(cluster, ADMIN_TOKEN, "--url", other.url()))
                    .contains("cannot be read (createdAt is missing). Use the berth-lab.jar of the service's version.");
            other.twist(answer -> answer.replace("NEVER", "RARELY").replace("LEAST_MOVES", "FEWEST_MOVES"));
            assertThat(error(cluster, ADMIN_TOKEN, "--url", other.url())).contains("cannot be read", "FEWEST_MOVES");
        }
    }

    private String error(String cluster, String token, String... options) {
        var said = run(cluster, token, options);
        assertThat(said.exitCode()).isEqualTo(CommandLine.ExitCode.USAGE);
        assertThat(said.out()).isEmpty();
        return said.err();
    }

    private Said run(String cluster, String token, String... options) {
        var all = new ArrayList<>(List.of("--token", token, "--cluster", cluster, "--threads", "2"));
        all.addAll(Arrays.asList(options));
        if (!all.contains("--url")) {
            all.addAll(List.of("--url", "http://localhost:" + port));
        }
        return execute(all.toArray(String[]::new));
    }

    private static Said execute(String... options) {
        var out = new StringWriter();
        var err = new StringWriter();
        int exitCode = new CommandLine(new AdvisorCommand())
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(options);
        return new Said(exitCode, out.toString(), err.toString());
    }
}
