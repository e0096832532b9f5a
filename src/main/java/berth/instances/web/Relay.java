package berth.instances.web;

import berth.booking.web.IdempotencyKeys;
import berth.http.AccountShare;
import berth.http.BufferedBody;
import berth.http.CallLimit;
import berth.http.CallsUnderWay;
import berth.http.FeedSecret;
import berth.http.Problem;
import berth.http.ProblemCode;
import berth.http.ProblemWriter;
import berth.http.RequestIds;
import berth.instances.Instance;
import berth.instances.Instances;
import berth.instances.Instances.Turn;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Collections;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Passes calls on to the active instance, unchanged, and returns its responses. A call that was not sent, or that may safely be repeated,
 * waits for the next active instance. For any other call without a response, the client gets a problem which says that the outcome is
 * unknown.
 */
public final class Relay extends OncePerRequestFilter {

    /** The header of a call that has been passed on, which must not be passed on again. */
    static final String RELAYED = "Berth-Relayed";

    /** The status by which an instance that is not active returns a call. It has not carried out the call. */
    private static final int MISDIRECTED = 421;

    private static final Duration CONNECTING = Duration.ofSeconds(1);
    private static final Duration POLL_INTERVAL = Duration.ofMillis(100);

    /** The headers that belong to one connection, or that the relay sets itself. */
    private static final Set<String> NOT_PASSED_ON = Set.of(
            "connection",
            "content-length",
            "date",
            "expect",
            "host",
            "http2-settings",
            "keep-alive",
            "proxy-authenticate",
            "proxy-authorization",
            "proxy-connection",
            "te",
            "trailer",
            "transfer-encoding",
            "upgrade",
            "x-request-id");

    private static final Set<String> SAFE = Set.of("GET", "HEAD", "OPTIONS");

    private static final Problem NONE_ACTIVE =
            new Problem(ProblemCode.UNAVAILABLE, "No instance is active at the moment. Try again in a moment.");

    private static final Problem UNREACHED = new Problem(
            ProblemCode.UNAVAILABLE,
            "This instance cannot reach the active instance at the moment. Try again in a moment, or at another instance.");

    private static final Problem IN_DOUBT = new Problem(
            ProblemCode.UNAVAILABLE,
            "The active instance has not responded, so the call may or may not have been carried out. Check its effect. With an"
                    + " Idempotency-Key, such calls can be repeated safely.");

    private static final Problem UNSENDABLE = new Problem(
            ProblemCode.MALFORMED,
            "The path or a header has characters that cannot be passed on to the active instance. Remove or encode them.");

    private final Instances instances;
    private final Duration patience;
    private final ActiveAddress address;
    private final CallsUnderWay calls;
    private final ProblemWriter problems;
    private final MeterRegistry registry;
    private final Timer answered;
    private final Timer inDoubt;
    private final Timer nobody;
    private final HttpClient client = client();

    /**
     * Creates the filter.
     *
     * @param patience how long a call waits for an active instance
     */
    public Relay(
            Instances instances,
            Duration patience,
            ActiveAddress address,
            CallsUnderWay calls,
            ProblemWriter problems,
            MeterRegistry registry) {
        this.instances = instances;
        this.patience = patience;
        this.address = address;
        this.calls = calls;
        this.problems = problems;
        this.registry = registry;
        this.answered = timer("answered", registry);
        this.inDoubt = timer("in-doubt", registry);
        this.nobody = timer("nobody", registry);
    }

    /** Returns the client with which instances call each other. */
    static HttpClient client() {
        return HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(CONNECTING)
                .followRedirects(HttpClient.Redirect.NEVER)
                .executor(Executors.newVirtualThreadPerTaskExecutor())
                .build();
    }

    /** The result of passing a call on. */
    private sealed interface RelayResult {
        record Answered(HttpResponse<InputStream> answer) implements RelayResult {}

        /** The active instance has not begun to carry out the call. */
        record NotSent() implements RelayResult {}

        record Unanswered() implements RelayResult {}
    }

