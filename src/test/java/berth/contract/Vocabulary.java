package berth.contract;

import berth.accounts.Account;
import berth.batch.JobState;
import berth.batch.Jobs;
import berth.booking.web.RefusedRequests;
import berth.booking.web.ReservationOrRequestState;
import berth.cluster.Cluster;
import berth.cluster.Nodes;
import berth.engine.Records.Grouping;
import berth.events.EventBody;
import berth.http.Fields;
import berth.http.Prefer;
import berth.http.SettingKind;
import berth.mail.Mailbox;
import berth.scheduling.Event;
import berth.scheduling.WaitingList;
import berth.sla.AccountLimits;
import berth.sla.Components;
import berth.sla.MoveBounds;
import berth.sla.Preemption;
import berth.sla.ServiceClass;
import berth.sla.Settable;
import io.swagger.v3.oas.models.media.Schema;
import java.lang.reflect.RecordComponent;
import java.math.BigDecimal;
import java.time.DayOfWeek;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The type, bounds and example that the document gives a field, parameter or header, by its name. A name means the same everywhere.
 * Exceptions have the schema's name, or the operation id, in front: {@code Cluster.id}.
 */
final class Vocabulary {

    private static final String ID = "01987e4c-2f6b-7a51-9c3e-5d0f8a7b6c21";

    /** The largest whole number that every JSON reader represents exactly. */
    private static final long MAX_EXACT = (1L << 53) - 1;

    /** A pattern for Slurm's notation of a list of nodes. */
    private static final String HOSTS = "^[A-Za-z0-9._,\\[\\]-]+$";

    /** The length of the longest text for a set of PEs: every second PE of the largest cluster. */
    private static final int MAX_PE_IDS = 8 * Cluster.MAX_PES / 2;

