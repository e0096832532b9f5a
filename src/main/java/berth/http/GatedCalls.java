package berth.http;

import berth.runtime.Gate;
import berth.sla.AccountName;
import jakarta.servlet.ServletException;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;
import org.springframework.security.core.context.SecurityContextHolder;

/**
 * Carries out the calls whose work depends on how much there is to read or to search, or on how long a list was sent. Each is carried out
 * at a gate, in the turn of its caller, from the first read to the last byte of the response, which is sent afterwards. A list that was sent
 * has its turn once all of it has arrived. All callers without a token take turns as one.
 */
public final class GatedCalls implements AutoCloseable {

    /** Readings of whatever there is in a time range, which may take long. */
    private static final Pattern REPORTS = Pattern.compile(
            ".*(/utilisation|/schedule|/statistics|/refusals/summary|/charges|/reports/[^/]+|\\.csv|\\.ics)");

    /** Single reservations, for which Berth may have to wait for another Berth, and the health, which waits for nothing. */
    private static final Pattern UNGATED = Pattern.compile("/api/v1/(reservations|coallocations)/[^/]+/?|/health");

    /** Calls that search the schedules of this Berth and change nothing. */
    private static final Pattern SEARCHES =
            Pattern.compile("/api/v1/(probes/map|clusters/[^/]+/room|clusters/[^/]+/outages/slots)");

    private final Gate readings;
    private final Gate reports;
    private final Supplier<Gate> searches;

    public GatedCalls(Gate readings, Gate reports, Supplier<Gate> searches) {
        this.readings = readings;
        this.reports = reports;
        this.searches = searches;
    }

    /** The work of a call. */
    public interface Work {
        void carryOut() throws ServletException, IOException;
    }

    /**
     * Carries out a call, in the turn of its caller if it is of such a kind.
     *
     * @param caller the name of the calling account; empty for a call without a token
     * @throws Gate.Overloaded if the turn does not come in time
     * @throws BufferedBody.NotRead if the call may send a long list and its body cannot be read
     */
    void carryOut(String caller, BufferedBody.Request request, Work work) throws ServletException, IOException {
        var gate = request.isLongList() ? Optional.of(reports) : gate(request.getMethod(), request.getRequestURI());
        if (gate.isEmpty()) {
            work.carryOut();
        } else {
            attend(gate.get(), caller, work);
        }
    }

    /** Rejects a call without a valid token, in the turn that all of these share. */
    public void turnAway(Work work) throws ServletException, IOException {
        attend(readings, "", work);
    }

    private Optional<Gate> gate(String method, String path) {
        if (!method.equals("GET") && !method.equals("HEAD")) {
            return method.equals("POST") && SEARCHES.matcher(path).matches()
                    ? Optional.of(searches.get())
                    : Optional.empty();
        }
        if (UNGATED.matcher(path).matches()) {
            return Optional.empty();
        }
        return Optional.of(REPORTS.matcher(path).matches() ? reports : readings);
    }

    private static void attend(Gate gate, String caller, Work work) throws ServletException, IOException {
        var security = SecurityContextHolder.getContext();
        var logged = MDC.getCopyOfContextMap();
        try {
            gate.attend(caller.isEmpty() ? "" : new AccountName(caller), () -> {
                SecurityContextHolder.setContext(security);
                logAs(logged);
                try {
                    work.carryOut();
                } finally {
                    MDC.clear();
                    SecurityContextHolder.clearContext();
                }
                return true;
            });
        } catch (ServletException | IOException | RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new ServletException(e);
        }
    }

    private static void logAs(@Nullable Map<String, String> logged) {
        if (logged != null) {
            MDC.setContextMap(logged);
        }
    }

    @Override
    public void close() {
        readings.close();
        reports.close();
    }
}
