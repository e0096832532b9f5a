package berth.experiment.adaptive;

import berth.experiment.Check;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The four types of the paper with one share of requests that may be split: that of its table or that of its text. */
enum Share {
    OF_THE_TABLE("20 %", "20 % may be split, as in the table", RequestType.PREEMPTIBLE_20, RequestType.BOTH_20),
    OF_THE_TEXT("60 %", "60 % may be split, as in the text", RequestType.PREEMPTIBLE_60, RequestType.BOTH_60);

    private final String words;
    private final String says;
    private final RequestType preemptible;
    private final RequestType both;

    Share(String words, String says, RequestType preemptible, RequestType both) {
        this.words = words;
        this.says = says;
        this.preemptible = preemptible;
        this.both = both;
    }

    /** For people. */
    String words() {
        return words;
    }

    /** What is read otherwise where it is the only share. */
    String says() {
        return says;
    }

    /** Those that may be split only. */
    RequestType preemptible() {
        return preemptible;
    }

    /** Those that may be molded and split. */
    RequestType both() {
        return both;
    }

    /** The four types. */
    List<RequestType> types() {
        return List.of(RequestType.RIGID, preemptible, RequestType.MOLDABLE, both);
    }

    /** The one of them of which a measure is the highest. */
    RequestType highest(ToDoubleFunction<RequestType> measure) {
        return types().stream().max(Comparator.comparingDouble(measure)).orElseThrow();
    }

    /** A measure of each of them, as figures of a check. */
    String named(ToDoubleFunction<RequestType> measure) {
        return types().stream()
                .map(type -> type + " " + Check.number(measure.applyAsDouble(type)))
                .collect(Collectors.joining(", "));
    }

    /** The types of some shares, none twice. */
    static List<RequestType> typesOf(List<Share> shares) {
        return Stream.of(RequestType.values())
                .filter(type -> shares.stream().anyMatch(share -> share.types().contains(type)))
                .toList();
    }
}
