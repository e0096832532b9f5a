package berth.mail;

import static org.assertj.core.api.Assertions.assertThat;

import berth.service.Api;
import berth.service.ServiceSuite;
import jakarta.mail.BodyPart;
import jakarta.mail.MessagingException;
import jakarta.mail.internet.MimeMessage;
import jakarta.mail.internet.MimeMultipart;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import net.fortuna.ical4j.data.CalendarBuilder;
import net.fortuna.ical4j.data.ParserException;
import net.fortuna.ical4j.model.Calendar;
import net.fortuna.ical4j.model.Component;
import net.fortuna.ical4j.model.Property;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Mail of the whole service, by a real mail server. */
class MailIT extends ServiceSuite {

    private static final Duration PATIENCE = Duration.ofMinutes(1);

    @SuppressWarnings("NullAway.Init")
    private String cluster;

    @SuppressWarnings("NullAway.Init")
    private String name;

    @SuppressWarnings("NullAway.Init")
    private String address;

    @SuppressWarnings("NullAway.Init")
    private Api owner;

    @BeforeEach
    void openAnAccount() {
        deleteWebhooks();
        cluster = newCluster(8);
        name = newName();
        address = name + "@example.org";
        owner = new Api(port, Optional.of(tokenOf(name, "CLIENT")));
    }

    private String path() {
        return "/api/v1/accounts/%s/mail".formatted(name);
    }

    /** The administrator enters the address, so it counts at once. */
    private void givesTheAddress(String more) {
        var reply = admin.patch(path(), "{\"address\":\"%s\"%s}".formatted(address, more));
        assertThat(reply.status()).as("%s", reply.body()).isEqualTo(200);
        assertThat(reply.body().path("proved").asBoolean()).isTrue();
    }

    private Api.Reply reserve(String more) {
        return reserve(owner, more);
    }

    private Api.Reply reserve(Api by, String more) {
        var reply = by.post("/api/v1/reservations", """
                {"terms":{"readyTime":"%s","deadline":"%s","duration":"PT2H","pes":8,"mobility":{"maxMoves":3}},"cluster":"%s"%s}""".formatted(at(26), at(40), cluster, more));
        assertThat(reply.status()).as("%s", reply.body()).isEqualTo(201);
        return reply;
    }

    /** Another account takes the place, so the reservation moves. */
    private void block(int hour) {
        var reply = client().post("/api/v1/reservations", """
                {"terms":{"readyTime":"%s","deadline":"%s","duration":"PT2H","pes":8},"cluster":"%s"}""".formatted(at(hour), at(hour + 2), cluster));
        assertThat(reply.status()).as("%s", reply.body()).isEqualTo(201);
    }

    private List<MimeMessage> await(int number) {
        return await(address, number);
    }

    private static List<MimeMessage> await(String address, int number) {
        return await(address, number, () -> {});
    }

    /** Waits for mail and lets time pass: if an attempt fails only now, Berth repeats it ten seconds later. */
    private List<MimeMessage> awaitWhileTimePasses(int number) {
        return await(address, number, () -> clock.advance(Duration.ofSeconds(20)));
    }