    private static final Map<String, Consumer<Schema<Object>>> WORDS = Map.<String, Consumer<Schema<Object>>>ofEntries(
            // times
            Map.entry("readyTime", instant("2027-01-31T14:00:00Z")),
            Map.entry("deadline", instant("2027-02-01T14:00:00Z")),
            Map.entry("start", instant("2027-01-31T14:00:00Z")),
            Map.entry("end", instant("2027-01-31T16:00:00Z")),
            Map.entry("Move.from", parts()),
            Map.entry("Move.to", parts()),
            Map.entry("from", instant("2027-01-31T00:00:00Z")),
            Map.entry("to", instant("2027-02-01T00:00:00Z")),
            Map.entry("at", instant("2027-01-30T09:30:00Z")),
            Map.entry("createdAt", instant("2027-01-30T09:30:00Z")),
            Map.entry("updatedAt", instant("2027-01-30T09:30:00Z")),
            Map.entry("fixedAt", instant("2027-01-30T09:30:00Z")),
            Map.entry("claimBy", instant("2027-01-31T14:10:00Z")),
            Map.entry("begunAt", instant("2027-01-31T14:00:00Z")),
            Map.entry("endedAt", instant("2027-01-31T15:20:00Z")),
            Map.entry("expiresAt", instant("2027-01-31T12:00:00Z")),
            Map.entry("answeredAt", instant("2027-01-31T11:30:00Z")),
            Map.entry("holdExpiresAt", instant("2027-01-30T09:35:00Z")),
            Map.entry("freeCancellationUntil", instant("2027-01-30T14:00:00Z")),
            Map.entry("waitUntil", instant("2027-01-31T12:00:00Z")),
            Map.entry("rank", whole(1, WaitingList.MAX, 3)),
            Map.entry("submittedAt", instant("2027-01-31T12:00:00Z")),
            Map.entry("startedAt", instant("2027-01-31T14:00:00Z")),
            Map.entry("plannedStart", instant("2027-01-31T14:00:00Z")),
            Map.entry("runningSince", instant("2027-01-31T14:00:00Z")),
            Map.entry("until", instant("2027-01-31T15:00:00Z")),
            Map.entry("duration", duration("PT2H")),
            Map.entry("estimate", duration("PT2H")),
            Map.entry("makespanBefore", duration("PT10H")),
            Map.entry("makespanAfter", duration("PT11H")),
            Map.entry("averageCompletionBefore", duration("PT4H")),
            Map.entry("averageCompletionAfter", duration("PT4H30M")),
            Map.entry("meanWait", duration("PT25M")),
            Map.entry("totalShift", duration("PT6H")),
            Map.entry("largestShift", duration("PT4H")),
            Map.entry("meanOffset", duration("PT3M")),
            Map.entry("hold", duration("PT5M")),
            Map.entry("Extend.by", duration("PT4H")),
            Map.entry("Extend.atLeast", duration("PT1H")),
            Map.entry("fixBefore", duration("PT1H")),
            Map.entry("maxShift", duration("PT2H")),
            Map.entry("step", duration("PT1H")),
            // numbers
            Map.entry("priority", whole(Account.LOWEST_PRIORITY, Account.HIGHEST_PRIORITY, 5)),
            Map.entry("Mobility.maxMoves", whole(0, MoveBounds.MAX_MOVES, 1)),
            Map.entry("Moves.count", whole(0, Integer.MAX_VALUE, 1)),
            Map.entry("Moves.left", whole(0, MoveBounds.MAX_MOVES, 2)),
            Map.entry("Moves.from", instant("2027-01-31T08:00:00Z")),
            Map.entry("Moves.to", instant("2027-01-31T20:00:00Z")),
            Map.entry("pes", whole(1, Cluster.MAX_PES, 32)),
            Map.entry("minPes", whole(1, Cluster.MAX_PES, 16)),
            Map.entry("maxPes", whole(1, Cluster.MAX_PES, 64)),
            Map.entry("runtimes", values(duration("PT2H"))),
            Map.entry("serialFraction", share("0.05")),
            Map.entry("maxParts", whole(1, Preemption.MAX_STEPS, 5)),
            Map.entry("Preemption.step", number("0.01", "1", "0.2")),
            Map.entry("steps", whole(1, Preemption.MAX_STEPS, 3)),
            Map.entry("runTime", duration("PT1H")),
            Map.entry("AutoExtension.step", duration("PT1H")),
            Map.entry("phi", number("-1000000000", "1000000000", "0.25")),
            Map.entry("maxPhi", number("0", "1000", "0.5")),
            Map.entry("by", account()),
            Map.entry("Assignment.from", account()),
            Map.entry("Assignment.to", account()),
            Map.entry("Reserve.account", account()),
            Map.entry("limit", whole(1, 500, 20)),
            Map.entry("sequence", whole(1, MAX_EXACT, 17)),
            // zero before the first event
            Map.entry("Schedule.sequence", whole(0, MAX_EXACT, 17)),
            Map.entry("lastSequence", whole(0, MAX_EXACT, 17)),
            Map.entry("bytes", whole(0, MAX_EXACT, 48_000)),
            Map.entry("version", whole(0, Integer.MAX_VALUE, 0)),
            Map.entry("status", whole(400, 599, 409)),
            Map.entry("number", whole(0, Integer.MAX_VALUE, 3)),
            Map.entry("activeReservations", whole(0, Integer.MAX_VALUE, 10)),
            Map.entry("AccountLimits.maxHold", duration("PT15M")),
            Map.entry("peHoursPerWeek", whole(1, AccountLimits.MAX_PE_HOURS, 500)),
            Map.entry("startsAhead", whole(0, Integer.MAX_VALUE, 1)),
            Map.entry("CoolDown.duration", duration("PT6H")),
            Map.entry("CoolDown.after", duration("PT4H")),
            Map.entry("Mobility.notice", duration("PT15M")),
            Map.entry("PriceFactors.flexibilityDiscount", share("0.2")),
            Map.entry("PriceFactors.flexibilityScale", duration("PT12H")),
            Map.entry("AccountLimits.pes", whole(1, Integer.MAX_VALUE, 64)),
            Map.entry("AccountLimits.jobs", whole(0, Integer.MAX_VALUE, 100)),
            Map.entry("pendingRequests", whole(0, Integer.MAX_VALUE, 100)),
            Map.entry("holds", whole(0, Integer.MAX_VALUE, 10)),
            Map.entry("peHours", whole(1, AccountLimits.MAX_PE_HOURS, 10_000)),
            Map.entry("BookedAhead.running", parts()),
            Map.entry("running", whole(0, Jobs.MAX, 12)),
            Map.entry("waiting", whole(0, Jobs.MAX, 40)),
            Map.entry("availability", share("0.93")),
            Map.entry("submitted", whole(0, MAX_EXACT, 310)),
            Map.entry("started", whole(0, MAX_EXACT, 300)),
            Map.entry("completed", whole(0, MAX_EXACT, 290)),
            Map.entry("cancelled", whole(0, MAX_EXACT, 5)),
            Map.entry("immediateShare", share("0.4")),
            Map.entry("futureShare", share("0.6")),
            Map.entry("requests", whole(0, MAX_EXACT, 120)),
            Map.entry("accepted", whole(0, MAX_EXACT, 96)),
            Map.entry("moves", whole(0, MAX_EXACT, 4)),
            Map.entry("movesPerAccepted", number("0", "1000000000", "0.041667")),
            Map.entry("Acceptance.refused", whole(0, MAX_EXACT, 24)),
            Map.entry("refused", values(whole(0, MAX_EXACT, 24))),
            Map.entry("slaCompliance", share("0.98")),
            Map.entry("meanSlowdown", number("0", "1000000000", "1.8")),
            Map.entry("meanPhi", number("0", "1000000000", "0.3")),
            Map.entry("mean", number("0", "1000000000", "0.71")),
            Map.entry("meanInService", number("0", "1000000000", "0.74")),
            Map.entry("utilisation", number("0", "1000000000", "0.71")),
            Map.entry("utilisationInService", number("0", "1000000000", "0.74")),
            Map.entry("UtilisationOfAll.pes", whole(1, MAX_EXACT, 160)),
            Map.entry("share", number("0", "1000000000", "0.25")),
            Map.entry("peHoursBooked", number("0", "1000000000000", "1200.5")),
            Map.entry("peHoursRun", number("0", "1000000000000", "800.25")),
            Map.entry("completeFrom", instant("2026-01-31T00:00:00Z")),
            Map.entry("ReportedPeriod.peHours", parts()),
            Map.entry("ReportedPeHours.total", number("0", "1000000000000", "92160")),
            Map.entry("outOfService", number("0", "1000000000000", "640")),
            Map.entry("ReportedPeHours.available", number("0", "1000000000000", "91520")),
            Map.entry("ReportedHour.available", number("0", "1000000000000", "91520")),
            Map.entry("bookedShare", number("0", "1000000000", "0.71")),
            Map.entry("usedShare", number("0", "1000000000", "0.64")),
            Map.entry("acceptance", share("0.8")),
            Map.entry("kept", whole(0, MAX_EXACT, 90)),
            Map.entry("broken", whole(0, MAX_EXACT, 2)),
            Map.entry("OwnerReport.number", whole(0, Integer.MAX_VALUE, 40)),
            Map.entry("ReportedOwner.reservations", whole(0, MAX_EXACT, 12)),
            Map.entry("readOwners.limit", whole(1, 100, 10)),
            Map.entry("weekday", words((Object[]) DayOfWeek.values())),
            Map.entry("hour", whole(0, 23, 14)),
            Map.entry("groupBy", words((Object[]) Grouping.values())),
            Map.entry("parameter.code", words((Object[]) RefusedRequests.codes().split(", "))),
            Map.entry("requestId", text("^[A-Za-z0-9._-]{1,128}$", 128, "01a1f8f7-34e1-753b-8e70-08f7ccb96eaa")),
            Map.entry("parameter.kind", words("RESERVATION", "JOB", "OUTAGE")),
            Map.entry("source", source()),
            Map.entry("Signal.source", label("day-ahead DE")),
            Map.entry("NewSignal.source", label("day-ahead DE")),
            Map.entry("SignalFactor.factor", text("^[0-9]{1,3}(\\.[0-9]{1,6})?$", 10, "0.62")),
            Map.entry("SignalData.source", label("day-ahead DE")),
            Map.entry("replaceOutages.outage", source()),
            // agents
            Map.entry("users", each(text("^[A-Za-z0-9_][A-Za-z0-9._@-]{0,62}$", 63, "ada"))),
            Map.entry("agent", label("head1")),
            Map.entry("ToldEnforcement.version", label("0.1.0")),
            Map.entry("ToldEnforcement.sequence", whole(0, MAX_EXACT, 17)),
            Map.entry("Enforcement.version", label("0.1.0")),
            Map.entry("Enforcement.sequence", whole(0, MAX_EXACT, 17)),
            Map.entry("lease", duration("PT1M30S")),
            Map.entry("machine", label("tux@head1")),
            Map.entry("ahead", duration("P1D")),
            Map.entry("fault", label("Slurm has no node n7.")),
            Map.entry("expectedAt", instant("2027-01-30T14:00:00Z")),
            Map.entry("states", values(whole(0, MAX_EXACT, 12))),
            Map.entry("handle", label("berth.tux.%s.0".formatted(ID))),
            Map.entry("EnforcementData.nodes", label("n[1-4]")),
            Map.entry("ReservationEnforcement.nodes", label("n[1-4]")),
            Map.entry("ToldPart.nodes", label("n[1-4]")),
            Map.entry("nodes", text(HOSTS, 64 * Nodes.MAX_NAMES, "n[1-4]")),
            Map.entry("unit", text("^[A-Za-z]{1,16}$", 16, "GPU")),
            Map.entry("peNames", text(HOSTS, Nodes.LONGEST_NAMES, "n[1-16]")),
            Map.entry("ToldPart.detail", label("job 4711 is in the way until 14:10")),
            Map.entry(
                    "ToldPart.taken",
                    text("^[0-9]{1,8}(-[0-9]{1,8})?(,[0-9]{1,8}(-[0-9]{1,8})?)*$", MAX_PE_IDS, "0-3")),
            Map.entry("ReservationEnforcement.detail", label("job 4711 is in the way until 14:10")),
            Map.entry("EnforcementData.detail", label("job 4711 is in the way until 14:10")),
            Map.entry("part", whole(0, Integer.MAX_VALUE, 0)),
            Map.entry("fixAfter", share("0.5")),
            Map.entry("classFactor", number("1", "1000", "3")),
            Map.entry("readPrices.serviceClass", oneOf(ServiceClass.class)),
            Map.entry("readPrices.slack", prose(3_000, "PT0S,PT6H,P2D")),
            Map.entry("OrderByWeights.start", share("0.5")),
            Map.entry("OrderByWeights.completion", share("0.5")),
            Map.entry("OrderByWeights.price", share("0.5")),
            Map.entry("OrderByWeights.availability", share("0.5")),
            // money
            Map.entry("amount", text("^[0-9]{1,34}(\\.[0-9]{1,6})?$", 41, "12.50")),
            Map.entry("service", words("berth")),
            Map.entry("contract", whole(1, Integer.MAX_VALUE, 1)),
            Map.entry("instance", uuid(ID)),
            Map.entry("heardAt", instant("2027-01-30T09:30:00Z")),
            Map.entry("issuer", text("^[Hh][Tt][Tt][Pp][Ss]?://.{1,1000}$", 1010, "https://login.example.org")),
            Map.entry("clientId", text("^[ -~]{1,255}$", 255, "berth-page")),
            Map.entry("scope", text("^[ -~]{1,1000}$", 1000, "openid profile email")),
            Map.entry("url", text("^[Hh][Tt][Tt][Pp][Ss]?://.{1,1000}$", 1010, "https://berth.example.org")),
            Map.entry("currency", text("^[A-Z]{3}$", 3, "USD")),
            Map.entry("priceAbove", text("^[0-9]{1,13}(\\.[0-9]{1,6})?$", 20, "100.00")),
            Map.entry("approvers", each(account())),
            Map.entry("decidedBy", account()),
            Map.entry("decidedAt", instant("2027-01-30T10:15:00Z")),
            Map.entry("AskedSide.why", prose(500, "More than a tenth of the cluster")),
            Map.entry("AskedSide.reason", label("For the paper's deadline")),
            Map.entry("Approve.reason", label("For the paper's deadline")),
            Map.entry("Decline.reason", label("The cluster is needed for the course that week")),
            Map.entry("pricePerPeHour", text("^[0-9]{1,7}(\\.[0-9]{1,6})?$", 14, "1.00")),
            // webhooks
            Map.entry("types", each(words((Object[]) eventTypes()))),
            Map.entry("leads", each(duration("PT1H"))),
            Map.entry("lead", duration("PT1H")),
            Map.entry("address", text("^[^@]{1,64}@[^@]{1,189}$", Mailbox.MAX_ADDRESS, "alice@example.org")),
            Map.entry("dailyAt", whole(0, 23, 7)),
            Map.entry("MailProof.token", text("^[A-Za-z0-9_-]{1,1000}$", 1000, "c2VhbGVkOg")),
            Map.entry(
                    "WebhookSecret.secret",
                    text("^whsec_[A-Za-z0-9+/]{43}=$", 50, "whsec_dGhpcyBzZWNyZXQgaXMga25vd24gdG8gZXZlcnlvbmU=")),
            Map.entry("disabledAt", instant("2027-01-30T09:30:00Z")),
            Map.entry(
                    "Attempt.message",
                    text("^(evt_[a-z0-9-]{1,63}_[0-9]{1,19}|test_[0-9a-f-]{36})$", 90, "evt_demo_17")),
            Map.entry("answered", whole(100, 999, 204)),
            Map.entry("error", prose(300, "answered 503")),
            Map.entry("milliseconds", whole(0, MAX_EXACT, 38)),
            // names
            Map.entry("id", uuid(ID)),
            Map.entry("reservation", uuid(ID)),
            Map.entry("outage", uuid(ID)),
            Map.entry("job", uuid(ID)),
            Map.entry("feed", uuid(ID)),
            Map.entry("secret", text("^[A-Za-z0-9_-]{1,100}$", 100, "feed_as-it-is-shown-this-once")),
            Map.entry("path", text("^/[!-~]{1,200}$", 201, "/api/v1/feeds/feed_as-it-is-shown-this-once.ics")),
            Map.entry("Effects.moved", whole(0, MAX_EXACT, 3)),
            Map.entry("Effects.failed", whole(0, MAX_EXACT, 0)),
            Map.entry("Effects.losing", whole(0, MAX_EXACT, 1)),
            Map.entry("Effects.requeued", whole(0, MAX_EXACT, 0)),
            Map.entry("jobsDelayed", whole(0, MAX_EXACT, 2)),
            Map.entry("NamedEffects.moved", parts()),
            Map.entry("NamedEffects.failed", parts()),
            Map.entry("NamedEffects.losing", parts()),
            Map.entry("LosingReservation.lacks", parts()),
            Map.entry("MovedReservation.from", parts()),
            Map.entry("MovedReservation.to", parts()),
            Map.entry("FailedReservation.from", parts()),
            Map.entry("requeued", each(uuid(ID))),
            Map.entry("OutageSlot.moved", whole(0, MAX_EXACT, 3)),
            Map.entry("OutageSlot.failed", whole(0, MAX_EXACT, 0)),
            Map.entry("OutageSlot.losing", whole(0, MAX_EXACT, 1)),
            Map.entry("Losses.peSeconds", whole(0, MAX_EXACT, 7200)),
            Map.entry("Losses.since", instant("2027-01-31T13:00:00Z")),
            Map.entry("Losses.lacks", parts()),
            Map.entry("TakenPes.peSeconds", whole(0, MAX_EXACT, 3600)),
            Map.entry("TakenPes.since", instant("2027-01-31T13:00:00Z")),
            Map.entry("TakenPes.until", instant("2027-01-31T14:00:00Z")),
            Map.entry("OutageSlotsRequest.limit", whole(1, 16, 5)),
            Map.entry("gone", each(uuid(ID))),
            Map.entry("ReservationEnforcement.since", instant("2027-01-31T13:00:00Z")),
            Map.entry("since", text("^(W/)?\"?[0-9]{1,15}-[0-9a-f]{1,8}\"?$", 30, "17-0")),
            Map.entry("parameter.dryRun", words("true", "false")),
            Map.entry("parameter.retired", words("true", "false")),
            Map.entry("parameter.toApprove", words("true", "false")),
            Map.entry("Outage.moved", each(uuid(ID))),
            Map.entry("Outage.failed", each(uuid(ID))),
            Map.entry("parameter.state", oneOf(ReservationOrRequestState.class)),
            Map.entry("listJobs.state", oneOf(JobState.class)),
            Map.entry("Cluster.id", cluster()),
            Map.entry("cluster", cluster()),
            Map.entry("clusters", each(cluster())),
            Map.entry("FreeMap.clusters", parts()),
            Map.entry("hidden", each(cluster())),
            Map.entry("MapRow.starts", eachOrNull(instant("2027-01-31T14:00:00Z"))),
            Map.entry("MapRow.prices", eachOrNull(text("^[0-9]{1,34}(\\.[0-9]{1,6})?$", 41, "12.50"))),
            Map.entry("MapRow.availability", eachOrNull(share("0.93"))),
            Map.entry("ScheduleOfAll.clusters", parts()),
            Map.entry("UtilisationOfAll.clusters", parts()),
            Map.entry("name", label("my first run")),
            Map.entry("project", label("climate")),
            Map.entry("Project.id", project()),
            Map.entry("NewProject.id", project()),
            Map.entry("Project.name", label("Climate models")),
            Map.entry("NewProject.name", label("Climate models")),
            Map.entry("ChangedProject.name", label("Climate and weather")),
            Map.entry("ProjectGroup.group", label("/hpc/climate")),
            Map.entry("displayName", label("Zoë Ünal")),
            Map.entry("NewGrant.id", project()),
            Map.entry("Grant.id", project()),
            Map.entry("grant", project()),
            Map.entry("BudgetAmount.peHours", number("-1000000000000", "1000000000000", "5000")),
            Map.entry("BudgetAmount.amount", text("^-?\\d{1,40}(\\.\\d{1,6})?$", 48, "1250.00")),
            Map.entry("SignedMoney.amount", text("^-?\\d{1,40}(\\.\\d{1,6})?$", 48, "-2.50")),
            Map.entry("LedgerEntry.peHours", number("-1000000000000", "1000000000000", "32")),
            Map.entry("LedgerEntry.sequence", whole(1, MAX_EXACT, 17)),
            Map.entry("percent", whole(0, 100, 80)),
            Map.entry("ChargeSum.reservations", whole(0, MAX_EXACT, 12)),
            Map.entry("booked", number("0", "1000000000000", "32")),
            Map.entry("charged", number("-1000000000000", "1000000000000", "32")),
            Map.entry("used", number("0", "1000000000000", "20.5")),
            Map.entry("idle", number("0", "1000000000000", "11.5")),
            Map.entry("month", text("^\\d{4}-\\d{2}$", 7, "2027-01")),
            Map.entry("account", account()),
            Map.entry("owner", account()),
            Map.entry("Account.name", account()),
            Map.entry("Token.name", account()),
            Map.entry("ReservationData.reason", text("^[A-Za-z]+([_-][A-Za-z]+)*$", 40, "no-slot")),
            Map.entry("BackupFailure.reason", prose(1000, "No space left on device")),
            Map.entry("file", text("^berth-[0-9TZ-]+\\.zip$", 40, "berth-2027-01-31T020000Z.zip")),
            Map.entry("Instance.name", prose(255, "berth, process 17 on login1")),
            Map.entry("berth", text("^[!-~]{1,100}$", 100, "0.1.0")),
            Map.entry("RequestData.reason", text("^[A-Za-z]+([_-][A-Za-z]+)*$", 40, "no-slot")),
            Map.entry("refusal", text("^[A-Za-z]+([_-][A-Za-z]+)*$", 40, "no-slot")),
            Map.entry("Outage.reason", label("a rack is down")),
            Map.entry("NewOutage.reason", label("a rack is down")),
            Map.entry("ToldOutage.reason", label("n7 is drained: fan")),
            Map.entry("peIds", text("^[0-9]{1,8}(-[0-9]{1,8})?(,[0-9]{1,8}(-[0-9]{1,8})?)*$", MAX_PE_IDS, "0-31,40")),
            Map.entry("labels", values(labelValue())),
            Map.entry("requires", values(labelValue())),
            Map.entry("token", text("^[A-Za-z0-9._~+/-]{16,500}=*$", 510, "berth_as-it-is-shown-this-once")),
            Map.entry("type", words((Object[]) eventTypes())),
            Map.entry("flags", each(text("^[a-z]+(-[a-z]+)*$", 40, "moved"))),
            // lists
            Map.entry("after", cursor()),
            Map.entry("next", cursor()),
            Map.entry(Prefer.HEADER, text("^[ -~\\t]{0,1000}$", 1000, "wait=10")),
            Map.entry("Last-Event-ID", cursor()),
            Map.entry("Idempotency-Key", text("^[!-~]{1,255}$", 255, "c1f0a9d2-monday-run")),
            Map.entry("If-Match", text("^(\\*|(W/)?\"[!#-~]*\"([ \\t]*,[ \\t]*(W/)?\"[!#-~]*\")*)$", 1000, "\"3\"")),
            // problems
            Map.entry("title", prose(100, "No slot is free in the window")),
            Map.entry("detail", prose(2000, "Loosen the window, shorten the run or ask for fewer PEs.")),
            Map.entry("field", prose(200, "terms.duration")),
            Map.entry("message", prose(1000, "is longer than the time from ready time to deadline")),
            // series
            Map.entry("rrule", prose(500, "FREQ=WEEKLY;BYDAY=TU")),
            Map.entry("dtstart", prose(30, "2027-01-05T22:00")),
            Map.entry("zone", text("^[A-Za-z0-9_+/-]{1,60}$", 60, "Europe/Berlin")),
            Map.entry("exdates", eachOrNull(day("2027-02-02"))),
            Map.entry("earliest", duration("PT1H")),
            Map.entry("slack", duration("PT2H")),
            Map.entry("NewSeries.atLeast", whole(1, 400, 10)),
            Map.entry("count", whole(1, 1000, 10)),
            Map.entry("NewSeries.until", day("2027-12-31")),
            Map.entry("NewMaintenance.until", day("2027-12-31")),
            Map.entry("NewMaintenance.reason", label("patch day")),
            Map.entry("Maintenance.reason", label("patch day")),
            Map.entry("MaintenanceWindow.outage", uuid("01987e4c-9d2a-7e4f-8b1c-2a3d4e5f6071")),
            Map.entry("longestBefore", duration("PT20H")),
            Map.entry("Maintenance.maintenance", uuid("01987e4c-8c1d-7d2e-9f3a-4b5c6d7e8f90")),
            Map.entry("series", uuid("01987e4c-7d1a-7c3e-9d0a-5f6c1b2a3d4e")),
            Map.entry("occurrence", day("2027-01-05")),
            Map.entry("date", day("2027-01-05")),
            Map.entry("bookedUntil", day("2027-03-30")),
            Map.entry("Replaces.from", day("2027-03-02")),
            Map.entry("EndSeries.from", day("2027-03-02")),
            Map.entry("Occurrence.reservation", uuid("01987e4c-7d1a-7c3e-9d0a-5f6c1b2a3d4e")),
            Map.entry("Occurrence.reason", text("^[A-Za-z]+([_-][A-Za-z]+)*$", 40, "no-slot")),
            Map.entry("EventData.reason", prose(100, "PES_LOST")),
            Map.entry("Reservation.reason", prose(100, "PES_LOST")));

