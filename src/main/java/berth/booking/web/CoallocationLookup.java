package berth.booking.web;

import berth.accounts.Access;
import berth.accounts.Account;
import berth.booking.Coallocation;
import berth.booking.Coallocations;
import berth.booking.ReservationOrRequest;
import berth.http.Problem;
import berth.http.Texts;
import java.util.List;
import org.springframework.stereotype.Component;

/** Finds the co-allocation that a call names, if the account may see it. */
@Component
class CoallocationLookup {

    private final Coallocations coallocations;
    private final ReservationLookup reservations;
    private final Rights rights;

    CoallocationLookup(Coallocations coallocations, ReservationLookup reservations, Rights rights) {
        this.coallocations = coallocations;
        this.reservations = reservations;
        this.rights = rights;
    }

    /**
     * Returns a co-allocation that the account may at least read.
     *
     * @throws Problem if there is no co-allocation with this id, or if the account may not see it
     */
    Coallocation find(String id, Account account) {
        var value = Texts.uuid(id).orElseThrow(() -> Problem.noId("co-allocation", "id", id));
        return coallocations
                .find(value)
                .filter(found -> access(found, account) != Access.NONE)
                .orElseThrow(() -> Problem.notFound("co-allocation", id));
    }

    /**
     * Returns a co-allocation that the account may change.
     *
     * @throws Problem as {@link #find}, and if the account may only read it
     */
    Coallocation changed(String id, Account account) {
        var found = find(id, account);
        Rights.requireActs(access(found, account));
        return found;
    }

    private Access access(Coallocation coallocation, Account account) {
        return rights.access(account, coallocation.owner(), coallocation.project());
    }

    /** Returns the parts of a co-allocation as they are now. */
    List<ReservationOrRequest> parts(Coallocation coallocation, Account account) {
        return coallocation.parts().stream()
                .map(part -> reservations.find(part.reservation().toString(), account))
                .toList();
    }
}
