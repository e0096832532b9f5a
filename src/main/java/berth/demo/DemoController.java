package berth.demo;

import berth.http.Problem;
import berth.http.ProblemCode;
import jakarta.servlet.http.HttpServletRequest;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.http.HttpHeaders;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** The call by which the page of a demo signs in without a token. */
@RestController
@ConditionalOnBooleanProperty("berth.demo")
class DemoController {

    /** The names by which a browser on this machine reaches it. Another name may be one that a site resolves to this machine. */
    private static final Pattern HERE = Pattern.compile("(localhost|127\\.0\\.0\\.1|\\[::1])(:\\d+)?");

    private final Demo demo;

    DemoController(Demo demo) {
        this.demo = demo;
    }

    /** The accounts of the demo with which anybody on this machine can sign in. */
    record AccountsBody(List<AccountBody> accounts) {}

    /** An account and its token. */
    record AccountBody(String name, String role, String token) {}

    @GetMapping("/demo")
    AccountsBody readDemo(HttpServletRequest request) throws UnknownHostException {
        var host = Objects.requireNonNullElse(request.getHeader(HttpHeaders.HOST), "");
        if (!HERE.matcher(host).matches()
                || !InetAddress.getByName(request.getRemoteAddr()).isLoopbackAddress()) {
            throw new Problem(
                    ProblemCode.FORBIDDEN,
                    "The demo gives its tokens only to this machine. Open http://localhost:%d here."
                            .formatted(request.getLocalPort()));
        }
        return new AccountsBody(demo.tokens()
                .map(tokens -> List.of(
                        account(Site.CLIENT, "CLIENT", tokens),
                        account(Site.OPERATOR, "ADMIN", tokens),
                        account(Site.MANAGER, "VIEWER", tokens)))
                .orElseThrow(() ->
                        new Problem(ProblemCode.UNAVAILABLE, "The demo is not ready yet. Try again in a second.")));
    }

    private static AccountBody account(String name, String role, Map<String, String> tokens) {
        return new AccountBody(name, role, tokens.getOrDefault(name, ""));
    }
}
