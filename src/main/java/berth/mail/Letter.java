package berth.mail;

import berth.http.ICalendar;
import java.util.Optional;

/**
 * A mail to one person.
 *
 * @param id the part of the Message-ID before the @; the same for the same news, so that mail programs recognise a repetition
 * @param to the address
 * @param calendar the entry that the person's calendar follows
 * @param unsubscribe the URL to which a mail program sends the wish for no more such mail (RFC 8058); empty if there is none
 */
record Letter(
        String id,
        String to,
        String subject,
        String text,
        String html,
        Optional<ICalendar.Entry> calendar,
        Optional<String> unsubscribe) {}
