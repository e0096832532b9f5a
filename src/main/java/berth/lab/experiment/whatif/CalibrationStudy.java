package berth.lab.experiment.whatif;

import berth.cluster.AvailabilityMethod;
import berth.cluster.AvailabilityRules;
import berth.cluster.Cluster;
import berth.lab.experiment.Findings;
import berth.lab.experiment.Seeds;
import berth.lab.experiment.Study;
import berth.lab.experiment.whatif.CalibrationStudy.Run;
import berth.lab.experiment.whatif.Observation.Outcome;
import berth.lab.simulation.QueueSimulation;
import berth.lab.simulation.QueueSimulation.Moment;
import berth.lab.workload.BatchLog;
import berth.lab.workload.BookAheadRecipe;
import berth.scheduling.places.Probe.Offer;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Does the availability of a slot predict how much jobs are delayed if it is granted? For every request in a run of paper 001's experiment,
 * the run continues from there, once without the reservation and once for each of its slots: with only the jobs that are there, which is
 * all that a score can know, and with those submitted before its window ends. There are no further requests. This study is our own.
 *
 * @param seed the seed of the study
 * @param repetitions the number of choices of the jobs that become requests, at least 1
 */
record CalibrationStudy(BatchLog log, long seed, int repetitions) implements Study<Run, Observations> {
    static final List<Integer> BOOK_AHEAD = List.of(0, 12);
    static final int SLACK = 10;

    /**
     * A run whose requests are examined.
     *
     * @param bookAhead hours from a request to its earliest start
     * @param repetition counted from 1
     */
    record Run(Estimates estimates, int bookAhead, int repetition) {}

    @Override
    public String name() {
        return "001-calibration";
    }

    @Override
    public String title() {
        return "Calibration: %d nodes, %s, %d jobs, seed %d, repetitions: %d, stw %d h"
                .formatted(log.nodes(), log.source(), log.jobs().size(), seed, repetitions, SLACK);
    }

    @Override
    public Class<Observations> kept() {
        return Observations.class;
    }

    @Override
    public Findings findings(Map<Run, Observations> figures) {
        return new CalibrationResults(this, figures).findings();
    }

    @Override
    public List<Run> runs() {
        return BOOK_AHEAD.stream()
                .flatMap(bookAhead -> Stream.of(Estimates.values())
                        .flatMap(estimates -> IntStream.rangeClosed(1, repetitions)
                                .mapToObj(repetition -> new Run(estimates, bookAhead, repetition))))
                .toList();
    }

    @Override
    public Observations figures(Run run) {
        var jobs = run.estimates() == Estimates.EXACT ? log.exactlyEstimated() : log;
        var recipe = new BookAheadRecipe(
                Seeds.ofRepetition(seed, run.repetition()),
                run.bookAhead() * WhatIfStudy.HOUR,
                SLACK * WhatIfStudy.HOUR);
        List<Observation> observed = new ArrayList<>();
        QueueSimulation.run(
                cluster(SlotRules.AS_READ.by(AvailabilityMethod.WHAT_IF)), recipe.of(jobs.jobs()), moment -> {
                    var one = observation(moment);
                    if (!one.slots().isEmpty()) {
                        observed.add(one);
                    }
                });
        return new Observations(observed);
    }

    private Cluster cluster(AvailabilityRules availability) {
        return WhatIfStudy.cluster(log.nodes(), availability);
    }

    private Observation observation(Moment moment) {
        var slots = scores(moment);
        if (slots.isEmpty()) {
            return new Observation(moment.request().job(), List.of());
        }
        long now = moment.request().submit();
        long over = moment.request().deadline();
        var alone = moment.goesOn(OptionalLong.empty(), now);
        var among = moment.goesOn(OptionalLong.empty(), over);
        List<Observation.Tried> tried = new ArrayList<>();
        slots.forEach((start, scores) -> tried.add(new Observation.Tried(
                start,
                scores,
                Outcome.of(alone, moment.goesOn(OptionalLong.of(start), now)),
                Outcome.of(among, moment.goesOn(OptionalLong.of(start), over)))));
        return new Observation(moment.request().job(), tried);
    }

    /** Returns the scores of each slot that what-if offers, by start. */
    private Map<Long, Map<Predictor, Double>> scores(Moment moment) {
        Map<Long, Map<Predictor, Double>> scores = new LinkedHashMap<>();
        for (Offer offer : offers(moment, Predictor.WHAT_IF)) {
            scores.put(offer.slot().start(), new EnumMap<>(Map.of(Predictor.WHAT_IF, offer.availability())));
        }
        for (Predictor predictor : List.of(Predictor.MAKESPAN, Predictor.COMPLETION)) {
            for (Offer offer : offers(moment, predictor)) {
                scores.getOrDefault(offer.slot().start(), new EnumMap<>(Predictor.class))
                        .put(predictor, offer.availability());
            }
        }
        scores.forEach((start, told) -> {
            told.put(Predictor.LOAD, moment.isOfferedAt(start, rules(Predictor.LOAD)) ? 1.0 : 0.0);
            told.put(Predictor.LATENESS, (double) (start - moment.request().readyTime()));
        });
        return scores;
    }

    private List<Offer> offers(Moment moment, Predictor predictor) {
        return moment.offers(rules(predictor));
    }

    private Cluster rules(Predictor predictor) {
        return cluster(predictor.rules().orElseThrow());
    }
}
