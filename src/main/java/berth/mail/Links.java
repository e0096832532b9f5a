package berth.mail;

import berth.database.Seal;
import berth.reservation.ReservationId;
import berth.sla.AccountName;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.Optional;

/**
 * The links in mail. Two kinds of them contain a sealed token, which stands for one change of one mailbox and opens nothing else. Both lead
 * to the page, whose button makes the change, because programs that look through mail open every link.
 */
final class Links {

    /** How long an address can be proved by the link that was sent there. */
    static final Duration LIFETIME = Duration.ofHours(24);

    private static final String PROOF = "proof";
    private static final String OFF = "off";

    private final Seal seal;
    private final String service;
    private final InstantSource clock;

    /**
     * @param seal the service's seal; these tokens have a key that is derived from its key
     * @param service the URL at which people reach the service
     */
    Links(Seal seal, String service, InstantSource clock) {
        this.seal = seal.derived("mail");
        this.service = service.strip().replaceFirst("/+$", "");
        this.clock = clock;
    }

    /** Returns the name of the host at which people reach the service. */
    String host() {
        return URI.create(service).getHost();
    }

    String service() {
        return service;
    }

    String reservation(ReservationId id) {
        return "%s/#/reservation?id=%s".formatted(service, id);
    }

    String project(String id) {
        return "%s/#/projects?id=%s".formatted(service, id);
    }

    String settings() {
        return service + "/#/mail";
    }

    /** Returns the link that proves that mail to an address reaches an account. */
    String proof(AccountName account, String address) {
        long end = clock.instant().plus(LIFETIME).getEpochSecond();
        return "%s/#/mail?proof=%s".formatted(service, token("%s %d %s %s".formatted(PROOF, end, account, address)));
    }

    /** The content of the token in a link that proves an address. */
    record Proof(AccountName account, String address) {}

    /** Returns what a token proves; empty if it is none, or too old. */
    Optional<Proof> proof(String token) {
        return open(token, PROOF, 4)
                .filter(parts -> clock.instant().isBefore(Instant.ofEpochSecond(Long.parseLong(parts[1]))))
                .map(parts -> new Proof(new AccountName(parts[2]), parts[3]));
    }

    /** Returns the token that switches one kind of mail of an account off. It stays valid, because mail may be read years later. */
    private String offToken(AccountName account, MailKind kind) {
        return token("%s %s %s".formatted(OFF, account, kind));
    }

    /** Returns the link to the page that switches a kind off. */
    String off(AccountName account, MailKind kind) {
        return "%s/#/mail?off=%s".formatted(service, offToken(account, kind));
    }

    /** Returns the page to which a token leads that switches a kind off; empty if it is none. */
    Optional<URI> offPage(String token) {
        return off(token).map(_ -> URI.create("%s/#/mail?off=%s".formatted(service, token)));
    }

    /** Returns the URL to which a mail program sends the wish to switch a kind off (RFC 8058). */
    String offByOneClick(AccountName account, MailKind kind) {
        return "%s/api/v1/mail/off/%s".formatted(service, offToken(account, kind));
    }

    /** The content of the token in a link that switches a kind off. */
    record Off(AccountName account, MailKind kind) {}

    /** Returns what a token switches off; empty if it is none. */
    Optional<Off> off(String token) {
        return open(token, OFF, 3).map(parts -> new Off(new AccountName(parts[1]), MailKind.valueOf(parts[2])));
    }

    private String token(String content) {
        return Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString(seal.seal(content).getBytes(StandardCharsets.UTF_8));
    }

    private Optional<String[]> open(String token, String purpose, int parts) {
        try {
            var sealed = new String(Base64.getUrlDecoder().decode(token), StandardCharsets.UTF_8);
            return seal.open(sealed)
                    .map(content -> content.split(" ", -1))
                    .filter(content -> content.length == parts && content[0].equals(purpose));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
