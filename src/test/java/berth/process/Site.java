package berth.process;

import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;

import berth.process.Traffic.Party;
import berth.proof.Checker;
import berth.proof.History;
import berth.proof.Verdict;
import berth.reservation.ClusterId;
import berth.sla.AccountName;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** A Berth with three clusters and two clients. Processes come and go, while requests and answers stay. */
final class Site {

    static final int PES = 64;

    /** A cluster that also runs batch jobs. */
    static final ClusterId QUEUED = new ClusterId("queued");

    private static final ClusterId EARLY = new ClusterId("early");

    /** A cluster that collects requests. */
    static final ClusterId COLLECTING = new ClusterId("collecting");

    private final Installation installation;
    private final History history = new History();
    private final Party admin;
    private final List<Party> parties;
    private final Traffic traffic;
    private JavaProcess service;
    private String url;

    /** Starts a service for the first time and creates clusters and accounts. */
    Site(Installation installation) throws Exception {
        this.installation = installation;
        service = installation.start();
        url = installation.url();
        var api = installation.api();
        create(api, QUEUED, "\"policy\":{\"claimWithin\":\"PT5S\"}");
        create(api, EARLY, "\"binding\":\"EARLY\"");
        create(api, COLLECTING, "\"intake\":{\"order\":\"DPSAR\",\"window\":\"PT2S\"}");
        admin = new Party(new AccountName("admin"), installation.token());
        parties = List.of(account(api, "alice"), account(api, "bob"));
        traffic = new Traffic(history, url, admin, parties, List.of(QUEUED, EARLY, COLLECTING));
    }

    private static void create(Api api, ClusterId id, String rules) throws IOException {
        var answer = api.post("/clusters", "{\"id\":\"%s\",\"pes\":%d,%s}".formatted(id.value(), PES, rules));
        assertThat(answer.status()).as(answer.toString()).isEqualTo(201);
    }

    private static Party account(Api api, String name) throws IOException {
        var answer = api.post("/accounts", "{\"name\":\"%s\",\"role\":\"CLIENT\"}".formatted(name));
        assertThat(answer.status()).as(answer.toString()).isEqualTo(201);
        return new Party(new AccountName(name), answer.body().path("token").asString());
    }

    Installation installation() {
        return installation;
    }

    Traffic traffic() {
        return traffic;
    }

    JavaProcess service() {
        return service;
    }

    String url() {
        return url;
    }

    Api administrator() {
        return new Api(url, admin.token());
    }

    /** Returns a token of a client. */
    String token() {
        return parties.getFirst().token();
    }

    /** Notes that another service has taken over. */
    void movedTo(JavaProcess successor, String there) {
        service = successor;
        url = there;
        traffic.go(there);
    }

    /** Starts a service on what the previous one has left. */
    void startAgain() throws Exception {
        service = installation.start();
    }

    /** Waits until a request that was made after the fault is granted; returns how long that took, or empty. */
    Optional<Duration> servesAgain(Duration most) throws InterruptedException {
        long end = System.nanoTime() + most.toNanos();
        while (traffic.servedAgainAfter().isEmpty() && System.nanoTime() < end) {
            Thread.sleep(5);
        }
        return traffic.servedAgainAfter();
    }

    /** Repeats all requests without a known result, reads everything, and compares. */
    Verdict check() throws Exception {
        traffic.go(url);
        traffic.settle();
        traffic.repeat(50);
        var accounts = parties.stream().collect(toMap(Party::name, party -> new Api(url, party.token())));
        var pes = Stream.of(QUEUED, EARLY, COLLECTING).collect(toMap(id -> id, _ -> PES));
        return Checker.check(history, Wire.read(new Api(url, admin.token()), accounts, Map.copyOf(pes)));
    }
}
