package berth.scheduling;

import berth.reservation.Lead;
import berth.sla.AccountName;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * How long ahead the starts and ends of reservations are announced. Leads are not recorded: they determine future announcements, whereas
 * past announcements are part of the reservations. Immutable.
 *
 * @param ofAll the leads for all reservations, without duplicates
 * @param ofOwners the additional leads for the reservations of each account
 */
public record Leads(List<Lead> ofAll, Map<AccountName, List<Lead>> ofOwners) {

    /** No announcements. */
    public static final Leads NONE = new Leads(List.of(), Map.of());

    public Leads {
        ofAll = List.copyOf(ofAll);
        ofOwners = Map.copyOf(ofOwners);
    }

    /**
     * The requested leads, in seconds.
     *
     * @param ofAll for all reservations
     * @param ofOwners for the reservations of each account
     */
    public record Requests(Set<Long> ofAll, Map<AccountName, Set<Long>> ofOwners) {

        /** No requested leads. */
        public static final Requests NOTHING = new Requests(Set.of(), Map.of());

        public Requests {
            ofAll = Set.copyOf(ofAll);
            ofOwners = Map.copyOf(ofOwners);
        }
    }

    /** Returns the leads for the reservations of an account. */
    public Collection<Lead> of(AccountName owner) {
        var own = ofOwners.getOrDefault(owner, List.of());
        if (own.isEmpty()) {
            return ofAll;
        }
        if (ofAll.isEmpty()) {
            return own;
        }
        var both = new HashMap<Long, Lead>();
        ofAll.forEach(lead -> both.put(lead.seconds(), lead));
        own.forEach(
                lead -> both.merge(lead.seconds(), lead, (one, other) -> one.since() <= other.since() ? one : other));
        return sorted(both.values());
    }

    /** Returns the leads after a change of the requested ones. New leads count from {@code now}; the others keep their time. */
    public Leads asking(Requests asked, long now) {
        var owners = new HashMap<AccountName, List<Lead>>();
        asked.ofOwners()
                .forEach((owner, seconds) ->
                        owners.put(owner, leads(ofOwners.getOrDefault(owner, List.of()), seconds, now)));
        return new Leads(leads(ofAll, asked.ofAll(), now), owners);
    }

    private static List<Lead> leads(List<Lead> before, Set<Long> seconds, long now) {
        var leads = new ArrayList<Lead>();
        for (long each : seconds) {
            leads.add(before.stream()
                    .filter(lead -> lead.seconds() == each)
                    .findFirst()
                    .orElse(new Lead(each, now)));
        }
        return sorted(leads);
    }

    private static List<Lead> sorted(Collection<Lead> leads) {
        return leads.stream().sorted(Comparator.comparingLong(Lead::seconds)).toList();
    }
}
