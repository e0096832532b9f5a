package berth.lab.experiment.adaptive;

import berth.lab.experiment.Check;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The paper's four types with one share of requests that can be split: that of its table or that of its text. */
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

    /** Returns a description. */
    String words() {
        return words;
    }

    /** Returns the difference of a reading in which it is the only share. */
    String says() {
        return says;
    }

    /** Returns the type that can only be split. */
    RequestType preemptible() {
        return preemptible;
    }

    /** Returns the type that can be molded and split. */
    RequestType both() {
        return both;
    }

    /** Returns the four types. */
    List<RequestType> types() {
        return List.of(RequestType.RIGID, preemptible, RequestType.MOLDABLE, both);
    }

    /** Returns the type with the highest measure. */
    RequestType highest(ToDoubleFunction<RequestType> measure) {
        return types().stream().max(Comparator.comparingDouble(measure)).orElseThrow();
    }

    /** Returns a measure of each type, as figures of a check. */
    String named(ToDoubleFunction<RequestType> measure) {
        return types().stream()
                .map(type -> type + " " + Check.number(measure.applyAsDouble(type)))
                .collect(Collectors.joining(", "));
    }

    /** Returns the types of some shares without duplicates. */
    static List<RequestType> typesOf(List<Share> shares) {
        return Stream.of(RequestType.values())
                .filter(type -> shares.stream().anyMatch(share -> share.types().contains(type)))
                .toList();
    }
}