    private static List<MimeMessage> await(String address, int number, Runnable meanwhile) {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (MAIL.of(address).size() < number) {
            assertThat(System.nanoTime()).as("mail, of %d", number).isLessThan(end);
            meanwhile.run();
            try {
                Thread.sleep(20);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
        return MAIL.of(address);
    }

    private static String part(MimeMessage message, String type) throws MessagingException, IOException {
        var parts = (MimeMultipart) message.getContent();
        for (int i = 0; i < parts.getCount(); i++) {
            BodyPart part = parts.getBodyPart(i);
            if (part.isMimeType(type)) {
                return new String(part.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            }
        }
        return "";
    }

    private static Calendar calendar(MimeMessage message) throws MessagingException, IOException, ParserException {
        return new CalendarBuilder()
                .build(new ByteArrayInputStream(part(message, "text/calendar").getBytes(StandardCharsets.UTF_8)));
    }

    private static String method(Calendar calendar) {
        return calendar.getProperty(Property.METHOD).orElseThrow().getValue();
    }

    private static String of(Calendar calendar, String property) {
        return calendar.getComponents(Component.VEVENT)
                .getFirst()
                .getProperty(property)
                .orElseThrow()
                .getValue();
    }

    private static String token(String text, String link) {
        var found = Pattern.compile(link + "([A-Za-z0-9_-]+)").matcher(text);
        assertThat(found.find()).as(text).isTrue();
        return found.group(1);
    }

    @Test
    void aCalendarFollowsAReservationThatIsConfirmedMovedAndCancelled() throws Exception {
        givesTheAddress(",\"kinds\":[\"CONFIRMED\",\"MOVED\",\"FAILED\"]");
        var mine = reserve(",\"name\":\"<b>Ünlü</b>\"");
        var confirmed = await(1).getFirst();

        assertThat(confirmed.getSubject()).isEqualTo("Confirmed: <b>Ünlü</b>, 8 PEs on " + cluster);
        assertThat(part(confirmed, "text/html"))
                .contains("&lt;b&gt;Ünlü&lt;/b&gt;")
                .doesNotContain("<b>Ün");
        assertThat(part(confirmed, "text/plain")).contains(URL + "/#/reservation?id=" + mine.text("id"));
        var first = calendar(confirmed);
        assertThat(method(first)).isEqualTo("REQUEST");
        assertThat(of(first, Property.UID)).isEqualTo(mine.text("id") + "@reservation.berth");
        assertThat(of(first, Property.SEQUENCE)).isEqualTo("0");
        assertThat(of(first, Property.ATTENDEE)).isEqualTo("mailto:" + address);

        block(26);
        var moved = await(2).get(1);
        assertThat(moved.getSubject()).startsWith("Moved: ");
        var second = calendar(moved);
        assertThat(of(second, Property.UID)).isEqualTo(of(first, Property.UID));
        assertThat(of(second, Property.SEQUENCE)).isEqualTo("1");
        assertThat(of(second, Property.DTSTART)).isNotEqualTo(of(first, Property.DTSTART));

        owner.post("/api/v1/reservations/%s/cancel".formatted(mine.text("id")));
        var third = calendar(await(3).get(2));
        assertThat(method(third)).isEqualTo("CANCEL");
        assertThat(of(third, Property.SEQUENCE)).isEqualTo("2");
        assertThat(of(third, Property.STATUS)).isEqualTo("CANCELLED");
    }

    @Test
    void aMailProgramSwitchesOneKindOffWithoutSigningIn() throws Exception {
        givesTheAddress("");
        reserve("");
        block(26);
        var moved = await(1).getFirst();
        assertThat(moved.getHeader("List-Unsubscribe-Post")).containsExactly("List-Unsubscribe=One-Click");
        var url = moved.getHeader("List-Unsubscribe")[0];
        assertThat(url).startsWith("<" + URL + "/api/v1/mail/off/");
        var anybody = new Api(port, Optional.empty());

        var page = anybody.get(url.substring(1 + URL.length(), url.length() - 1));
        assertThat(page.status()).isEqualTo(303);
        assertThat(owner.get(path()).body().path("kinds").toString()).contains("MOVED");

        var off = anybody.send(anybody.request(url.substring(1 + URL.length(), url.length() - 1))
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(BodyPublishers.ofString("List-Unsubscribe=One-Click")));

        assertThat(off.text("kind")).isEqualTo("MOVED");
        assertThat(owner.get(path()).body().path("kinds").toString())
                .doesNotContain("MOVED")
                .contains("STARTS_SOON");
        block(28);
        pass(Duration.ofHours(29));
        assertThat(await(2).get(1).getSubject()).startsWith("Starts soon: ");
    }

    @Test
    void anAddressThatTheAccountSetsGetsOnlyTheLinkUntilItIsFollowed() throws Exception {
        var set = owner.patch(path(), "{\"address\":\"%s\",\"kinds\":[\"CONFIRMED\"]}".formatted(address));
        assertThat(set.status()).as("%s", set.body()).isEqualTo(200);
        assertThat(set.body().path("proved").asBoolean()).isFalse();
        var link = await(1).getFirst();
        reserve("");
        assertThat(link.getSubject()).isEqualTo("Is this your address?");
        var token = token(part(link, "text/plain"), URL + "/#/mail\\?proof=");
        var anybody = new Api(port, Optional.empty());

        assertThat(anybody.post("/api/v1/mail/proof", "{\"token\":\"%s\"}".formatted(token.substring(1)))
                        .status())
                .isEqualTo(404);
        assertThat(anybody.post("/api/v1/mail/off/" + token).status()).isEqualTo(404);
        var proved = anybody.post("/api/v1/mail/proof", "{\"token\":\"%s\"}".formatted(token));

        assertThat(proved.text("account")).isEqualTo(name);
        assertThat(owner.get(path()).body().path("proved").asBoolean()).isTrue();
        block(30);
        reserve("");
        assertThat(await(2).get(1).getSubject()).startsWith("Confirmed: ");
        assertThat(MAIL.of(address)).hasSize(2);
    }

    @Test
    void anAddressCountsAsSoonAsAnAdministratorSetsItToo() {
        owner.patch(path(), "{\"address\":\"%s\"}".formatted(address));

        assertThat(admin.patch(path(), "{\"dailyAt\":7}").body().path("proved").asBoolean())
                .isFalse();
        givesTheAddress("");
        assertThat(owner.patch(path(), "{\"address\":\"%s\"}".formatted(address))
                        .body()
                        .path("proved")
                        .asBoolean())
                .isTrue();
    }

    @Test
    void nobodyIsSentMoreThanThreeLinksInAnHour() {
        owner.patch(path(), "{\"address\":\"%s\"}".formatted(address));
        assertThat(owner.post(path() + "/proof").status()).isEqualTo(202);
        assertThat(owner.patch(path(), "{\"address\":\"other-%s\"}".formatted(address))
                        .status())
                .isEqualTo(200);

        assertThat(owner.post(path() + "/proof").text("code")).isEqualTo("limit-exceeded");
        var other = newName();
        var another = new Api(port, Optional.of(tokenOf(other, "CLIENT")));
        assertThat(another.patch("/api/v1/accounts/%s/mail".formatted(other), "{\"address\":\"%s\"}".formatted(address))
                        .status())
                .isEqualTo(200);
        assertThat(another.post("/api/v1/accounts/%s/mail/proof".formatted(other))
                        .text("code"))
                .isEqualTo("limit-exceeded");
        clock.advance(Duration.ofMinutes(61));
        assertThat(owner.post(path() + "/proof").status()).isEqualTo(202);
    }

    @Test
    void mailWaitsForAServerThatIsAwayAndComesOnce() throws Exception {
        givesTheAddress(",\"kinds\":[\"CONFIRMED\"]");
        MAIL.leave();
        try {
            reserve("");
            reserve("");
            long end = System.nanoTime() + PATIENCE.toNanos();
            while (!admin.get("/health").body().toString().contains("lastFailure")) {
                assertThat(System.nanoTime()).isLessThan(end);
                Thread.sleep(50);
            }
        } finally {
            MAIL.come();
        }
        assertThat(admin.get("/health").text("status")).isEqualTo("UP");

        var letters = awaitWhileTimePasses(2);

        var ids = List.of(letters.get(0).getMessageID(), letters.get(1).getMessageID());

        assertThat(ids).doesNotHaveDuplicates();
        clock.advance(Duration.ofMinutes(1));
        reserve("");
        assertThat(await(3)).hasSize(3);
    }

    @Test
    void muchNewsComesInOneMailExceptWhatChangesTheCalendar() throws Exception {
        givesTheAddress(",\"kinds\":[\"CONFIRMED\",\"MOVED\",\"FAILED\",\"APPROVAL\"]");
        MAIL.leave();
        try {
            for (int i = 0; i < 5; i++) {
                reserve("");
            }
            for (int i = 0; i < 5; i++) {
                var waits = owner.post("/api/v1/reservations", """
                        {"terms":{"readyTime":"%s","deadline":"%s","duration":"PT13H","pes":8},"cluster":"%s","wait":{"until":"%s"}}""".formatted(at(26), at(40), cluster, at(1)));
                assertThat(waits.status()).as("%s", waits.body()).isEqualTo(202);
            }
            pass(Duration.ofHours(2));
        } finally {
            MAIL.come();
        }

        var letters = awaitWhileTimePasses(6);

        var entries = new ArrayList<String>();
        for (var letter : letters) {
            if (letter.getSubject().startsWith("Confirmed: ")) {
                entries.add(of(calendar(letter), Property.UID));
            }
        }
        assertThat(entries).hasSize(5).doesNotHaveDuplicates();
        assertThat(letters).extracting(MimeMessage::getSubject).contains("5 news of your reservations");
    }

    @Test
    void theNewsOfADayComesInOneMail() throws Exception {
        givesTheAddress(",\"kinds\":[\"CONFIRMED\"],\"dailyAt\":7,\"zone\":\"Europe/Berlin\"");
        reserve(",\"name\":\"one\"");
        reserve(",\"name\":\"two\"");
        var read = clock.instant().atZone(ZoneId.of("Europe/Berlin"));
        // news of somebody else, which is later and comes at once
        var other = newName();
        var another = new Api(port, Optional.of(tokenOf(other, "CLIENT")));
        admin.patch(
                "/api/v1/accounts/%s/mail".formatted(other),
                "{\"address\":\"%s@example.org\",\"kinds\":[\"CONFIRMED\"]}".formatted(other));
        reserve(another, "");
        await(other + "@example.org", 1);
        assertThat(MAIL.of(address)).isEmpty();
        var seven = read.toLocalDate().atTime(7, 0).atZone(read.getZone());
        clock.advance(Duration.between(read, seven.isAfter(read) ? seven : seven.plusDays(1)));

        var together = await(1).getFirst();

        assertThat(together.getSubject()).isEqualTo("2 news of your reservations");
        assertThat(part(together, "text/plain")).contains("Confirmed: one", "Confirmed: two", URL + "/#/mail");
    }

    @Test
    void anApproverLearnsWhatWaitsAndTheOwnerOfTheApproval() throws Exception {
        var approver = newName();
        admin.patch("/api/v1/clusters/" + cluster, """
                {"policy":{"approval":{"rules":[{"pesAbove":4}],"approvers":["%s"]}}}""".formatted(approver));
        var approving = new Api(port, Optional.of(tokenOf(approver, "CLIENT")));
        admin.patch(
                "/api/v1/accounts/%s/mail".formatted(approver), "{\"address\":\"%s@example.org\"}".formatted(approver));
        givesTheAddress("");

        var asked = reserve("");

        assertThat(await(approver + "@example.org", 1).getFirst().getSubject()).startsWith("To approve: ");
        approving.post("/api/v1/reservations/%s/approve".formatted(asked.text("id")), "{\"reason\":\"For the paper\"}");
        var approved = await(1).getFirst();
        assertThat(approved.getSubject()).startsWith("Approved: ");
        assertThat(part(approved, "text/plain")).contains(approver + " has approved the reservation: For the paper");
    }

    @Test
    void theMailOfTheDayAsksOnlyForApprovalsThatAreStillMissing() throws Exception {
        admin.patch("/api/v1/clusters/" + cluster, """
                {"policy":{"approval":{"rules":[{"pesAbove":4}],"approvers":["%s"]}}}""".formatted(name));
        var soon = clock.instant().atZone(ZoneOffset.UTC).plusHours(2);
        givesTheAddress(",\"dailyAt\":%d".formatted(soon.getHour()));
        var requesting = newName();
        var requester = new Api(port, Optional.of(tokenOf(requesting, "CLIENT")));
        admin.patch(
                "/api/v1/accounts/%s/mail".formatted(requesting),
                "{\"address\":\"%s@example.org\"}".formatted(requesting));
        var given = reserve(requester, ",\"name\":\"given\"").text("id");
        reserve(requester, ",\"name\":\"missing\"");
        owner.post("/api/v1/reservations/%s/approve".formatted(given), "{}");
        await(requesting + "@example.org", 1);

        pass(Duration.ofHours(2));

        assertThat(await(1).getFirst().getSubject()).startsWith("To approve: missing");
        assertThat(MAIL.of(address)).hasSize(1);
    }

    @Test
    void anOwnerLearnsOfADeclinedReservationAndOfOneThatNobodyApprovedInTimeButNotOfAnExpiredHold() throws Exception {
        admin.patch("/api/v1/clusters/" + cluster, "{\"policy\":{\"approval\":{\"rules\":[{\"pesAbove\":4}]}}}");
        givesTheAddress(",\"kinds\":[\"CONFIRMED\",\"FAILED\"]");

        var declined = reserve("");
        admin.post(
                "/api/v1/reservations/%s/decline".formatted(declined.text("id")),
                "{\"reason\":\"Ask for half of it\"}");
        assertThat(await(1).getFirst().getSubject()).startsWith("Declined: ");
        reserve(",\"hold\":\"PT10M\",\"name\":\"held\"");
        reserve(",\"name\":\"asked\"");
        pass(Duration.ofMinutes(11));
        pass(Duration.ofHours(29));

        var expired = await(2).getLast();
        assertThat(expired.getSubject()).startsWith("Not approved in time: asked, 8 PEs");
        assertThat(method(calendar(expired))).isEqualTo("CANCEL");
        assertThat(part(MAIL.of(address).getFirst(), "text/plain")).contains("Ask for half of it");
        assertThat(MAIL.of(address)).hasSize(2);
    }

    @Test
    void wrongInputIsNamed() {
        for (var wrong : List.of(
                "{\"address\":\"a@example.org\\r\\nBcc: b@example.org\"}",
                "{\"address\":\"a@example.org, b@example.org\"}",
                "{\"address\":\"Alice <a@example.org>\"}",
                "{\"address\":\"nobody\"}")) {
            var reply = owner.patch(path(), wrong);
            assertThat(reply.status()).as(wrong).isEqualTo(400);
            assertThat(reply.text("errors.0.field")).isEqualTo("address");
        }
        assertThat(owner.patch(path(), "{\"dailyAt\":24}").text("errors.0.field"))
                .isEqualTo("dailyAt");
        assertThat(owner.patch(path(), "{\"lead\":\"PT1S\"}").text("errors.0.field"))
                .isEqualTo("lead");
        assertThat(owner.patch(path(), "{\"zone\":\"Mars\"}").text("errors.0.field"))
                .isEqualTo("zone");
        assertThat(owner.patch(path(), "{\"kinds\":[\"NOISE\"]}").status()).isEqualTo(400);
        assertThat(client().get(path()).status()).isEqualTo(404);
        assertThat(owner.post(path() + "/proof").text("code")).isEqualTo("wrong-state");
    }
}
