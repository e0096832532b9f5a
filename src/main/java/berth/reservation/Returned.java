package berth.reservation;

/**
 * The PE-time that the owner of a run returned while it went on.
 *
 * @param agreed the price and the PE-seconds of the returned time that is no longer among the parts of the run. Time that is returned by
 *     ending the run stays among them
 * @param credited what was taken off the price and the PE-seconds that are owed, for all returned time
 */
public record Returned(Quantity agreed, Quantity credited) {

    static Returned nothing(Quantity none) {
        return new Returned(none, none);
    }

    Returned and(Quantity moreAgreed, Quantity moreCredited) {
        return new Returned(agreed.plus(moreAgreed), credited.plus(moreCredited));
    }
}
