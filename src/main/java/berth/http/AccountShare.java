package berth.http;

import berth.accounts.Accounts.Opened;
import berth.runtime.Gate;
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
 * Limits each account to its share of the concurrent calls and of the bytes that they hold. This filter runs after the filters that
 * identify the caller. A request for a feed counts against the account of the feed; all other calls without a token share one allowance.
 */
public final class AccountShare extends OncePerRequestFilter {

    /** The problem returned to an account with too many calls in progress. */
    public static final Problem TOO_MANY = ProblemHandler.tooMany(
            "This account has reached its limit of concurrent calls. Wait for the responses to earlier calls.");

    /** The problem returned if there is no memory left for a body or a response. */
    static final Problem NO_ROOM = ProblemHandler.tooMany(
            "The request bodies and responses in progress take all the memory that is set aside for them."
                    + " Wait for other responses, read them faster, or request less at a time.");

    private final CallsUnderWay calls;
    private final GatedCalls gated;
    private final Function<String, Optional<Opened>> feeds;
    private final ProblemWriter problems;

    /** @param feeds returns the feed with the given hash of its secret, if there is one */
    public AccountShare(
            CallsUnderWay calls, GatedCalls gated, Function<String, Optional<Opened>> feeds, ProblemWriter problems) {
        this.calls = calls;
        this.gated = gated;
        this.feeds = feeds;
        this.problems = problems;
    }

    @Override
    protected boolean shouldNotFilter(HttpServletRequest request) {
        return CallLimit.isHealth(request) || CallLimit.isStream(request);
    }

    private void carryOut(BufferedBody.Request request, BufferedResponse answer, FilterChain chain)
            throws ServletException, IOException {
        GatedCalls.Work work = () -> {
            chain.doFilter(request, answer);
            answer.complete(request);
        };
        try {
            gated.carryOut(caller(request), request, work);
            for (var poll = LongPoll.of(request);
                    poll.isPresent() && answer.isEmpty() && !poll.get().isOver();
                    poll = LongPoll.of(request)) {
                poll.get().await();
                gated.carryOut(caller(request), request, work);
            }
        } finally {
            LongPoll.of(request).ifPresent(LongPoll::close);
        }
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
            try {
                carryOut(new BufferedBody.Request(request, held), answer, chain);
            } catch (BufferedBody.NotRead e) {
                problems.write(e.problem(), response);
                return;
            } catch (Gate.Overloaded e) {
                CallLimit.refuse(e, response, problems);
                return;
            } catch (Gate.Unanswered e) {
                CallLimit.refuse(
                        new Problem(ProblemCode.UNAVAILABLE, String.valueOf(e.getMessage())), response, problems);
                return;
            }
            if (answer.hasRoom()) {
                answer.send(request);
            } else {
                UnhandledErrors.replace(NO_ROOM, response, problems);
            }
        }
    }
}
