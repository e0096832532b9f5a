package berth.clusters;

import static berth.http.ProblemCode.INVALID_TERMS;
import static berth.http.ProblemCode.LIMIT_EXCEEDED;
import static berth.http.ProblemCode.NEVER_FITS;
import static berth.http.ProblemCode.NO_SLOT;
import static berth.http.ProblemCode.WRONG_STATE;

import berth.accounts.Account;
import berth.batch.BatchJob;
import berth.batch.JobId;
import berth.batch.JobState;
import berth.booking.web.ClusterLookup;
import berth.booking.web.IdempotencyKeys;
import berth.booking.web.Refusals;
import berth.engine.AdmissionControl;
import berth.engine.Answer;
import berth.engine.Booking;
import berth.engine.Desks;
import berth.engine.Records.JobPosition;
import berth.http.Fields;
import berth.http.Page;
import berth.http.Problem;
import berth.http.Refuses;
import berth.http.RequestFields;
import berth.http.Required;
import berth.http.Texts;
import berth.scheduling.Basis;
import berth.scheduling.Event.JobEvent;
import berth.scheduling.Event.JobsEvent;
import berth.scheduling.LeftOut;
import berth.scheduling.commands.CancelJob;
import berth.scheduling.commands.Command;
import berth.scheduling.commands.CompleteJob;
import berth.scheduling.commands.ReplaceJobs;
import berth.scheduling.commands.ReplaceJobs.OutsideJob;
import berth.scheduling.commands.SubmitJob;
import berth.sla.AccountName;
import com.fasterxml.uuid.Generators;
import com.fasterxml.uuid.impl.TimeBasedEpochGenerator;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Calls that concern the batch jobs of a cluster: an account sees and changes its own jobs, administrators all jobs. */
@RestController
@RequestMapping("/api/v1/clusters/{cluster}/jobs")
class JobsController {

    private final Desks desks;
    private final AdmissionControl admission;
    private final JobLookup jobs;
    private final ClusterLookup clusters;
    private final IdempotencyKeys keys;
    private final TimeBasedEpochGenerator ids = Generators.timeBasedEpochGenerator();

    JobsController(
            Desks desks, AdmissionControl admission, JobLookup jobs, ClusterLookup clusters, IdempotencyKeys keys) {
        this.desks = desks;
        this.admission = admission;
        this.jobs = jobs;
        this.clusters = clusters;
        this.keys = keys;
    }

    /**
     * A batch job to submit.
     *
     * @param name the client's own label
     * @param pes number of PEs that the job needs at once
     * @param estimate its longest run time, in this cluster's time; Berth ends the job after that
     */
    @Schema(example = "{\"name\":\"my first job\",\"pes\":32,\"estimate\":\"PT2H\"}")
    record NewJobBody(
            @Nullable String name,
            @Required @Nullable Integer pes,
            @Required @Nullable String estimate) {}

    /**
     * Submits a batch job. The job joins the end of the queue, with no promise of a start time. It starts when it is the first in the
     * queue and its PEs are free, or earlier if that delays neither the first job nor a reservation. It runs until it is completed or
     * reaches its estimate.
     */
    @PostMapping
    @ResponseStatus(HttpStatus.CREATED)
    @Refuses({INVALID_TERMS, NEVER_FITS, NO_SLOT, LIMIT_EXCEEDED, WRONG_STATE})
    JobBody submitJob(
            @PathVariable String cluster,
            @RequestBody NewJobBody body,
            @RequestHeader(name = IdempotencyKeys.HEADER, required = false) @Nullable String key,
            @AuthenticationPrincipal Account account) {
        var clusterId = clusters.id(cluster);
        var fields = new Fields(body);
        var id = new JobId(ids.generate());
        var name = fields.label("name", body.name);
        int pes = fields.required("pes", body.pes, 1);
        long estimate = fields.durationUp("estimate", fields.required("estimate", body.estimate, "PT1S"))
                .orElse(1);
        fields.check();
        var booking =
                new Booking(account.name(), account.limits(), new SubmitJob(id, account.name(), name, pes, estimate));
        var answer =
                admission.admitAtDesk(clusterId, booking, keys.use(key, account, "submit job to " + cluster, body));
        var job = job(Refusals.granted(answer, RequestFields.fields(body)));
        return changed(jobs.asRecorded(job), account);
    }