    private Vocabulary() {}

    /**
     * Returns what the document says about a field or path variable.
     *
     * @param owner the schema of the field, or the collection in the path
     */
    static Optional<Consumer<Schema<Object>>> find(String owner, String name) {
        return Optional.ofNullable(WORDS.get(owner + "." + name)).or(() -> Optional.ofNullable(WORDS.get(name)));
    }

    /** Returns what the document says about a setting that is not an object. */
    static Optional<Consumer<Schema<Object>>> of(RecordComponent component) {
        var setting = component.getAnnotation(Settable.class);
        return switch (SettingKind.of(component)) {
            case WHOLE ->
                Optional.of(whole(
                        Long.parseLong(setting.min()),
                        Long.parseLong(setting.max()),
                        Long.parseLong(setting.example())));
            case NUMBER -> Optional.of(number(setting.min(), setting.max(), setting.example()));
            case TEXT -> Optional.of(label(setting.example()));
            case DURATION -> Optional.of(duration(setting.example()));
            case LETTERS, MONEY, CURRENCY, NODES, ACCOUNTS, LABELS ->
                Optional.ofNullable(WORDS.get(Components.name(component)));
            case TRUTH, WORD, RECORD, RECORDS -> Optional.empty();
        };
    }

    /** Returns what the document says about a parameter. An entry for the operation id takes precedence. */
    static Optional<Consumer<Schema<Object>>> find(String call, String owner, String name) {
        return Optional.ofNullable(WORDS.get(call + "." + name)).or(() -> find(owner, name));
    }

