package berth.service;

import static org.assertj.core.api.Assertions.assertThat;

import berth.accounts.Role;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The roles of calls outside the contract; for those of the contract see {@link RoleTableIT}. */
class RolesIT extends ServiceSuite {

    private final Map<Role, Api> callers = new EnumMap<>(Role.class);

    @BeforeEach
    void makeCallers() {
        callers.put(Role.ADMIN, admin);
        callers.put(Role.CLIENT, client());
        callers.put(Role.VIEWER, viewer());
        callers.put(Role.SCREEN, new Api(port, Optional.of(tokenOf(newName(), "SCREEN"))));
        callers.put(Role.AGENT, new Api(port, Optional.of(tokenOfAgent(newName(), "demo"))));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            HEAD   | /clusters                          | ADMIN CLIENT VIEWER SCREEN
            HEAD   | /events                            | ADMIN CLIENT VIEWER AGENT
            HEAD   | /clusters/demo/schedule            | ADMIN VIEWER AGENT SCREEN
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
                "/actuator/health",
                "/actuator/health/liveness"
            })
    void descriptionsOfTheServiceNeedNoToken(String path) {
        assertThat(status(new Api(port, Optional.empty()), "GET", path)).isIn(200, 302, 404);
        assertThat(status(new Api(port, Optional.of("berth_of_yesterday")), "GET", path))
                .isIn(200, 302, 404);
    }

    @Test
    void theBasePathIsTheSameWithASlashAtItsEnd() {
        var nobody = new Api(port, Optional.empty());
        var told = nobody.get("/api/v1");

        assertThat(told.text("service")).isEqualTo("berth");
        assertThat(nobody.get("/api/v1/")).isEqualTo(told);
        assertThat(status(nobody, "HEAD", "/api/v1/")).isEqualTo(200);
        assertThat(status(nobody, "GET", "/api/v1/clusters/")).isEqualTo(401);
    }

    @Test
    void onlyCallersWithATokenLearnThatAPathDoesNotExist() {
        for (var caller : callers.values()) {
            assertThat(status(caller, "GET", "/api/v1/nothing")).isEqualTo(404);
            assertThat(status(caller, "GET", "/nothing")).isEqualTo(404);
            assertThat(status(caller, "PUT", "/api/v1/clusters/demo")).isEqualTo(405);
            assertThat(status(caller, "POST", "/api/v1/clusters/demo/schedule")).isEqualTo(405);
            assertThat(status(caller, "DELETE", "/api/v1/events")).isEqualTo(405);
            assertThat(status(caller, "OPTIONS", "/api/v1/clusters")).isEqualTo(200);
        }
        var nobody = new Api(port, Optional.empty());
        assertThat(status(nobody, "GET", "/api/v1/nothing")).isEqualTo(401);
        assertThat(status(nobody, "DELETE", "/api/v1/clusters/demo")).isEqualTo(401);
    }

    /** The filters of Spring Security respond to the latter, and leave calls of the former kind to a filter before them. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            GET    | /me                                      | 401
            HEAD   | /me                                      | 401
            OPTIONS | /me                                     | 401
            GET    | /events?limit=5                          | 401
            GET    | /events/stream                           | 401
            POST   | /reservations                            | 401
            PUT    | /clusters/demo/jobs                      | 401
            PATCH  | /accounts/nobody.in-particular           | 401
            DELETE | /clusters/demo                           | 401
            GET    | /nothing                                 | 401
            GET    | /me/                                     | 401
            GET    | /%6de                                    | 401
            GET    | //me                                     | 400
            GET    | /me;a=b                                  | 400
            GET    | /clusters/demo/outages.ics               | 401
            GET    | /feeds                                   | 401
            GET    | /feeds/unknown                           | 404
            GET    | /feeds/unknown.ics                       | 404
            GET    | /feeds/unknown/more                      | 404
            """)
    void aCallWithoutATokenGetsTheSameResponseAsOneWithoutATokenOfThatScheme(String method, String path, int status)
            throws Exception {
        var without = answer(method, path);
        var other = answer(method, path, "Authorization", "Basic bm9ib2R5");

        assertThat(without.statusCode()).isEqualTo(status).isEqualTo(other.statusCode());
        assertThat(withoutIds(without)).isEqualTo(withoutIds(other));
        assertThat(without.body()).isEqualTo(other.body());
    }

    private HttpResponse<String> answer(String method, String path, String... headers) throws Exception {
        var body = List.of("GET", "HEAD", "OPTIONS").contains(method)
                ? BodyPublishers.noBody()
                : BodyPublishers.ofString("{}");
        var request = HttpRequest.newBuilder(URI.create("http://localhost:%d/api/v1%s".formatted(port, path)))
                .method(method, body);
        if (headers.length > 0) {
            request.headers(headers);
        }
        try (var http = HttpClient.newHttpClient()) {
            return http.send(request.build(), BodyHandlers.ofString());
        }
    }

    private static Map<String, List<String>> withoutIds(HttpResponse<?> response) {
        var headers = new TreeMap<>(response.headers().map());
        headers.remove("x-request-id");
        headers.remove("date");
        return headers;
    }

    @Test
    void aMalformedTokenOfAnyLengthGetsAProblem() {
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
