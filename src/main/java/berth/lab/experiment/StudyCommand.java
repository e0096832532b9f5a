package berth.lab.experiment;

import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** A command that runs the studies of one or more papers and shows their findings. */
@Command(
        mixinStandardHelpOptions = true,
        sortOptions = false,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:the studies have run; the verdicts do not matter",
            "1:a run broke a rule that every schedule must keep, so its paper is missing; or the files could not be written",
            "2:an option is wrong"
        })
public abstract class StudyCommand implements Callable<Integer> {
    private static final int FAILED = 1;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Mixin
    private final StudyOptions options = new StudyOptions();

    /** Returns the options of every study. */
    protected final StudyOptions options() {
        return options;
    }

    /**
     * Returns the papers to run, with all variations.
     *
     * @throws picocli.CommandLine.ParameterException naming the wrong option and its value
     */
    protected abstract List<Paper> papers();

    /** Whether other readings of the papers are run as well. */
    protected boolean hasReadings() {
        return options.hasReadings();
    }

    /** Returns what a reader must know first. */
    protected List<String> notices() {
        return options.extent() == Extent.QUICK
                ? List.of(
                        "This is a quick run, which only shows that the study works. It is too small to judge a paper by.")
                : List.of();
    }

    /** Runs the studies; returns one of the exit codes in the help. */
    @Override
    public final Integer call() {
        int threads = options.threads();
        Optional<Shard> shard = options.shard();
        List<Paper> papers = hasReadings()
                ? papers()
                : papers().stream().map(Paper::withoutVariations).toList();
        Optional<ReportDirectory> directory = options.directory();
        try {
            return shard.isPresent()
                    ? make(shard.get(), papers, threads, directory.orElseThrow())
                    : report(papers, threads, directory);
        } catch (UnusableDirectory e) {
            throw options.wrong("--out is %s: %s"
                    .formatted(directory.map(ReportDirectory::toString).orElse("missing"), e.getMessage()));
        } catch (UncheckedIOException e) {
            complain(e.getMessage());
            return FAILED;
        }
    }

    private int report(List<Paper> papers, int threads, Optional<ReportDirectory> directory) {
        Report report = Report.of(papers, notices(), threads, directory, Program.name(), this::complain);
        if (!report.sections().isEmpty()) {
            report.print(spec.commandLine().getOut());
            directory.ifPresent(report::writeTo);
        }
        report.broken().forEach(paper -> complain(paper.why()));
        return report.broken().isEmpty() ? 0 : FAILED;
    }

    private int make(Shard shard, List<Paper> papers, int threads, ReportDirectory directory) {
        List<Study<?, ?>> studies =
                papers.stream().flatMap(paper -> paper.studies().stream()).toList();
        try (var _ = ShardLock.take(directory.lock(shard), ShardLock.Maker.self(System.getenv()))) {
            var made = StudyRuns.ofShard(shard, studies, threads, directory, Program.name(), this::complain);
            made.broken().forEach(study -> complain(study.what()));
            PrintWriter out = spec.commandLine().getOut();
            out.printf(
                    "Shard %s: %d of its %d runs were made now. When all shards are done, give the command without --shard.%n",
                    shard, made.now(), made.runs());
            out.flush();
            return made.broken().isEmpty() ? 0 : FAILED;
        }
    }

    private void complain(@Nullable String message) {
        PrintWriter err = spec.commandLine().getErr();
        err.println(message);
        err.flush();
    }
}
