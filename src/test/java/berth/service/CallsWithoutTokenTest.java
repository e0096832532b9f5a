package berth.service;

import static org.assertj.core.api.Assertions.assertThat;

import berth.http.ProblemWriter;
import jakarta.servlet.http.Cookie;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.mock.web.MockFilterChain;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import tools.jackson.databind.json.JsonMapper;

class CallsWithoutTokenTest {

    private final CallsWithoutToken filter = new CallsWithoutToken(new ProblemWriter(JsonMapper.shared()));

    @ParameterizedTest
    @CsvSource({
        "GET, /api/v1/me, true",
        "POST, /api/v1/reservations, true",
        "DELETE, /api/v1/clusters/a.b-c_d, true",
        "GET, /api/v1, false",
        "GET, /openapi, false",
        "GET, /actuator/health, false",
        "GET, /api/v1/feeds/secret.ics, false",
        "GET, /api/v1/clusters/demo/outages.ics, false",
        "TRACE, /api/v1/me, false",
        "GET, /api/v1//me, false",
        "GET, /api/v1/../me, false",
        "GET, /api/v1/me;a, false"
    })
    void onlyOrdinaryCallsThatNeedATokenAreRejectedAtOnce(String method, String path, boolean isRejected)
            throws Exception {
        var response = new MockHttpServletResponse();
        var further = new MockFilterChain();

        filter.doFilter(new MockHttpServletRequest(method, path), response, further);

        assertThat(further.getRequest() == null).isEqualTo(isRejected);
        assertThat(response.getStatus()).isEqualTo(isRejected ? 401 : 200);
    }

    @Test
    void aCallWithTheCookieOfASessionIsLeftToTheFiltersOfSecurity() throws Exception {
        var request = new MockHttpServletRequest("GET", "/api/v1/me");
        request.setCookies(new Cookie(Sessions.COOKIE, "guessed"));
        var further = new MockFilterChain();

        filter.doFilter(request, new MockHttpServletResponse(), further);

        assertThat(further.getRequest()).isNotNull();
    }

    @ParameterizedTest
    @CsvSource({"Bearer token", "Basic bm9ib2R5", "''"})
    void aCallWithAnyAuthorizationIsLeftToTheFiltersOfSecurity(String authorization) throws Exception {
        var request = new MockHttpServletRequest("GET", "/api/v1/me");
        request.addHeader("Authorization", authorization);
        var further = new MockFilterChain();

        filter.doFilter(request, new MockHttpServletResponse(), further);

        assertThat(further.getRequest()).isNotNull();
    }
}
