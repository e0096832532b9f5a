package berth.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import berth.client.ApiClient;
import berth.client.ApiException;
import berth.client.api.EventsApi;
import berth.client.api.ProbesApi;
import berth.client.api.RenegotiationsApi;
import berth.client.api.ReservationsApi;
import berth.client.model.Action;
import berth.client.model.Probe;
import berth.client.model.Problem;
import berth.client.model.Renegotiate;
import berth.client.model.ReservationState;
import berth.client.model.Reserve;
import berth.client.model.Terms;
import berth.client.model.TermsPatch;
import com.fasterxml.jackson.core.JsonProcessingException;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests the service with a client generated from the OpenAPI document in the repository. */
class GeneratedClientIT extends ServiceSuite {

    private final ApiClient client = new ApiClient();

    @BeforeEach
    void authorize() {
        var token = tokenOf(newName(), "CLIENT");
        client.updateBaseUri("http://localhost:" + port);
        client.setRequestInterceptor(request -> request.header("Authorization", "Bearer " + token));
    }

    private static Terms terms() {
        return new Terms()
                .duration("PT2H")
                .pes(6)
                .readyTime(OffsetDateTime.parse(at(48)))
                .deadline(OffsetDateTime.parse(at(60)));
    }

    @Test
    void probesAndReserves() throws ApiException {
        var cluster = newCluster(8);
        var reservations = new ReservationsApi(client);

        var slots = new ProbesApi(client).probe(new Probe().terms(terms()).clusters(List.of(cluster)));
        var reserved = reservations.reserve(new Reserve().terms(terms()).cluster(cluster), newName(), null);

        assertThat(slots.getSlots()).isNotEmpty();
        var id = Objects.requireNonNull(reserved.getId());
        assertThat(reserved.getState()).isEqualTo(ReservationState.CONFIRMED);
        assertThat(Objects.requireNonNull(reserved.getPlacement()).getStart())
                .isEqualTo(slots.getSlots().getFirst().getStart());
        assertThat(reserved.getPrice()).isEqualTo(slots.getSlots().getFirst().getPrice());
        assertThat(reservations.readReservation(id)).isEqualTo(reserved);
        assertThat(reservations
                        .listReservations(cluster, ReservationState.CONFIRMED, null, null, null, null, null, null, null)
                        .getItems())
                .containsExactly(reserved);
        var tried = reservations.cancelReservation(id, "\"0\"", null, new Action().dryRun(true));
        assertThat(tried.getBefore()).isEqualTo(reserved);
        assertThat(Objects.requireNonNull(tried.getAfter()).getState()).isEqualTo(ReservationState.CANCELLED);
        assertThat(reservations.cancelReservation(id, "\"0\"", null, null).getState())
                .isEqualTo(ReservationState.CANCELLED);
    }

    @Test
    void sendsAPatch() throws ApiException {
        var reserved =
                new ReservationsApi(client).reserve(new Reserve().terms(terms()).cluster(newCluster(8)), null, null);

        var agreed = new RenegotiationsApi(client)
                .renegotiate(
                        Objects.requireNonNull(reserved.getId()),
                        new Renegotiate().terms(new TermsPatch().pes(4)),
                        null,
                        null);

        var terms = Objects.requireNonNull(agreed.getReservation()).getTerms();
        assertThat(terms.getPes()).isEqualTo(4);
        assertThat(terms.getDuration()).isEqualTo("PT2H");
    }

    @Test
    void readsAProblem() throws Exception {
        var reserve = new Reserve().terms(terms().pes(9)).cluster(newCluster(8));

        assertThatThrownBy(() -> new ReservationsApi(client).reserve(reserve, null, null))
                .isInstanceOfSatisfying(
                        ApiException.class,
                        e -> assertThat(problem(e).getErrors())
                                .singleElement()
                                .satisfies(error -> assertThat(error.getField()).isEqualTo("terms.pes")));
    }

    private Problem problem(ApiException e) {
        assertThat(e.getCode()).isEqualTo(422);
        try {
            return client.getObjectMapper().readValue(e.getResponseBody(), Problem.class);
        } catch (JsonProcessingException unreadable) {
            throw new AssertionError(e.getResponseBody(), unreadable);
        }
    }

    @Test
    void readsEventsOfAllKinds() throws Exception {
        var cluster = newCluster(8);
        admin.patch("/api/v1/clusters/" + cluster, """
                {"pes":6}""");
        client.setRequestInterceptor(request -> request.header("Authorization", "Bearer " + ADMIN_TOKEN));

        var events = new EventsApi(client).listEvents(null, null, 500, null, null);

        assertThat(events.getItems()).isNotEmpty();
    }
}
