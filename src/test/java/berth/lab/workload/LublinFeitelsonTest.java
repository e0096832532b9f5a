package berth.lab.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.apache.commons.rng.JumpableUniformRandomProvider;
import org.apache.commons.rng.simple.RandomSource;
import org.apache.commons.statistics.inference.KolmogorovSmirnovTest;
import org.junit.jupiter.api.Test;

/**
 * Compares the model with known facts and with a sample of the authors' own program, {@code lublin_256}, if {@code BERTH_TRACES} names a
 * directory that contains it.
 */
class LublinFeitelsonTest {
    private static final int MANY = 100_000;
    private static final LublinFeitelson ON_256 = LublinFeitelson.ALL_JOBS.onMachine(256);

    /** The distance that samples of 100,000 and 10,000 values of one distribution exceed once in 200 times; the seed is fixed. */
    private static final double CLOSE = 1.73 * Math.sqrt(1.0 / MANY + 1.0 / 10_000);

    @Test
    void drawsTheSizesOfTheAuthorsProgram() {
        double[] theirs = sample(SwfJob::pes);
        double[] ours =
                jobs(ON_256, 1, MANY).stream().mapToDouble(ModelJob::pes).toArray();

        assertThat(distance(ours, theirs)).isLessThan(CLOSE);
        assertThat(share(ours, 1)).isCloseTo(share(theirs, 1), within(0.015));
        assertThat(powersOfTwo(ours)).isCloseTo(powersOfTwo(theirs), within(0.015));
    }

    @Test
    void drawsTheRunTimesOfTheAuthorsProgram() {
        double[] theirs = sample(SwfJob::runTime);
        double[] ours =
                jobs(ON_256, 1, MANY).stream().mapToDouble(ModelJob::runTime).toArray();

        assertThat(distance(ours, theirs)).isLessThan(CLOSE);
    }

    @Test
    void drawsLongerRunTimesForLargerJobsAsTheAuthorsProgramDoes() {
        List<SwfJob> theirs = sample();
        for (int[] range : new int[][] {{1, 1}, {2, 8}, {9, 32}, {33, 256}}) {
            double[] ours = jobs(ON_256, 1, MANY).stream()
                    .filter(job -> range[0] <= job.pes() && job.pes() <= range[1])
                    .mapToDouble(ModelJob::runTime)
                    .toArray();
            double[] sample = theirs.stream()
                    .filter(job -> range[0] <= job.pes() && job.pes() <= range[1])
                    .mapToDouble(SwfJob::runTime)
                    .toArray();
            assertThat(distance(ours, sample))
                    .as("jobs of %d to %d PEs", range[0], range[1])
                    .isLessThan(1.73 * Math.sqrt(1.0 / ours.length + 1.0 / sample.length));
        }
    }

    @Test
    void submitsAsOftenByHourAsTheAuthorsProgram() {
        double[] theirs = sample(job -> Math.floorDiv(job.submit() % 86_400, 3600));
        double[] ours = jobs(ON_256, 1, MANY).stream()
                .mapToDouble(job -> Math.floor(job.submit() % 86_400 / 3600))
                .toArray();

        // jobs come in bursts, so the hours of 10,000 of them vary more than 10,000 independent draws would
        assertThat(distance(ours, theirs)).isLessThan(0.05);
    }

    @Test
    void drawsSerialJobsAndPowersOfTwoAtTheirShares() {
        double[] sizes = jobs(LublinFeitelson.ALL_JOBS, 5, MANY).stream()
                .mapToDouble(ModelJob::pes)
                .toArray();

        // other sizes round to 1 or to a power of two by chance, too
        assertThat(share(sizes, 1)).isBetween(0.244, 0.260);
        assertThat(powersOfTwo(sizes)).isBetween(0.576, 0.640);
        assertThat(Arrays.stream(sizes).max()).hasValue(128);
    }

    @Test
    void drawsAllJobsOfTheConnectionMachineInPowersOfTwoFrom32() {
        for (double medium : new double[] {5, 7, 9}) {
            List<ModelJob> jobs = jobs(LublinFeitelson.connectionMachine(medium), 2, MANY);
            assertThat(jobs).extracting(ModelJob::pes).containsOnly(32, 64, 128, 256, 512, 1024);
        }
        // uniform from 4.5 to 7 with probability 0.86 and from 7 to 10 with 0.14: one power of two per unit of the
        // logarithm
        double[] sizes = jobs(LublinFeitelson.connectionMachine(7), 2, MANY).stream()
                .mapToDouble(ModelJob::pes)
                .toArray();
        assertThat(share(sizes, 32)).isCloseTo(0.86 / 2.5, within(0.01));
        assertThat(share(sizes, 64)).isCloseTo(0.86 / 2.5, within(0.01));
        assertThat(share(sizes, 128)).isCloseTo(0.86 * 0.5 / 2.5 + 0.14 * 0.5 / 3, within(0.01));
        assertThat(share(sizes, 1024)).isCloseTo(0.14 * 0.5 / 3, within(0.01));
    }

    @Test
    void givesRunTimesTheMeanLogarithmsOfTheirGammaDistributions() {
        var shortOnes = new JobRunTimes(4.2, 0.94, 312, 0.03, 0, 1);
        var longOnes = new JobRunTimes(4.2, 0.94, 312, 0.03, 0, 0);

        // rounding down costs a run of a few seconds some of its logarithm, and long runs are cut at 12
        assertThat(meanLogarithm(shortOnes)).isCloseTo(4.2 * 0.94, within(0.05));
        assertThat(meanLogarithm(longOnes)).isCloseTo(312 * 0.03, within(0.01));
    }

