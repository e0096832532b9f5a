package berth.scheduling;

import static berth.scheduling.Request.id;
import static berth.scheduling.Request.target;
import static berth.scheduling.Request.usd;
import static org.assertj.core.api.Assertions.assertThat;

import berth.reservation.Proposal;
import berth.reservation.Reservation;
import berth.reservation.ReservationState;
import berth.scheduling.Event.ReservationEvent;
import berth.scheduling.commands.AcceptProposal;
import berth.scheduling.commands.DeclineProposal;
import berth.scheduling.commands.Propose;
import berth.sla.AccountName;
import berth.sla.Money;
import berth.sla.RequestedTerms;
import berth.sla.Violation;
import berth.time.Slot;
import berth.time.Window;
import java.math.BigDecimal;
import java.util.Currency;
import java.util.List;
import org.junit.jupiter.api.Test;

class ProposalTest {

    private static final AccountName ROOT = new AccountName("root");

    private final LiveCluster cluster = LiveCluster.of(8);
    private final Request request = Request.of(1, 8, 10).ready(50).deadline(60);
    private final Reservation agreed = cluster.grant(request);

    @Test
    void waitsForTheOwnerAndChangesNothingElse() {
        var offered = cluster.at(5).happens(propose(request.deadline(90), "0.20", 40));

        var after = cluster.find(agreed.id());
        assertThat(offered).containsExactly(new ReservationEvent(Event.Type.PROPOSED, after, 5));
        var proposal = after.proposal().orElseThrow();
        assertThat(proposal.number()).isEqualTo(after.status().version()).isEqualTo(1);
        assertThat(proposal.terms().window().deadline()).isEqualTo(90);
        assertThat(proposal)
                .returns(usd("0.20"), Proposal::incentive)
                .returns(ROOT, Proposal::by)
                .returns(5L, Proposal::at)
                .returns(40L, Proposal::expiresAt);
        assertThat(after.terms()).isEqualTo(agreed.terms());
        assertThat(after.price()).isEqualTo(agreed.price());
        assertThat(after.placement()).isEqualTo(agreed.placement());
    }

    @Test
    void isAcceptedAtThePriceLessTheIncentive() {
        cluster.grant(propose(request.deadline(90), "0.20", 40));

        var events = cluster.at(39).happens(accept(1));

        var after = cluster.find(agreed.id());
        assertThat(events).containsExactly(new ReservationEvent(Event.Type.ACCEPTED, after, 39));
        assertThat(after.terms().window().deadline()).isEqualTo(90);
        assertThat(after.slot()).isEqualTo(new Slot(50, 60));
        assertThat(agreed.price()).isEqualTo(usd("0.80"));
        assertThat(after.price()).isEqualTo(usd("0.60"));
        assertThat(after.proposal()).isEmpty();
        assertThat(cluster.refuse(accept(1))).isEqualTo(new Rejection.ProposalOver(1));
    }

    @Test
    void costsNoSurchargeAlthoughItIsTighter() {
        var loose = LiveCluster.of(8);
        var before = loose.grant(Request.of(1, 8, 10).ready(50).deadline(90));
        loose.grant(new Propose(target(1), request.terms(), usd("0.00"), ROOT, 40));

        assertThat(loose.grant(accept(1)).price()).isEqualTo(before.price());
        assertThat(LiveCluster.of(8)
                        .grant(Request.of(1, 8, 10).ready(50).deadline(90))
                        .price())
                .isEqualTo(before.price());
    }

    @Test
    void isAcceptedEvenIfItChangesNothingButThePrice() {
        cluster.grant(propose(request, "0.80", 40));

        assertThat(cluster.grant(accept(1)).price()).isEqualTo(usd("0.00"));
    }

    @Test
    void changesNothingIfThereIsNoRoom() {
        cluster.grant(Request.of(2, 8, 100).ready(100));
        cluster.grant(propose(request.ready(100).deadline(110), "0.20", 40));
        var before = cluster.schedule();

        assertThat(cluster.refuse(accept(1))).isEqualTo(new Rejection.NoSlot());
        assertThat(cluster.schedule()).isEqualTo(before);
    }

