package berth.scheduling.places;

import static org.assertj.core.api.Assertions.assertThat;

import berth.scheduling.Basis;
import berth.scheduling.Decision;
import berth.scheduling.LiveCluster;
import berth.scheduling.Request;
import berth.scheduling.SampleCluster;
import berth.scheduling.places.WouldFit.Answer;
import berth.scheduling.places.WouldFit.Change;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

class WouldFitTest {

    private final LiveCluster cluster = LiveCluster.of(8);

    @Test
    void namesTheEarliestDeadlineTheMostPesAndTheLongestDuration() {
        cluster.grant(Request.of(1, 5, 50).ready(100).deadline(150));
        cluster.grant(Request.of(2, 8, 20).ready(160).deadline(180));

        // free: 8 until 100, 3 until 150, 8 until 160, none until 180
        var answer = ask(Request.of(9, 6, 15).ready(95).deadline(170));

        assertThat(answer).isEqualTo(new Answer(change(195), change(3), change(10)));
    }

    @Test
    void leavesOutChangesThatWouldNotHelp() {
        cluster.grant(Request.of(1, 8, 1_000).ready(0));

        assertThat(ask(Request.of(9, 1, 10).ready(100).deadline(110))).isEqualTo(Answer.NOTHING);
        assertThat(ask(Request.of(9, 9, 10))).isEqualTo(Answer.NOTHING);
    }

    @Test
    void countsTheTimeOfARunThatIsSplit() {
        cluster.grant(Request.of(1, 8, 10).ready(10).deadline(20));

        // free are [0,10) and from 20 on: halves of 7 s fit until 27; 10 s fit in one part, and no longer half fits
        // from 20 to 22
        var halves = Request.of(9, 8, 14).ready(0).deadline(22).split(2, "0.5", false);
        assertThat(ask(halves).deadline()).isEqualTo(change(27));
        assertThat(ask(halves).duration()).isEqualTo(change(10));
        // 16 s in tenths: six are done at 10, the others take 6 s
        var tenths = Request.of(9, 8, 25).ready(0).deadline(26).split(2, "0.1", false);
        assertThat(ask(tenths).duration()).isEqualTo(change(16));
    }

    /** Without juggling, less always fits if more does, so trying all finds the nearest. */
    @Test
    void namesTheNearestAdmittedChange() {
        for (int seed = 0; seed < 300; seed++) {
            var random = new Random(seed);
            var busy = LiveCluster.of(SampleCluster.of(4).horizon(120));
            for (int i = 1; i < 12; i++) {
                long ready = random.nextInt(60);
                var filler = Request.of(i, 1 + random.nextInt(4), 1 + random.nextInt(15))
                        .ready(ready);
                if (filler.reserve().decide(new Basis(busy.schedule(), 0)) instanceof Decision.Accepted) {
                    busy.happens(filler.reserve());
                }
            }
            long ready = random.nextInt(60);
            var asked =
                    Request.of(99, 2 + random.nextInt(3), 5 + random.nextInt(5)).ready(ready);
            long duration = asked.terms().duration();
            var tight = asked.deadline(ready + duration + random.nextInt(4));
            if (!(tight.reserve().decide(new Basis(busy.schedule(), 0)) instanceof Decision.Rejected)) {
                continue;
            }
            long deadline = tight.terms().deadline().getAsLong();
            var expected = new Answer(
                    first(deadline + 1, 120, end -> admits(busy, tight.deadline(end))),
                    longest(tight.terms().pes() - 1, pes -> admits(busy, tight.pes((int) pes))),
                    longest(duration - 1, seconds -> admits(busy, tight.duration(seconds))));

            assertThat(new WouldFit(tight.terms(), Request.ADA).ask(busy.schedule(), 0))
                    .as("seed %d", seed)
                    .isEqualTo(expected);
        }
    }

    private interface Trial {
        boolean admits(long figure);
    }

    private static Optional<Change> first(long from, long to, Trial trial) {
        for (long figure = from; figure <= to; figure++) {
            if (trial.admits(figure)) {
                return change(figure);
            }
        }
        return Optional.empty();
    }

    private static Optional<Change> longest(long from, Trial trial) {
        for (long figure = from; figure >= 1; figure--) {
            if (trial.admits(figure)) {
                return change(figure);
            }
        }
        return Optional.empty();
    }

    private static Optional<Change> change(long figure) {
        return Optional.of(new Change(figure, Effects.NONE));
    }

    private static boolean admits(LiveCluster cluster, Request request) {
        return request.reserve().decide(new Basis(cluster.schedule(), 0)) instanceof Decision.Accepted;
    }

    private Answer ask(Request asked) {
        var before = cluster.schedule();
        var answer = new WouldFit(asked.terms(), Request.ADA).ask(before, cluster.now());
        assertThat(cluster.schedule()).isEqualTo(before);
        return answer;
    }
}