    @Test
    void neverRunsLongerThanTheLargestExponent() {
        var endless = new LublinFeitelson(
                LublinFeitelson.ALL_JOBS.sizes(),
                new JobRunTimes(12, 1, 12, 1, 0, 0.5),
                LublinFeitelson.ALL_JOBS.arrivals());
        assertThat(jobs(endless, 3, 10_000))
                .allSatisfy(job -> assertThat(job.runTime()).isBetween(1L, 162_754L));
    }

    @Test
    void makesShortRunsRarerForLargerJobs() {
        JobRunTimes runTimes = LublinFeitelson.ALL_JOBS.runTimes();
        assertThat(runTimes.shortShare(0)).isEqualTo(0.78);
        assertThat(runTimes.shortShare(100)).isCloseTo(0.24, within(1e-9));
        assertThat(runTimes.shortShare(1000)).isZero();
        assertThat(LublinFeitelson.connectionMachine(7).runTimes().shortShare(800))
                .isCloseTo(runTimes.shortShare(100), within(1e-9));
    }

    @Test
    void fillsTheDayWithWeightsOfMeanOne() {
        double[] cycle = LublinFeitelson.ALL_JOBS.arrivals().cycle();
        assertThat(cycle).hasSize(48);
        assertThat(Arrays.stream(cycle).sum()).isCloseTo(48, within(1e-9));
        int busiest = 0;
        int quietest = 0;
        for (int i = 0; i < 48; i++) {
            busiest = cycle[i] > cycle[busiest] ? i : busiest;
            quietest = cycle[i] < cycle[quietest] ? i : quietest;
        }
        // the mode of a gamma distribution is (shape - 1) times scale: half-hour 28.4, counted from 1
        assertThat(busiest).isEqualTo(27);
        assertThat(quietest).isEqualTo(10);
    }

    @Test
    void submitsAtTheMeanGapItIsSetTo() {
        var arrivals = new JobArrivals(4, 0.4, 8.1737, 3.9631, 1).withMeanGap(600);
        var model =
                new LublinFeitelson(LublinFeitelson.ALL_JOBS.sizes(), LublinFeitelson.ALL_JOBS.runTimes(), arrivals);
        List<ModelJob> jobs = jobs(model, 4, MANY);

        assertThat(arrivals.meanGap()).isCloseTo(600, within(1e-6));
        assertThat(jobs.getLast().submit() / MANY).isCloseTo(600, within(12.0));
    }

    @Test
    void drawsTheSameFromTheSameSeed() {
        assertThat(jobs(ON_256, 8, 1000)).isEqualTo(jobs(ON_256, 8, 1000)).isNotEqualTo(jobs(ON_256, 9, 1000));
    }

    @Test
    void leavesSubmissionsAloneWhenSizesChange() {
        assertThat(jobs(LublinFeitelson.connectionMachine(5), 8, 1000))
                .extracting(ModelJob::submit)
                .isEqualTo(jobs(LublinFeitelson.connectionMachine(9), 8, 1000).stream()
                        .map(ModelJob::submit)
                        .toList());
    }

    @Test
    void refusesFiguresThatAreNoDistribution() {
        assertThatThrownBy(() -> new JobSizes(0.6, 0.6, 1, 2, 3, 0.5)).hasMessageContaining("0.6");
        assertThatThrownBy(() -> new JobSizes(0.1, 0.1, 1, 4, 3, 0.5)).hasMessageContaining("(4.0)");
        assertThatThrownBy(() -> new JobRunTimes(0, 1, 1, 1, 0, 0)).hasMessageContaining("(0.0");
        assertThatThrownBy(() -> new JobArrivals(1, 1, 1, 1, 1)).hasMessageContaining("1.0");
    }

    private static List<ModelJob> jobs(LublinFeitelson model, long seed, int count) {
        LublinFeitelson.Draws draws =
                model.draws((JumpableUniformRandomProvider) RandomSource.XO_SHI_RO_256_PP.create(seed));
        List<ModelJob> jobs = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            jobs.add(draws.next());
        }
        return jobs;
    }

    private static double meanLogarithm(JobRunTimes runTimes) {
        JobRunTimes.Draws draws = runTimes.draws(RandomSource.XO_SHI_RO_256_PP.create(6L));
        double sum = 0;
        for (int i = 0; i < MANY; i++) {
            sum += Math.log(draws.sample(1) + 0.5);
        }
        return sum / MANY;
    }

    private static double distance(double[] ours, double[] theirs) {
        return KolmogorovSmirnovTest.withDefaults().statistic(ours, theirs);
    }

    private static double share(double[] sizes, int size) {
        return Arrays.stream(sizes).filter(each -> each == size).count() / (double) sizes.length;
    }

    private static double powersOfTwo(double[] sizes) {
        return Arrays.stream(sizes)
                        .filter(each -> each > 1 && Integer.bitCount((int) each) == 1)
                        .count()
                / (double) sizes.length;
    }

    private static double[] sample(ToDoubleFunction<SwfJob> figure) {
        return sample().stream().mapToDouble(figure).toArray();
    }

    private static List<SwfJob> sample() {
        String property = System.getProperty("BERTH_TRACES", System.getenv().getOrDefault("BERTH_TRACES", ""));
        assumeTrue(!property.isEmpty(), "BERTH_TRACES names no directory of logs");
        Path log = Path.of(property, "lublin_256.swf.gz");
        assumeTrue(Files.exists(log), log + " is not there");
        List<SwfJob> jobs = JobLog.read(log).jobs();
        assertThat(jobs).hasSize(10_000);
        return jobs;
    }
}
