package berth.mail;

import berth.sla.AccountName;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Where an account gets mail, and of what.
 *
 * @param isProved whether the address is the account's: an administrator set it, or its owner followed the link that was sent there. Without
 *     that, Berth sends only the link there
 * @param version the number of changes; 0 if the account has chosen nothing yet
 */
public record Mailbox(AccountName account, Wish wish, boolean isProved, int version) {

    /** The longest address, in characters: the longest path of RFC 5321 without its brackets. */
    public static final int MAX_ADDRESS = 254;

    /** The addresses that a form of a browser accepts, except that the domain has a dot. Nothing in them ends a header or begins another address. */
    private static final Pattern ADDRESS = Pattern.compile("[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@"
            + "[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?(?:\\.[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?)+");

    /** How long ahead starts and ends are announced unless the account chooses another lead, in seconds. */
    public static final long STANDARD_LEAD = 3600;

    /**
     * What an account chooses.
     *
     * @param address the address; empty for no mail
     * @param kinds the kinds of news
     * @param lead how long ahead starts and ends are announced, in seconds
     * @param dailyAt the hour at which the news of a day comes in one mail, 0 to 23; empty for mail at once
     * @param zone the time zone of that hour, and of times in mail
     */
    public record Wish(Optional<String> address, Set<MailKind> kinds, long lead, OptionalInt dailyAt, ZoneId zone) {
        public Wish {
            kinds = kinds.isEmpty() ? Set.of() : Collections.unmodifiableSet(EnumSet.copyOf(kinds));
        }

        Wish withAddress(String other) {
            return new Wish(Optional.of(other), kinds, lead, dailyAt, zone);
        }

        private Wish without(MailKind kind) {
            var rest = EnumSet.noneOf(MailKind.class);
            rest.addAll(kinds);
            rest.remove(kind);
            return new Wish(address, rest, lead, dailyAt, zone);
        }
    }

    /** Returns the mailbox of an account that has chosen nothing yet. */
    static Mailbox none(AccountName account) {
        var wish = new Wish(Optional.empty(), MailKind.STANDARD, STANDARD_LEAD, OptionalInt.empty(), ZoneOffset.UTC);
        return new Mailbox(account, wish, false, 0);
    }

    /** Whether a text is a mail address that Berth can use. */
    public static boolean isAddress(String text) {
        return text.length() <= MAX_ADDRESS && ADDRESS.matcher(text).matches();
    }

    /** Returns the address to which news is sent; empty if there is none that is proved. */
    Optional<String> proved() {
        return wish.address().filter(_ -> isProved);
    }

    boolean gets(MailKind kind) {
        return isProved && wish.kinds().contains(kind);
    }

    /** Returns when news of a kind that happens at {@code now} is sent. Starts and ends do not wait for the mail of the day. */
    Instant due(MailKind kind, Instant now) {
        if (wish.dailyAt().isEmpty() || kind == MailKind.STARTS_SOON || kind == MailKind.ENDS_SOON) {
            return now;
        }
        var day = now.atZone(wish.zone()).toLocalDate();
        var today = daily(day);
        return today.isAfter(now) ? today : daily(day.plusDays(1));
    }

    /** Returns when the mail of a day is due; if summer time skips that hour, an hour later. */
    private Instant daily(LocalDate day) {
        return day.atTime(wish.dailyAt().orElseThrow(), 0).atZone(wish.zone()).toInstant();
    }

    Mailbox become(Wish other, boolean proved) {
        return new Mailbox(account, other, proved && other.address().isPresent(), version + 1);
    }

    Mailbox without(MailKind kind) {
        return become(wish.without(kind), isProved);
    }
}
