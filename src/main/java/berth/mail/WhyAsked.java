package berth.mail;

import berth.approval.Approval.Ask;
import berth.approval.ApprovalRule;
import berth.approval.Side;
import berth.cluster.Unit;
import berth.sla.Money;
import java.time.Duration;
import java.util.Currency;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.format.annotation.DurationFormat.Style;
import org.springframework.format.datetime.standard.DurationFormatterUtils;

/** Says why somebody must approve a reservation. */
final class WhyAsked {

    private WhyAsked() {}

    /** Returns who must approve and why, such as {@code the owners of the project: more than 64 GPUs, longer than 1d12h}. */
    static String inWords(Ask ask, Unit unit, Currency currency) {
        return "%s: %s"
                .formatted(
                        sideInWords(ask.by()),
                        ask.rule()
                                .map(rule -> inWords(rule, unit, currency))
                                .or(ask::why)
                                .orElseThrow());
    }

    private static String sideInWords(Side side) {
        return switch (side) {
            case CLUSTER -> "the cluster's approvers";
            case PROJECT -> "the owners of the project";
            case POLICY -> "the cluster's approvers, by the site's policy";
        };
    }

    /** Returns the conditions, which all hold. */
    private static String inWords(ApprovalRule rule, Unit unit, Currency currency) {
        return Stream.of(
                        rule.pesAbove().stream().mapToObj(pes -> "more than " + unit.counted(pes)),
                        rule.peHoursAbove().stream()
                                .mapToObj(hours -> "more than %d %s-hours".formatted(hours, unit.word())),
                        rule.priceAbove().stream().map(amount -> "costs more than " + new Money(amount, currency)),
                        rule.durationAbove().stream().mapToObj(seconds -> "longer than " + time(seconds)),
                        rule.leadBelow().stream()
                                .mapToObj(seconds -> "asked for less than %s ahead".formatted(time(seconds))),
                        rule.serviceClass().stream()
                                .map(each -> "class " + each.name().toLowerCase(Locale.ROOT)))
                .flatMap(words -> words)
                .collect(Collectors.joining(", "));
    }

    private static String time(long seconds) {
        return DurationFormatterUtils.print(Duration.ofSeconds(seconds), Style.COMPOSITE);
    }
}