    private static Consumer<Schema<Object>> instant(String example) {
        return schema -> type(schema, "string").format("date-time").setExamples(List.of(example));
    }

    private static Consumer<Schema<Object>> day(String example) {
        return schema -> type(schema, "string").format("date").setExamples(List.of(example));
    }

    /** Leaves the schema as it is, because the field's own type describes it. */
    private static Consumer<Schema<Object>> parts() {
        return schema -> {};
    }

    private static Consumer<Schema<Object>> duration(String example) {
        return text("^P([0-9]{1,9}D)?(T([0-9]{1,9}H)?([0-9]{1,9}M)?([0-9]{1,9}(\\.[0-9]{1,9})?S)?)?$", 60, example);
    }

    private static Consumer<Schema<Object>> uuid(String example) {
        return schema -> type(schema, "string").format("uuid").setExamples(List.of(example));
    }

    private static Consumer<Schema<Object>> cluster() {
        return text("^[a-z0-9][a-z0-9-]{0,62}$", 63, "demo");
    }

    private static Consumer<Schema<Object>> account() {
        return text("^[A-Za-z0-9][A-Za-z0-9._@-]{0,62}$", 63, "alice");
    }

    private static Consumer<Schema<Object>> project() {
        return text("^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$", 63, "climate");
    }

