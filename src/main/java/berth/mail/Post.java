package berth.mail;

import berth.http.ICalendar;
import berth.runtime.Threads;
import berth.sla.Excerpt;
import jakarta.activation.DataHandler;
import jakarta.mail.BodyPart;
import jakarta.mail.Message;
import jakarta.mail.MessagingException;
import jakarta.mail.internet.InternetAddress;
import jakarta.mail.internet.MimeBodyPart;
import jakarta.mail.internet.MimeMessage;
import jakarta.mail.internet.MimeMultipart;
import jakarta.mail.util.ByteArrayDataSource;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Date;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;
import org.springframework.mail.MailAuthenticationException;
import org.springframework.mail.MailException;
import org.springframework.mail.MailSendException;
import org.springframework.mail.javamail.JavaMailSender;

/** Gives letters to the site's mail server, one at a time. */
final class Post {

    /** How long the server may take for a letter in all, however often it answers. */
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private static final int MAX_REASON = 200;

    /** A reply of an SMTP server. */
    private static final Pattern REPLY = Pattern.compile("([245]\\d\\d)[ -].*", Pattern.DOTALL);

    /** Replies about the service or the sign-in, and not about a letter. */
    private static final Set<String> ABOUT_THE_SERVICE = Set.of("421", "530", "534", "535", "538");

    private final JavaMailSender sender;
    private final String from;
    private final String host;
    private final InstantSource clock;

    /**
     * @param from the address from which letters come
     * @param host the host name in the ids of letters
     */
    Post(JavaMailSender sender, String from, String host, InstantSource clock) {
        this.sender = sender;
        this.from = from;
        this.host = host;
        this.clock = clock;
    }

    /** What the server did with a letter. */
    sealed interface Sent {
        record Accepted() implements Sent {}

        /** It will never accept the letter. */
        record Refused(String why) implements Sent {}

        /** It may accept the letter later. */
        record PutOff(String why) implements Sent {}

        /** It accepts no letter at present. */
        record Away(String why) implements Sent {}
    }

    /** Sends a letter once. */
    Sent send(Letter letter) throws InterruptedException {
        var result = new AtomicReference<Sent>(
                new Sent.Away("The server took more than %d s.".formatted(PATIENCE.toSeconds())));
        // a thread of its own, whose interrupt closes the connection
        var sending = Threads.OF_THE_JVM.light().newThread(() -> result.set(attempt(letter)));
        sending.start();
        try {
            if (!Threads.OF_THE_JVM.join(sending, PATIENCE)) {
                var late = result.get();
                sending.interrupt();
                return late;
            }
            return result.get();
        } catch (InterruptedException e) {
            sending.interrupt();
            throw e;
        }
    }

    private Sent attempt(Letter letter) {
        try {
            sender.send(message(letter));
            return new Sent.Accepted();
        } catch (MailAuthenticationException e) {
            return new Sent.Away(reason(e));
        } catch (MailException e) {
            return sent(e);
        } catch (MessagingException | RuntimeException e) {
            return new Sent.Refused(reason(e));
        }
    }

    private MimeMessage message(Letter letter) throws MessagingException {
        var message = sender.createMimeMessage();
        message.setFrom(new InternetAddress(from));
        message.setRecipient(Message.RecipientType.TO, new InternetAddress(letter.to()));
        message.setSubject(letter.subject(), StandardCharsets.UTF_8.name());
        message.setSentDate(Date.from(clock.instant()));
        message.setHeader("Message-ID", "<%s@%s>".formatted(letter.id(), host));
        // no programs answer it
        message.setHeader("Auto-Submitted", "auto-generated");
        if (letter.unsubscribe().isPresent()) {
            message.setHeader(
                    "List-Unsubscribe", "<%s>".formatted(letter.unsubscribe().get()));
            message.setHeader("List-Unsubscribe-Post", "List-Unsubscribe=One-Click");
        }
        var forms = new MimeMultipart("alternative");
        forms.addBodyPart(part(letter.text(), "plain"));
        forms.addBodyPart(part(letter.html(), "html"));
        if (letter.calendar().isPresent()) {
            forms.addBodyPart(calendar(letter.calendar().get(), letter.to()));
        }
        message.setContent(forms);
        return message;
    }

    private static BodyPart part(String text, String subtype) throws MessagingException {
        var part = new MimeBodyPart();
        part.setText(text, StandardCharsets.UTF_8.name(), subtype);
        return part;
    }

    private BodyPart calendar(ICalendar.Entry entry, String to) throws MessagingException {
        var part = new MimeBodyPart();
        var type = "%s; charset=UTF-8; method=%s".formatted(ICalendar.TYPE, ICalendar.method(entry));
        part.setDataHandler(new DataHandler(new ByteArrayDataSource(ICalendar.message(from, to, entry), type)));
        part.setHeader("Content-Type", type);
        return part;
    }

    /** Returns what the reply of the server means. Without a reply, no letter gets through. */
    private static Sent sent(MailException failure) {
        var reply = reply(failure);
        var why = reply.orElseGet(() -> reason(failure));
        return reply.map(text -> text.substring(0, 3))
                .filter(code -> !ABOUT_THE_SERVICE.contains(code))
                .<Sent>map(code -> code.startsWith("5") ? new Sent.Refused(why) : new Sent.PutOff(why))
                .orElseGet(() -> new Sent.Away(why));
    }

    /** Returns the first reply of the server among the causes, which are linked in several ways. */
    private static Optional<String> reply(Throwable failure) {
        var seen = Collections.newSetFromMap(new IdentityHashMap<Throwable, Boolean>());
        var rest = new ArrayDeque<Throwable>(List.of(failure));
        while (!rest.isEmpty()) {
            var next = rest.poll();
            if (!seen.add(next)) {
                continue;
            }
            if (next instanceof MessagingException
                    && next.getMessage() != null
                    && REPLY.matcher(next.getMessage()).matches()) {
                return Optional.of(shortened(next.getMessage()));
            }
            if (next instanceof MailSendException several) {
                rest.addAll(List.of(several.getMessageExceptions()));
            }
            if (next instanceof MessagingException one && one.getNextException() != null) {
                rest.add(one.getNextException());
            }
            if (next.getCause() != null) {
                rest.add(next.getCause());
            }
        }
        return Optional.empty();
    }

    private static String reason(Throwable failure) {
        return shortened(String.valueOf(failure.getMessage()));
    }

    private static String shortened(String text) {
        var line = text.replaceAll("[\\p{Cntrl}]+", " ").strip();
        return Excerpt.of(line, MAX_REASON);
    }
}