    @Test
    void isStillAcceptedWhenTheReadyTimeThatItNamesHasPassed() {
        var cluster = LiveCluster.of(8);
        cluster.grant(Request.of(1, 8, 10).ready(500).deadline(600));
        cluster.grant(new Propose(
                target(1), Request.like(cluster.find(id(1))).ready(20).terms(), usd("0.00"), ROOT, 400));

        var after = cluster.at(300).grant(accept(1));

        assertThat(after.terms().window()).isEqualTo(new Window(300, 600));
    }

    @Test
    void isDeclined() {
        cluster.grant(propose(request.deadline(90), "0.20", 40));

        var after = cluster.at(7).grant(new DeclineProposal(target(1), 1));

        assertThat(after.proposal()).isEmpty();
        assertThat(after.terms()).isEqualTo(agreed.terms());
        assertThat(after.status().version()).isEqualTo(2);
        assertThat(cluster.refuse(new DeclineProposal(target(1), 1))).isEqualTo(new Rejection.ProposalOver(1));
    }

    @Test
    void canBeAnsweredUntilItExpires() {
        cluster.grant(propose(request.deadline(90), "0.20", 40));

        assertThat(cluster.refuse(accept(2))).isEqualTo(new Rejection.ProposalOver(2));
        assertThat(cluster.at(40).refuse(accept(1))).isEqualTo(new Rejection.ProposalOver(1));
        assertThat(cluster.refuse(new DeclineProposal(target(1), 1))).isEqualTo(new Rejection.ProposalOver(1));
    }

    @Test
    void isMadeAgainOnlyWhenTheLastOneIsAnsweredOrHasExpired() {
        cluster.grant(propose(request.deadline(90), "0.20", 40));

        assertThat(cluster.refuse(propose(request.deadline(95), "0.20", 45)))
                .isEqualTo(new Rejection.ProposalOpen(1, 40));
        assertThat(cluster.at(40)
                        .grant(propose(request.deadline(95), "0.20", 45))
                        .proposal()
                        .orElseThrow()
                        .number())
                .isEqualTo(2);
    }

    @Test
    void isWithdrawnWhenOtherTermsAreAgreedOrTheRunBegins() {
        cluster.grant(propose(request.deadline(90), "0.20", 45));
        cluster.grant(request.deadline(80).renegotiate());
        assertThat(cluster.refuse(accept(1))).isEqualTo(new Rejection.ProposalOver(1));

        cluster.at(45).grant(propose(request.deadline(90), "0.20", 55));
        cluster.at(50).advance();
        assertThat(cluster.find(agreed.id()).proposal()).isEmpty();
        assertThat(cluster.refuse(accept(3))).isEqualTo(new Rejection.WrongState(ReservationState.RUNNING));
    }

    @Test
    void cannotBeMadeOnceTheRunHasBegunOrEnded() {
        cluster.at(50).advance();
        assertThat(cluster.refuse(propose(request.deadline(90), "0.20", 55)))
                .isEqualTo(new Rejection.WrongState(ReservationState.RUNNING));
        cluster.at(60).advance();
        assertThat(cluster.refuse(propose(request.deadline(90), "0.20", 65)))
                .isEqualTo(new Rejection.NotLive(agreed.id()));
    }

    @Test
    void namesTheWrongField() {
        cluster.at(30);
        assertThat(cluster.refusedField(propose(request, "0.20", 30))).isEqualTo("expiresAt");
        assertThat(cluster.refusedField(propose(request, "0.81", 40))).isEqualTo("incentive");
        assertThat(cluster.refusedField(propose(request.deadline(40), "0.20", 40)))
                .isEqualTo("deadline");
        var euros = new Money(BigDecimal.ONE, Currency.getInstance("EUR"));
        assertThat(cluster.refuse(new Propose(target(1), request.terms(), euros, ROOT, 40)))
                .isEqualTo(new Rejection.InvalidTerms(
                        List.of(new Violation("incentive", "must be in the cluster's currency, USD"))));
        assertThat(cluster.refuse(propose(request.pes(9), "0.20", 40))).isInstanceOf(Rejection.NeverFits.class);
    }

    private static Propose propose(Request offered, String incentive, long expiresAt) {
        RequestedTerms terms = offered.terms();
        return new Propose(target(1), terms, usd(incentive), ROOT, expiresAt);
    }

    private static AcceptProposal accept(int number) {
        return new AcceptProposal(target(1), number);
    }
}
