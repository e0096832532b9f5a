package berth.rest;

import static org.assertj.core.api.Assertions.assertThat;

import berth.security.Role;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which role opens which call, also of those that are still to come. */
class RolesIT extends ServiceSuite {

    private final Map<Role, Api> callers = new EnumMap<>(Role.class);

    @BeforeEach
    void makeCallers() {
        callers.put(Role.ADMIN, admin);
        callers.put(Role.CLIENT, client());
        callers.put(Role.VIEWER, viewer());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            GET    | /clusters                          | ADMIN CLIENT VIEWER
            HEAD   | /clusters                          | ADMIN CLIENT VIEWER
            POST   | /clusters                          | ADMIN
            GET    | /clusters/demo                     | ADMIN CLIENT VIEWER
            PATCH  | /clusters/demo                     | ADMIN
            POST   | /clusters/demo/outages             | ADMIN
            GET    | /clusters/demo/outages             | ADMIN
            DELETE | /clusters/demo/outages/1           | ADMIN
            POST   | /clusters/demo/room                | ADMIN
            GET    | /clusters/demo/utilisation         | ADMIN VIEWER
            GET    | /clusters/demo/schedule            | ADMIN VIEWER
            HEAD   | /clusters/demo/schedule            | ADMIN VIEWER
            GET    | /clusters/demo/statistics          | ADMIN VIEWER
            POST   | /clusters/demo/jobs                | ADMIN CLIENT
            GET    | /clusters/demo/jobs                | ADMIN CLIENT
            PUT    | /clusters/demo/jobs                | ADMIN
            POST   | /clusters/demo/jobs/1/complete     | ADMIN CLIENT
            POST   | /clusters/demo/jobs/1/cancel       | ADMIN CLIENT
            POST   | /probes                            | ADMIN CLIENT
            POST   | /reservations                      | ADMIN CLIENT
            GET    | /reservations                      | ADMIN CLIENT
            GET    | /reservations/1                    | ADMIN CLIENT
            POST   | /reservations/1/confirm            | ADMIN CLIENT
            POST   | /reservations/1/fix                | ADMIN CLIENT
            POST   | /reservations/1/claim              | ADMIN CLIENT
            POST   | /reservations/1/cancel             | ADMIN CLIENT
            POST   | /reservations/1/complete           | ADMIN CLIENT
            POST   | /reservations/1/renegotiations     | ADMIN CLIENT
            GET    | /reservations/1/renegotiations     | ADMIN CLIENT
            POST   | /reservations/1/renegotiations/1/accept | ADMIN CLIENT
            GET    | /reservations/1/events             | ADMIN CLIENT
            GET    | /events                            | ADMIN VIEWER
            POST   | /coallocations                     | ADMIN CLIENT
            GET    | /coallocations/1                   | ADMIN CLIENT
            POST   | /coallocations/1/cancel            | ADMIN CLIENT
            POST   | /accounts                          | ADMIN
            GET    | /accounts                          | ADMIN
            GET    | /accounts/admin                    | ADMIN
            PATCH  | /accounts/nobody                   | ADMIN
            DELETE | /accounts/nobody                   | ADMIN
            POST   | /accounts/nobody/token             | ADMIN
            GET    | /actuator/prometheus               | ADMIN VIEWER
            GET    | /actuator/metrics                  | ADMIN
            GET    | /actuator                          | ADMIN
            """)
    void aCallIsOpenToItsRoles(String method, String path, String roles) {
        var whole = path.startsWith("/actuator") ? path : "/api/v1" + path;
        var nobody = new Api(port, Optional.empty());
        for (var role : Role.values()) {
            int status = status(callers.getOrDefault(role, nobody), method, whole);
            if (List.of(roles.split(" ")).contains(role.name())) {
                assertThat(status).as("%s as %s", path, role).isNotIn(401, 403, 500);
            } else {
                assertThat(status).as("%s as %s", path, role).isEqualTo(403);
            }
        }
        assertThat(status(nobody, method, whole)).isEqualTo(401);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/openapi",
                "/openapi.yaml",
                "/openapi/berth",
                "/docs",
                "/swagger-ui/index.html",
                "/webjars/x.js",
                "/actuator/health",
                "/actuator/health/liveness"
            })
    void whatDescribesTheServiceIsOpenToEverybody(String path) {
        assertThat(status(new Api(port, Optional.empty()), "GET", path)).isIn(200, 404);
        assertThat(status(new Api(port, Optional.of("berth_of_yesterday")), "GET", path))
                .isIn(200, 404);
    }

    @Test
    void whatIsNotThereIsSaidToThoseWithAToken() {
        for (var caller : callers.values()) {
            assertThat(status(caller, "GET", "/api/v1/nothing")).isEqualTo(404);
            assertThat(status(caller, "GET", "/nothing")).isEqualTo(404);
            assertThat(status(caller, "DELETE", "/api/v1/clusters/demo")).isEqualTo(405);
            assertThat(status(caller, "POST", "/api/v1/clusters/demo/schedule")).isEqualTo(405);
            assertThat(status(caller, "DELETE", "/api/v1/events")).isEqualTo(405);
            assertThat(status(caller, "OPTIONS", "/api/v1/clusters")).isEqualTo(200);
        }
        var nobody = new Api(port, Optional.empty());
        assertThat(status(nobody, "GET", "/api/v1/nothing")).isEqualTo(401);
        assertThat(status(nobody, "DELETE", "/api/v1/clusters/demo")).isEqualTo(401);
    }

    @Test
    void aTokenOfAnyLengthIsAnsweredWithAProblem() {
        for (var token : List.of("x".repeat(5000), "x", "a.b.c", "berth_", "=", "eyJhbGciOiJub25lIn0.e30.")) {
            var reply = new Api(port, Optional.of(token)).get("/api/v1/clusters");
            assertThat(reply.text("code")).as(token).isEqualTo("unauthorized");
            assertThat(reply.status()).isEqualTo(401);
            assertThat(reply.contentType()).isEqualTo("application/problem+json");
        }
    }

    private static int status(Api caller, String method, String path) {
        var body = method.equals("GET") || method.equals("HEAD") || method.equals("OPTIONS")
                ? BodyPublishers.noBody()
                : BodyPublishers.ofString("{}");
        return caller.send(caller.request(path)
                        .header("Content-Type", "application/json")
                        .method(method, body))
                .status();
    }
}