    private static Consumer<Schema<Object>> source() {
        return text("^[A-Za-z0-9._-]{1,63}$", 63, "slurm");
    }

    /** Describes a free text that the client chooses. */
    private static Consumer<Schema<Object>> label(String example) {
        return schema ->
                type(schema, "string").minLength(1).maxLength(Fields.MAX_LABEL).setExamples(List.of(example));
    }

    private static Consumer<Schema<Object>> labelValue() {
        return text("^[A-Za-z0-9][A-Za-z0-9._/-]{0,62}$", 63, "a100");
    }

    private static Consumer<Schema<Object>> share(String example) {
        return number("0", "1", example);
    }

    private static Consumer<Schema<Object>> cursor() {
        return schema -> type(schema, "string").pattern("^[A-Za-z0-9._@-]+$").setExamples(List.of("ZGVtbzoxNw"));
    }

    private static Consumer<Schema<Object>> prose(int most, String example) {
        return schema -> type(schema, "string").maxLength(most).setExamples(List.of(example));
    }

    private static Consumer<Schema<Object>> text(String pattern, int most, String example) {
        return schema -> type(schema, "string").pattern(pattern).maxLength(most).setExamples(List.of(example));
    }

    private static String[] eventTypes() {
        return Arrays.stream(Event.Type.values()).map(EventBody::word).toArray(String[]::new);
    }

