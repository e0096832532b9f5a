package berth.mail;

import static org.assertj.core.api.Assertions.assertThat;

import berth.sla.AccountName;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MailboxTest {

    private static final Mailbox NONE = Mailbox.none(new AccountName("ada"));

    private static Mailbox at(int hour, String zone) {
        var wish = NONE.wish();
        return NONE.become(
                new Mailbox.Wish(
                        Optional.of("ada@example.org"),
                        wish.kinds(),
                        wish.lead(),
                        OptionalInt.of(hour),
                        ZoneId.of(zone)),
                true);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"ada@example.org", "a.d+a_1@mail.example.co.uk", "o'neil@example.org", "x@1.2.example", "a@b.c"})
    void ordinaryAddressesAreAddresses(String text) {
        assertThat(Mailbox.isAddress(text)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "ada",
                "ada@localhost",
                "ada@example.org ",
                "ada@example.org\r\nBcc: all@example.org",
                "ada@example.org,bob@example.org",
                "<ada@example.org>",
                "ada@exa mple.org",
                "ada@-example.org",
                "ada@example..org",
                "\"ada\"@example.org",
                "ädä@example.org"
            })
    void anythingThatIsMoreThanOneAddressOrNoneIsRefused(String text) {
        assertThat(Mailbox.isAddress(text)).isFalse();
    }

    @Test
    void anAddressHasABoundedLength() {
        assertThat(Mailbox.isAddress("a@" + "b.".repeat(125) + "org")).isFalse();
        assertThat(Mailbox.isAddress("a".repeat(65) + "@example.org")).isFalse();
    }

    @Test
    void withoutAProvedAddressAnAccountGetsNothing() {
        var unproved = at(7, "UTC").become(at(7, "UTC").wish(), false);

        assertThat(unproved.gets(MailKind.MOVED)).isFalse();
        assertThat(unproved.proved()).isEmpty();
        assertThat(NONE.become(NONE.wish(), true).isProved()).isFalse();
    }

    @Test
    void theMailOfADayWaitsForItsHourInTheZoneOfThePerson() {
        var before = Instant.parse("2027-01-30T05:59:59Z");
        var after = Instant.parse("2027-01-30T06:00:00Z");

        assertThat(at(7, "Europe/Berlin").due(MailKind.MOVED, before)).isEqualTo("2027-01-30T06:00:00Z");
        assertThat(at(7, "Europe/Berlin").due(MailKind.MOVED, after)).isEqualTo("2027-01-31T06:00:00Z");
        assertThat(at(7, "Europe/Berlin").due(MailKind.STARTS_SOON, before)).isEqualTo(before);
        assertThat(NONE.due(MailKind.MOVED, before)).isEqualTo(before);
    }

    /** In Berlin, the clock jumps from 02:00 to 03:00 on 28 March 2027. */
    @Test
    void anHourThatADayDoesNotHaveIsTheNextOne() {
        var midnight = Instant.parse("2027-03-27T23:00:00Z");

        assertThat(at(2, "Europe/Berlin").due(MailKind.MOVED, midnight)).isEqualTo("2027-03-28T01:00:00Z");
        assertThat(at(2, "Europe/Berlin").due(MailKind.MOVED, Instant.parse("2027-03-28T01:00:00Z")))
                .isEqualTo("2027-03-29T00:00:00Z");
    }
}