    /**
     * Lists the batch jobs of a cluster, last submitted first. An account sees its own jobs, administrators all jobs.
     *
     * @param owner only jobs of this account
     * @param state only jobs in this state
     */
    @GetMapping
    Page<JobBody> listJobs(
            @PathVariable String cluster,
            @RequestParam @Nullable String owner,
            @RequestParam @Nullable String state,
            @RequestParam @Nullable String limit,
            @RequestParam @Nullable String after,
            @AuthenticationPrincipal Account account) {
        var clusterId = clusters.id(cluster);
        var fields = new Fields();
        var whose = fields.label("owner", owner).map(AccountName::new);
        var how = fields.word("state", state, JobState.class);
        fields.check();
        int most = Page.limit(limit);
        var position = Optional.ofNullable(after).map(JobsController::position);
        var found = jobs.list(clusterId, account, whose, how, position, most + 1);
        var planned = jobs.starts(clusterId, found, account);
        return Page.of(
                found,
                most,
                job -> JobBody.of(job, planned.start(job.id())),
                job -> "%d.%s".formatted(job.submittedAt(), job.id()));
    }

    private static JobPosition position(String cursor) {
        int dot = cursor.indexOf('.');
        if (dot < 0) {
            throw Page.badCursor(cursor);
        }
        try {
            long submittedAt = Math.min(Page.position(cursor.substring(0, dot)), Instant.MAX.getEpochSecond());
            return new JobPosition(
                    submittedAt,
                    new JobId(Texts.uuid(cursor.substring(dot + 1)).orElseThrow(() -> Page.badCursor(cursor))));
        } catch (Problem e) {
            throw Page.badCursor(cursor);
        }
    }

    /** Reads a batch job. */
    @GetMapping("/{job}")
    JobBody readJob(@PathVariable String cluster, @PathVariable String job, @AuthenticationPrincipal Account account) {
        var clusterId = clusters.id(cluster);
        var found = jobs.find(clusterId, job, account);
        return JobBody.of(found, jobs.starts(clusterId, List.of(found), account).start(found.id()));
    }

    /** Completes a running batch job before it reaches its estimate. Its PEs are free at once. */
    @PostMapping("/{job}/complete")
    @Refuses(WRONG_STATE)
    JobBody completeJob(
            @PathVariable String cluster, @PathVariable String job, @AuthenticationPrincipal Account account) {
        return change(cluster, job, account, CompleteJob::new);
    }

    /** Cancels a waiting or running batch job. */
    @PostMapping("/{job}/cancel")
    @Refuses(WRONG_STATE)
    JobBody cancelJob(
            @PathVariable String cluster, @PathVariable String job, @AuthenticationPrincipal Account account) {
        return change(cluster, job, account, CancelJob::new);
    }

    private JobBody change(String cluster, String job, Account account, Function<JobId, Command> command) {
        var clusterId = clusters.id(cluster);
        var found = jobs.find(clusterId, job, account);
        var answer = desks.decide(clusterId, command.apply(found.id()));
        return changed(job(Refusals.granted(answer, RequestFields.nothing())), account);
    }

    private JobBody changed(BatchJob job, Account account) {
        var planned = jobs.startsAfterChange(job.cluster(), List.of(job), account);
        return JobBody.of(job, planned.start(job.id()));
    }

    private static BatchJob job(Answer.Done done) {
        return ((JobEvent) done.events().getLast()).job();
    }