    private static Consumer<Schema<Object>> words(Object... words) {
        var all = Arrays.stream(words).<Object>map(Object::toString).toList();
        return schema ->
                type(schema, "string").examples(List.of(all.getFirst())).setEnum(all);
    }

    private static Consumer<Schema<Object>> oneOf(Class<? extends Enum<?>> words) {
        return schema -> schema.set$ref(SchemaNames.names.of(words));
    }

    private static Consumer<Schema<Object>> whole(long least, long most, long example) {
        return schema -> type(schema, "integer")
                .format(most > Integer.MAX_VALUE ? "int64" : "int32")
                .minimum(BigDecimal.valueOf(least))
                .maximum(BigDecimal.valueOf(most))
                .setExamples(List.of(example));
    }

    private static Consumer<Schema<Object>> number(String least, String most, String example) {
        return schema -> type(schema, "number")
                .minimum(new BigDecimal(least))
                .maximum(new BigDecimal(most))
                .setExamples(List.of(new BigDecimal(example)));
    }

    private static Consumer<Schema<Object>> each(Consumer<Schema<Object>> item) {
        return schema -> item.accept(cast(schema.getItems()));
    }

    /** Describes a list whose items may be null. */
    private static Consumer<Schema<Object>> eachOrNull(Consumer<Schema<Object>> item) {
        return schema -> {
            var each = cast(schema.getItems());
            item.accept(each);
            each.setTypes(new LinkedHashSet<>(List.of(each.getTypes().iterator().next(), "null")));
        };
    }

    private static Consumer<Schema<Object>> values(Consumer<Schema<Object>> value) {
        return schema -> {
            if (schema.getAdditionalProperties() instanceof Schema<?> values) {
                value.accept(cast(values));
            }
        };
    }

    private static Schema<Object> type(Schema<Object> schema, String type) {
        schema.setTypes(new LinkedHashSet<>(List.of(type)));
        return schema;
    }

    @SuppressWarnings("unchecked")
    private static Schema<Object> cast(Schema<?> schema) {
        return (Schema<Object>) schema;
    }
}
