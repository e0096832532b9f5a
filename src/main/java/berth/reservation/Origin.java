package berth.reservation;

import java.util.Optional;

/**
 * Who asked for a reservation, and what they call it.
 *
 * @param owner name of the account
 * @param name the client's own label
 * @param project what the client files it under
 */
public record Origin(String owner, Optional<String> name, Optional<String> project) {}
