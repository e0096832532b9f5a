package berth.budget;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Currency;
import java.util.List;

/**
 * What an event of a reservation writes into the ledger.
 *
 * @param amount less than 0 only for an adjustment
 * @param peSeconds likewise
 */
public record Posting(Kind kind, BigDecimal amount, Currency currency, long peSeconds) {

    /** What an entry of the ledger does to a budget. */
    public enum Kind {
        /** The price is held: something was granted. */
        HOLD,
        /** More is held, or less: other terms, another place. */
        ADJUST,
        /** What was held is no more: the reservation has ended. */
        RELEASE,
        /** What is owed is taken for good. */
        CHARGE,
        /** The provider owes for a breach. */
        CREDIT,
        /** There is more to spend. */
        GRANT,
        /** What was left of a grant at its end is lost. */
        EXPIRE
    }

    private static Posting of(Kind kind, Quantity quantity) {
        return new Posting(kind, quantity.money().amount(), quantity.money().currency(), quantity.peSeconds());
    }

    /**
     * What takes a reservation from what it took to what it takes; nothing where that is the same.
     *
     * @param held what was held for it until now
     * @param after what it takes from now on
     */
    public static List<Posting> of(Quantity held, Dues after) {
        var postings = new ArrayList<Posting>();
        var next = after.held();
        boolean isOneCurrency = held.money().currency().equals(next.money().currency());
        if (!held.isNothing() && !next.isNothing() && isOneCurrency) {
            if (!held.equals(next)) {
                postings.add(new Posting(
                        Kind.ADJUST,
                        next.money().amount().subtract(held.money().amount()),
                        next.money().currency(),
                        next.peSeconds() - held.peSeconds()));
            }
        } else {
            add(Kind.RELEASE, held, postings);
            add(Kind.HOLD, next, postings);
        }
        add(Kind.CHARGE, after.charged(), postings);
        add(Kind.CREDIT, after.credited(), postings);
        return postings;
    }

    private static void add(Kind kind, Quantity quantity, List<Posting> postings) {
        if (!quantity.isNothing()) {
            postings.add(of(kind, quantity));
        }
    }
}