    /** Excludes health and metrics, which each instance reports about itself. */
    @Override
    protected boolean shouldNotFilter(HttpServletRequest request) {
        var path = request.getRequestURI();
        return path.startsWith("/actuator/") || path.equals("/health");
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        var turn = instances.turn();
        var relayed = request.getHeader(RELAYED);
        if (ActiveAddress.CHECK.equals(relayed)) {
            instances
                    .self()
                    .ifPresent(self ->
                            response.setHeader(ActiveAddress.INSTANCE, self.id().toString()));
            response.setStatus(turn instanceof Turn.Here() ? HttpServletResponse.SC_NO_CONTENT : MISDIRECTED);
        } else if (turn instanceof Turn.Here()) {
            chain.doFilter(request, response);
        } else if (relayed != null) {
            response.setHeader(HttpHeaders.RETRY_AFTER, "1");
            response.setStatus(MISDIRECTED);
        } else {
            passOn(turn, request, response, chain);
        }
    }

    /** Reads the body within the bounds of the active instance, which end what a caller takes before the caller is known. */
    private void passOn(Turn turn, HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        if (CallLimit.isStream(request)) {
            passOn(turn, request, new byte[0], response, chain);
            return;
        }
        // this instance knows no accounts; a token or a cookie stands for one
        var token = Optional.ofNullable(request.getHeader(HttpHeaders.AUTHORIZATION));
        var call = calls.begin(token.orElseGet(() -> String.valueOf(request.getHeader(HttpHeaders.COOKIE))));
        if (call.isEmpty()) {
            CallLimit.refuse(AccountShare.TOO_MANY, response, problems);
            return;
        }
        try (var held = call.get()) {
            try {
                // reads all of it
                var unused = new BufferedBody.Request(request, held).getInputStream();
            } catch (BufferedBody.NotRead e) {
                CallLimit.refuse(e.problem(), response, problems);
                return;
            }
            passOn(turn, request, BufferedBody.read(request), response, chain);
        }
    }

    private void passOn(
            Turn turn, HttpServletRequest request, byte[] body, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        boolean mayBeRepeated = SAFE.contains(request.getMethod()) || request.getHeader(IdempotencyKeys.HEADER) != null;
        long end = System.nanoTime() + patience.toNanos();
        var sample = Timer.start(registry);
        try {
            while (true) {
                switch (turn) {
                    case Turn.Here() -> {
                        chain.doFilter(new Read(request, body), response);
                        return;
                    }
                    case Turn.There(var active) -> {
                        switch (sent(active, request, body, response)) {
                            case RelayResult.Answered(var answer) -> {
                                copy(active, answer, response);
                                sample.stop(answered);
                                return;
                            }
                            case RelayResult.NotSent() -> Thread.sleep(POLL_INTERVAL);
                            case RelayResult.Unanswered() -> {
                                if (!mayBeRepeated) {
                                    refuse(IN_DOUBT, response);
                                    sample.stop(inDoubt);
                                    return;
                                }
                                Thread.sleep(POLL_INTERVAL);
                            }
                        }
                    }
                    case Turn.Nobody() -> Thread.sleep(POLL_INTERVAL);
                }
                if (System.nanoTime() > end) {
                    refuse(turn instanceof Turn.There ? UNREACHED : NONE_ACTIVE, response);
                    sample.stop(nobody);
                    return;
                }
                turn = instances.turn();
            }
        } catch (IllegalArgumentException e) {
            problems.write(UNSENDABLE, response);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            refuse(NONE_ACTIVE, response);
        }
    }

    private static Timer timer(String outcome, MeterRegistry registry) {
        return Timer.builder("berth.relayed")
                .description(
                        "Time of calls that a standby passed on to the active instance, by outcome. in-doubt: the answer was cut off, and"
                                + " the call may have been done. nobody: no instance became active in time.")
                .tag("outcome", outcome)
                .register(registry);
    }

    private void refuse(Problem problem, HttpServletResponse response) throws IOException {
        response.setHeader(HttpHeaders.RETRY_AFTER, "2");
        problems.write(problem, response);
    }