    /**
     * The queue of an outside batch system as Berth records it.
     *
     * @param jobs the running and waiting jobs, in the order of the request
     * @param conflicts the jobs that run on PEs promised to reservations
     * @param leftOut the jobs that contradict the state of the cluster and are not recorded
     */
    record QueueBody(List<JobBody> jobs, List<ConflictBody> conflicts, List<LeftOutBody> leftOut) {}

    /**
     * A running job that holds PEs after they are due to a reservation. Berth does not prevent this: the batch system must end the job by
     * then.
     *
     * @param name name of the job
     * @param until when it must have ended, which may be now
     */
    @Schema(name = "JobConflict")
    record ConflictBody(String name, Instant until) {}

    /**
     * A job that is not recorded, because it contradicts the state of the cluster.
     *
     * @param name name of the job
     * @param field the invalid field, with the job's position in the queue
     * @param message the error
     */
    @Schema(name = "JobLeftOut")
    record LeftOutBody(String name, String field, String message) {}

    /**
     * Replaces the queue of an outside batch system with its present state, so that Berth can place reservations around its jobs and
     * calculate their availability. Berth neither starts nor ends these jobs. Promises to reservations take precedence; {@code conflicts}
     * lists the jobs that run on promised PEs. An impossible job, for example one with more PEs than the cluster has, is listed in {@code
     * leftOut} and not recorded; all other jobs are.
     */
    @PutMapping
    @Refuses({INVALID_TERMS, WRONG_STATE})
    QueueBody replaceJobs(
            @PathVariable String cluster,
            @RequestBody OutsideQueueBody body,
            @AuthenticationPrincipal Account account) {
        var clusterId = clusters.id(cluster);
        var command = body.read(account);
        var done = Refusals.granted(desks.decide(clusterId, command), RequestFields.fields(body));
        return answer(command, desks.outlook(clusterId).orElseThrow(), done, account);
    }

    /** Returns the queue as recorded by the command, or the present queue if the command changed nothing. */
    private QueueBody answer(ReplaceJobs command, Basis outlook, Answer.Done done, Account account) {
        var taken = done.events().isEmpty()
                ? List.copyOf(outlook.schedule().jobs().all())
                : ((JobsEvent) done.events().getLast()).jobs();
        var byName = taken.stream().collect(Collectors.toMap(job -> job.name().orElse(""), job -> job));
        long now = done.events().isEmpty()
                ? outlook.now()
                : done.events().getLast().at();
        var leftOut = command.leftOut(outlook.schedule().cluster(), now);
        var notTaken = leftOut.stream().map(LeftOut::index).collect(Collectors.toSet());
        var conflicts = IntStream.range(0, command.jobs().size())
                .filter(index -> !notTaken.contains(index))
                .mapToObj(command.jobs()::get)
                .flatMap(reported -> conflict(reported, Optional.ofNullable(byName.get(reported.name())), now).stream())
                .toList();
        var planned = jobs.startsAfterChange(outlook.schedule().cluster().id(), taken, account);
        return new QueueBody(
                taken.stream()
                        .sorted(Comparator.comparingLong(BatchJob::rank))
                        .map(job -> JobBody.of(job, planned.start(job.id())))
                        .toList(),
                conflicts,
                leftOut.stream()
                        .map(job -> new LeftOutBody(
                                command.jobs().get(job.index()).name(),
                                job.why().field(),
                                job.why().message()))
                        .toList());
    }

    /** Returns the conflict of a running job whose PEs are not available for as long as it is expected to run. */
    private static Optional<ConflictBody> conflict(OutsideJob reported, Optional<BatchJob> taken, long now) {
        if (reported.startedAt().isEmpty()) {
            return Optional.empty();
        }
        if (taken.isEmpty()) {
            return Optional.of(new ConflictBody(reported.name(), Texts.instant(now)));
        }
        return taken.flatMap(BatchJob::run)
                .filter(run -> run.until()
                        < Math.max(
                                run.start() + reported.estimate(), run.taken().start() + ReplaceJobs.OVERRUN))
                .map(run -> new ConflictBody(reported.name(), Texts.instant(run.until())));
    }
}
