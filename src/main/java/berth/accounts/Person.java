package berth.accounts;

import berth.sla.AccountName;
import berth.sla.Excerpt;
import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A person as a token of the issuer describes it. The size of a request's head bounds the size of everything here.
 *
 * @param account the account that the token names, which need not exist
 * @param name the name for people; empty if the token has none
 * @param email the mail address, if the issuer has checked that it is the person's
 * @param groups the groups; none if the token has none
 * @param issuedAt when the issuer made the token
 */
public record Person(
        AccountName account, Optional<String> name, Optional<String> email, Set<String> groups, Instant issuedAt) {

    /** The most characters of a name; the rest is cut off. */
    static final int MAX_NAME = 100;

    /**
     * Returns the groups in a claim: a list of texts, or one text. Anything else in a claim is no group.
     *
     * @param path the name of the claim, or the names of objects and of a field in them, with dots between, such as
     *     {@code realm_access.roles}
     */
    static Set<String> groups(Map<String, Object> claims, String path) {
        return switch (found(claims, path)) {
            case String group -> Set.of(group);
            case Collection<?> groups ->
                groups.stream()
                        .filter(String.class::isInstance)
                        .map(String.class::cast)
                        .collect(Collectors.toUnmodifiableSet());
            case null, default -> Set.of();
        };
    }

    /** The names of some issuers' claims have dots themselves, so each object is first asked for the whole rest of the path. */
    private static @Nullable Object found(Map<?, ?> in, String path) {
        int dot = path.indexOf('.');
        if (in.containsKey(path) || dot < 0) {
            return in.get(path);
        }
        return in.get(path.substring(0, dot)) instanceof Map<?, ?> inner ? found(inner, path.substring(dot + 1)) : null;
    }

    /** Returns a person's name as others may see it, without characters that control how text is shown; empty if nothing is left. */
    static Optional<String> name(@Nullable Object claim) {
        if (!(claim instanceof String given)) {
            return Optional.empty();
        }
        var shown = new StringBuilder();
        given.codePoints().limit(10L * MAX_NAME).map(Person::shown).forEach(shown::appendCodePoint);
        var name = shown.toString().strip().replaceAll(" +", " ");
        return Optional.of(Excerpt.of(name, MAX_NAME).strip()).filter(text -> !text.isEmpty());
    }

    /** Returns the address in the standard claims; empty unless {@code email_verified} is true. Some issuers write that as a text. */
    static Optional<String> email(Map<String, Object> claims) {
        return "true".equals(String.valueOf(claims.get("email_verified")))
                        && claims.get("email") instanceof String email
                ? Optional.of(email)
                : Optional.empty();
    }

    private static int shown(int character) {
        return switch (Character.getType(character)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.PRIVATE_USE,
                    Character.UNASSIGNED,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.SPACE_SEPARATOR -> ' ';
            default -> character;
        };
    }
}
