package berth.budget;

import berth.reservation.Quantity;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Currency;
import java.util.List;

/**
 * An entry that an event of a reservation adds to the ledger.
 *
 * @param amount the amount, negative only for an adjustment
 * @param peSeconds the PE-seconds, negative only for an adjustment
 */
public record Posting(EntryKind kind, BigDecimal amount, Currency currency, long peSeconds) {

    /** Returns the entry for a credit that lowers a final charge, because returned time was booked again. */
    public static Posting of(Quantity returned) {
        return of(EntryKind.RETURN, returned);
    }

    private static Posting of(EntryKind kind, Quantity quantity) {
        return new Posting(kind, quantity.money().amount(), quantity.money().currency(), quantity.peSeconds());
    }

    /**
     * Returns the entries that lead from the held amount to the new dues; empty if nothing changes.
     *
     * @param held what was held for the reservation before
     * @param after what the reservation takes from now on
     */
    public static List<Posting> of(Quantity held, Dues after) {
        var postings = new ArrayList<Posting>();
        var next = after.held();
        boolean isOneCurrency = held.money().currency().equals(next.money().currency());
        if (!held.isNothing() && !next.isNothing() && isOneCurrency) {
            if (!held.equals(next)) {
                postings.add(new Posting(
                        EntryKind.ADJUST,
                        next.money().amount().subtract(held.money().amount()),
                        next.money().currency(),
                        next.peSeconds() - held.peSeconds()));
            }
        } else {
            add(EntryKind.RELEASE, held, postings);
            add(EntryKind.HOLD, next, postings);
        }
        add(EntryKind.CHARGE, after.charged(), postings);
        add(EntryKind.CREDIT, after.credited(), postings);
        return postings;
    }

    private static void add(EntryKind kind, Quantity quantity, List<Posting> postings) {
        if (!quantity.isNothing()) {
            postings.add(of(kind, quantity));
        }
    }
}
