package berth.engine;

import berth.sla.AccountName;

/**
 * An idempotency key with which a client marks repetitions of a request.
 *
 * @param account the account that uses the key
 * @param key the value of {@code Idempotency-Key}
 * @param fingerprint identifies the content of the request
 */
public record KeyUse(AccountName account, String key, String fingerprint) {}
