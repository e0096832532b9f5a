package berth.service;

import static org.assertj.core.api.Assertions.assertThat;

import berth.http.ICalendar.Entry;
import berth.http.ICalendar.Status;
import berth.time.Slot;
import biweekly.Biweekly;
import biweekly.ICalVersion;
import biweekly.component.VEvent;
import biweekly.property.TextProperty;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Optional;
import net.fortuna.ical4j.data.CalendarBuilder;
import net.fortuna.ical4j.data.ParserException;
import net.fortuna.ical4j.model.Component;
import net.fortuna.ical4j.model.Property;
import net.fortuna.ical4j.model.PropertyContainer;

/**
 * A calendar as other libraries read it, after they have found nothing wrong with it.
 *
 * @param name what programs show as its name
 * @param description what else is said of it
 */
public record ReadBack(String name, Optional<String> description, List<Entry> entries) {

    private static final DateTimeFormatter UTC = DateTimeFormatter.ofPattern("uuuuMMdd'T'HHmmss'Z'");

    public static ReadBack byBiweekly(byte[] written) throws IOException {
        var warnings = new ArrayList<List<biweekly.io.ParseWarning>>();
        var calendar = Biweekly.parse(new ByteArrayInputStream(written))
                .warnings(warnings)
                .first();
        assertThat(warnings).allSatisfy(each -> assertThat(each).isEmpty());
        if (!calendar.getEvents().isEmpty()) {
            assertThat(calendar.validate(ICalVersion.V2_0).isEmpty()).isTrue();
        }
        return new ReadBack(
                calendar.getNames().getFirst().getValue(),
                calendar.getDescriptions().stream().map(ReadBack::text).findFirst(),
                calendar.getEvents().stream().map(ReadBack::entry).toList());
    }

    private static Entry entry(VEvent event) {
        assertThat(second(event.getDateTimeStamp().getValue()))
                .isEqualTo(second(event.getLastModified().getValue()));
        assertThat(event.getTransparency().isTransparent())
                .isEqualTo(event.getStatus().isCancelled());
        return new Entry(
                event.getUid().getValue(),
                event.getSequence().getValue(),
                second(event.getLastModified().getValue()),
                new Slot(
                        second(event.getDateStart().getValue()),
                        second(event.getDateEnd().getValue())),
                Status.valueOf(event.getStatus().getValue()),
                event.getSummary().getValue(),
                event.getDescription().getValue(),
                Optional.ofNullable(event.getUrl()).map(ReadBack::text));
    }

    private static String text(TextProperty property) {
        return property.getValue();
    }

    private static long second(Date date) {
        return date.getTime() / 1000;
    }

    public static ReadBack byIcal4j(byte[] written) throws IOException, ParserException {
        var calendar = new CalendarBuilder().build(new ByteArrayInputStream(written));
        if (!calendar.getComponents().isEmpty()) {
            assertThat(calendar.validate().getEntries()).isEmpty();
        }
        return new ReadBack(
                text(calendar, "NAME").orElseThrow(),
                text(calendar, "DESCRIPTION"),
                calendar.getComponents(Component.VEVENT).stream()
                        .map(event -> new Entry(
                                text(event, Property.UID).orElseThrow(),
                                Integer.parseInt(text(event, Property.SEQUENCE).orElseThrow()),
                                instant(event, Property.LAST_MODIFIED),
                                new Slot(instant(event, Property.DTSTART), instant(event, Property.DTEND)),
                                Status.valueOf(text(event, Property.STATUS).orElseThrow()),
                                text(event, Property.SUMMARY).orElseThrow(),
                                text(event, Property.DESCRIPTION).orElseThrow(),
                                text(event, Property.URL)))
                        .toList());
    }

    private static Optional<String> text(PropertyContainer of, String property) {
        return of.getProperty(property).map(found -> found.getValue());
    }

    private static long instant(PropertyContainer of, String property) {
        return LocalDateTime.parse(text(of, property).orElseThrow(), UTC).toEpochSecond(ZoneOffset.UTC);
    }

    /** The entry of a reservation or an outage. */
    public Optional<Entry> entry(String id) {
        return entries.stream()
                .filter(entry -> entry.uid().startsWith(id + "@"))
                .findAny();
    }
}
