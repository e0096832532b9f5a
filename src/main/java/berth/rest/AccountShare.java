package berth.rest;

import berth.security.Accounts.Opened;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Optional;
import java.util.function.Function;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Keeps each account to its share of the calls under way and of the bytes that they hold: behind the filters that find out whose call
 * it is. Whoever reads a feed has part in the share of its account; all others without a token share one.
 */
final class AccountShare extends OncePerRequestFilter {

    private static final Problem TOO_MANY = ProblemHandler.tooMany(
            "As many calls of this account are under way as it may have at a time; wait for their answers.");

    /** Of bytes that have no room. */
    static final Problem NO_ROOM = ProblemHandler.tooMany(
            "Bodies and answers under way take all the memory that they may; wait for other answers,"
                    + " read them faster, or ask for less at a time.");

    private final CallsUnderWay calls;
    private final Function<String, Optional<Opened>> feeds;
    private final ProblemWriter problems;

    /** @param feeds those that there are, by the hashes of their secrets */
    AccountShare(CallsUnderWay calls, Function<String, Optional<Opened>> feeds, ProblemWriter problems) {
        this.calls = calls;
        this.feeds = feeds;
        this.problems = problems;
    }

    @Override
    protected boolean shouldNotFilter(HttpServletRequest request) {
        return CallLimit.isHealth(request) || EventStreamsController.isStream(request);
    }

    private String caller(HttpServletRequest request) {
        var authentication = SecurityContextHolder.getContext().getAuthentication();
        return FeedSecret.hash(request)
                .flatMap(feeds)
                .map(opened -> opened.account().getName())
                .orElse(authentication == null ? "" : authentication.getName());
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        var call = calls.begin(caller(request));
        if (call.isEmpty()) {
            CallLimit.refuse(TOO_MANY, response, problems);
            return;
        }
        try (var held = call.get()) {
            var answer = new BufferedResponse(response, held);
            chain.doFilter(new BufferedBody.Request(request, held), answer);
            if (answer.hasRoom()) {
                answer.send(request);
            } else {
                UnhandledErrors.replace(NO_ROOM, response, problems);
            }
        }
    }
}