    private RelayResult sent(Instance active, HttpServletRequest request, byte[] body, HttpServletResponse response)
            throws InterruptedException {
        if (!address.leadsTo(active)) {
            return new RelayResult.NotSent();
        }
        var query = request.getQueryString();
        var target = URI.create(active.url() + FeedSecret.sentPath(request) + (query == null ? "" : "?" + query));
        var copy = HttpRequest.newBuilder(target)
                .method(
                        request.getMethod(),
                        body.length == 0 ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(body))
                .header(RELAYED, "1");
        for (var name : Collections.list(request.getHeaderNames())) {
            if (!NOT_PASSED_ON.contains(name.toLowerCase(Locale.ROOT))) {
                Collections.list(request.getHeaders(name)).forEach(value -> copy.header(name, value));
            }
        }
        Optional.ofNullable(response.getHeader(RequestIds.HEADER)).ifPresent(id -> copy.header(RequestIds.HEADER, id));
        var answering = client.sendAsync(copy.build(), BodyHandlers.ofInputStream());
        try {
            return answered(active, answering)
                    .<RelayResult>map(answer -> answer.statusCode() == MISDIRECTED
                            ? new RelayResult.NotSent()
                            : new RelayResult.Answered(answer))
                    .orElseGet(RelayResult.Unanswered::new);
        } catch (ExecutionException e) {
            return e.getCause() instanceof ConnectException ? new RelayResult.NotSent() : new RelayResult.Unanswered();
        }
    }

    /** Waits for the response without a time limit; empty once the instance that received the call is no longer active. */
    private Optional<HttpResponse<InputStream>> answered(
            Instance asked, CompletableFuture<HttpResponse<InputStream>> answering)
            throws ExecutionException, InterruptedException {
        while (true) {
            try {
                return Optional.of(answering.get(POLL_INTERVAL.toMillis(), TimeUnit.MILLISECONDS));
            } catch (TimeoutException e) {
                if (!isActive(asked)) {
                    answering.cancel(true);
                    return Optional.empty();
                }
            }
        }
    }

    /** Checks whether an instance is active, as far as this instance can tell. */
    private boolean isActive(Instance asked) {
        return switch (instances.turn()) {
            case Turn.Here() -> false;
            case Turn.There(var active) -> active.id().equals(asked.id());
            case Turn.Nobody() -> true;
        };
    }

    private void copy(Instance asked, HttpResponse<InputStream> answer, HttpServletResponse response)
            throws IOException {
        response.setStatus(answer.statusCode());
        answer.headers().map().forEach((name, values) -> {
            if (!NOT_PASSED_ON.contains(name.toLowerCase(Locale.ROOT))) {
                values.forEach(value -> response.addHeader(name, value));
            }
        });
        answer.headers().firstValueAsLong(HttpHeaders.CONTENT_LENGTH).ifPresent(response::setContentLengthLong);
        try (var body = answer.body()) {
            if (answer.headers()
                    .firstValue(HttpHeaders.CONTENT_TYPE)
                    .filter(type -> type.startsWith(MediaType.TEXT_EVENT_STREAM_VALUE))
                    .isPresent()) {
                Thread.ofVirtual().start(() -> endWith(asked, body));
            }
            var out = response.getOutputStream();
            var bytes = new byte[8 << 10];
            for (int got = body.read(bytes); got >= 0; got = body.read(bytes)) {
                out.write(bytes, 0, got);
                // flush now, because the next bytes of an event stream may come much later
                if (body.available() == 0) {
                    out.flush();
                }
            }
        }
    }

    /**
     * Ends an event stream once the instance that sends it is no longer active, because that instance may be unable to end it. The client
     * can then reconnect and continue at the next active instance.
     */
    private void endWith(Instance asked, InputStream stream) {
        try {
            while (isActive(asked)) {
                Thread.sleep(CONNECTING);
                stream.available();
            }
            stream.close();
        } catch (IOException e) {
            // the stream has ended
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** A request whose body has been read already. */
    private static final class Read extends HttpServletRequestWrapper {
        private final byte[] body;

        Read(HttpServletRequest request, byte[] body) {
            super(request);
            this.body = body;
        }

        @Override
        public ServletInputStream getInputStream() {
            var bytes = new ByteArrayInputStream(body);
            return new ServletInputStream() {
                @Override
                public int read() {
                    return bytes.read();
                }

                @Override
                public int read(byte[] into, int from, int most) {
                    return bytes.read(into, from, most);
                }

                @Override
                public boolean isFinished() {
                    return bytes.available() == 0;
                }

                @Override
                public boolean isReady() {
                    return true;
                }

                @Override
                public void setReadListener(ReadListener listener) {
                    throw new IllegalStateException("The whole body is available; read it without a listener.");
                }
            };
        }
    }
}
