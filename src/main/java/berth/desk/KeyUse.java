package berth.desk;

import berth.sla.AccountName;

/**
 * A client's word that a request is the same one however often it comes.
 *
 * @param account whose key it is
 * @param key the value of {@code Idempotency-Key}
 * @param fingerprint of what was asked: the same for the same request
 */
public record KeyUse(AccountName account, String key, String fingerprint) {}
