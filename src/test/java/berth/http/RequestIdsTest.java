package berth.http;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import jakarta.servlet.FilterChain;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import tools.jackson.databind.json.JsonMapper;

/** Errors outside the controllers have the id of their request, too. */
class RequestIdsTest {

    private final Logger logger = (Logger) LoggerFactory.getLogger(UnhandledErrors.class);
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
    private final MockHttpServletRequest request = new MockHttpServletRequest("GET", "/api/v1/clusters");
    private final MockHttpServletResponse response = new MockHttpServletResponse();

    @BeforeEach
    void listen() {
        lines.start();
        logger.addAppender(lines);
    }

    @AfterEach
    void stopListening() {
        logger.detachAppender(lines);
    }

    @Test
    void anUnexpectedErrorKeepsTheIdInTheResponseAndTheLog() throws Exception {
        request.addHeader(RequestIds.HEADER, "mine");

        send((request, response) -> {
            throw new IllegalStateException("as the test wants it");
        });

        assertThat(response.getStatus()).isEqualTo(500);
        assertThat(response.getHeaders(RequestIds.HEADER)).containsExactly("mine");
        assertThat(lines.list)
                .singleElement()
                .satisfies(line -> assertThat(line.getMDCPropertyMap()).isEqualTo(Map.of(RequestIds.KEY, "mine")));
    }

    @Test
    void theIdIsRemovedWhenTheRequestIsOver() throws Exception {
        send((request, response) -> assertThat(MDC.get(RequestIds.KEY)).isNotNull());

        assertThat(MDC.get(RequestIds.KEY)).isNull();
    }

    private void send(FilterChain rest) throws Exception {
        var lastResort = new UnhandledErrors(new ProblemWriter(JsonMapper.shared()));
        new RequestIds()
                .doFilter(request, response, (request, response) -> lastResort.doFilter(request, response, rest));
    }
}
