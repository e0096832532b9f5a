package berth.rest;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Keeps each account to its share of the calls under way and of the bytes that they hold: behind the filters that find out whose call
 * it is. Those without a token share one.
 */
final class AccountShare extends OncePerRequestFilter {

    private static final Problem TOO_MANY = ProblemHandler.tooMany(
            "As many calls of this account are under way as it may have at a time; wait for their answers.");

    /** Of bytes that have no room. */
    static final Problem NO_ROOM = ProblemHandler.tooMany(
            "Bodies and answers under way take all the memory that they may; wait for other answers,"
                    + " read them faster, or ask for less at a time.");

    private final CallsUnderWay calls;
    private final ProblemWriter problems;

    AccountShare(CallsUnderWay calls, ProblemWriter problems) {
        this.calls = calls;
        this.problems = problems;
    }

    @Override
    protected boolean shouldNotFilter(HttpServletRequest request) {
        return CallLimit.isHealth(request) || EventStreamsController.isStream(request);
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        var authentication = SecurityContextHolder.getContext().getAuthentication();
        var call = calls.begin(authentication == null ? "" : authentication.getName());
        if (call.isEmpty()) {
            CallLimit.refuse(TOO_MANY, response, problems);
            return;
        }
        try (var held = call.get()) {
            var answer = new HeldAnswer(response, held);
            chain.doFilter(new WholeBody.Request(request, held), answer);
            if (answer.hasRoom()) {
                answer.send(request);
            } else {
                LastResort.replace(NO_ROOM, response, problems);
            }
        }
    }
}
