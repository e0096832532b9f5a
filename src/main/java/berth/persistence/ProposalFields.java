package berth.persistence;

import static berth.persistence.Seconds.instant;

import berth.reservation.Proposal;
import berth.sla.AccountName;
import berth.sla.Money;
import jakarta.persistence.Embeddable;
import jakarta.persistence.Embedded;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.Currency;
import org.jspecify.annotations.NullUnmarked;

/** A proposal; null as a whole where there is none. */
@Embeddable
@NullUnmarked
class ProposalFields {

    Integer number;

    @Embedded
    TermsFields terms;

    BigDecimal incentive;
    String by;
    Instant at;
    Instant expiresAt;

    static ProposalFields of(Proposal proposal) {
        var fields = new ProposalFields();
        fields.number = proposal.number();
        fields.terms = TermsFields.of(proposal.terms());
        fields.incentive = proposal.incentive().amount();
        fields.by = proposal.by().value();
        fields.at = instant(proposal.at());
        fields.expiresAt = instant(proposal.expiresAt());
        return fields;
    }

    /** @param currency of the reservation */
    Proposal toProposal(Currency currency) {
        return new Proposal(
                number,
                terms.toTerms(currency),
                new Money(incentive, currency),
                new AccountName(by),
                at.getEpochSecond(),
                expiresAt.getEpochSecond());
    }
}
