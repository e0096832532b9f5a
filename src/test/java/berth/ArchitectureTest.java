package berth;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.type;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static java.util.Map.entry;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import berth.availability.CapacityProfile;
import berth.availability.PeCalendar;
import berth.availability.PeSet;
import berth.availability.PlacementPolicy;
import berth.batch.BatchJob;
import berth.batch.JobId;
import berth.batch.Jobs;
import berth.intake.Dpsar;
import berth.intake.IntakeRequest;
import berth.lab.simulation.SimulatedCluster;
import berth.runtime.Threads;
import berth.runtime.Uptime;
import berth.scheduling.Basis;
import berth.scheduling.ClusterSchedule;
import berth.scheduling.Decision;
import berth.scheduling.Event;
import berth.scheduling.Rejection;
import berth.scheduling.Target;
import berth.scheduling.commands.Command;
import berth.scheduling.places.Alternatives;
import berth.scheduling.places.Preference;
import berth.scheduling.places.Probe;
import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitAccessTarget;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaPackage;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.security.SecureRandom;
import java.time.LocalDate;
import java.util.Calendar;
import java.util.Collection;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Timer;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Checks which package may use which others. A new package needs an entry in these tables. */
class ArchitectureTest {

    /** The core: plain Java that makes all decisions. Each package may use those listed before it. */
    private static final List<String> CORE = List.of(
            "outcome",
            "time",
            "availability",
            "sla",
            "approval",
            "pricing",
            "reservation",
            "budget",
            "cluster",
            "batch",
            "intake",
            "scheduling",
            "scheduling.places",
            "scheduling.commands");

    /** What every feature may use, besides the core. */
    private static final List<String> ENGINE = List.of("runtime", "instances", "engine");

    /** What the calls of a feature may use, besides the feature itself. */
    private static final List<String> WEB = and(ENGINE, "accounts", "http");

    /** What the tables of a feature may use, besides the feature itself. */
    private static final List<String> STORE = and(ENGINE, "database", "store");

    /** The packages with Spring, and which of them each may use in addition to the core: the kit first, then the features. */
    private static final Map<String, List<String>> SERVICE = Map.ofEntries(
            entry("runtime", List.of()),
            entry("instances", List.of("runtime")),
            entry("engine", List.of("runtime", "instances")),
            entry("database", List.of("runtime")),
            entry("store", and(ENGINE, "database", "booking")),
            entry("archive", STORE),
            entry("http", List.of("runtime", "accounts")),
            entry("accounts", List.of()),
            entry("projects", List.of("accounts")),
            entry("peers", ENGINE),
            entry("booking", and(ENGINE, "peers")),
            entry("series", and(ENGINE, "accounts")),
            entry("webhooks", and(ENGINE, "accounts", "projects")),
            entry("accounts.store", and(STORE, "accounts")),
            entry("projects.store", and(STORE, "projects")),
            entry("peers.store", and(STORE, "peers")),
            entry("booking.store", and(STORE, "booking", "peers.store")),
            entry("series.store", and(STORE, "series")),
            entry("webhooks.store", and(STORE, "webhooks")),
            entry("instances.store", and(STORE, "accounts", "peers", "projects", "webhooks")),
            entry("refusals", STORE),
            entry("booking.terms", List.of("http")),
            entry("booking.policy", and(ENGINE, "http", "booking.terms")),
            entry(
                    "booking.web",
                    and(WEB, "booking", "booking.policy", "booking.terms", "peers", "projects", "refusals")),
            entry("refusals.web", and(WEB, "booking.terms", "booking.web", "refusals")),
            entry("readings", and(WEB, "booking.web")),
            entry("reports", and(WEB, "booking.web", "projects", "readings")),
            entry("clusters", and(WEB, "booking", "booking.web", "peers", "readings", "series")),
            entry("projects.web", and(WEB, "projects")),
            entry("events", and(WEB, "booking", "booking.terms", "booking.web", "projects.web")),
            entry("feeds", and(WEB, "booking", "booking.web", "peers", "readings")),
            entry(
                    "series.web",
                    and(WEB, "series", "booking.policy", "booking.terms", "booking.web", "readings", "refusals")),
            entry("mail", and(STORE, "accounts", "projects", "http", "booking", "feeds", "webhooks")),
            entry("mail.web", and(WEB, "mail")),
            entry("webhooks.web", and(WEB, "webhooks", "events")),
            entry("accounts.web", WEB),
            entry("instances.web", and(WEB, "booking.web", "peers")),
            entry("archive.web", WEB),
            entry("demo", and(STORE, "archive", "http")),
            entry(
                    "service",
                    and(
                            and(WEB, "database", "store", "archive", "instances.web", "instances.store"),
                            "booking.web",
                            "booking.terms",
                            "booking.store",
                            "mail",
                            "peers",
                            "peers.store",
                            "projects",
                            "projects.store",
                            "webhooks",
                            "webhooks.store")));

    private static List<String> and(List<String> some, String... others) {
        return Stream.concat(some.stream(), Stream.of(others)).toList();
    }

    /** Clients and the laboratory, and which of these packages each may use in addition to the core. */
    private static final Map<String, List<String>> LABORATORY = Map.of(
            "terminal", List.of(),
            "slurm", List.of("terminal"),
            // the service's jar does not contain those below: only they, and the program in lab, may use each other
            "lab.progress", List.of(),
            "lab.workload", List.of(),
            "lab.replay", List.of("lab.workload", "lab.progress", "terminal"),
            "lab.simulation", List.of("lab.workload"),
            "lab.experiment", List.of("lab.workload", "lab.simulation", "lab.progress", "terminal"));

    /** The largest number of collaborators of a controller. */
    private static final int MAX_COLLABORATORS = 5;

    /** The packages that make decisions. */
    private static final List<String> DECIDING =
            List.of("availability", "batch", "intake", "scheduling", "scheduling.places", "scheduling.commands");

    /** The types that commands contain and that decisions return. DPSAR, an order of requests, is itself part of a command. */
    private static final List<Class<?>> ANSWERS = List.of(
            ClusterSchedule.class,
            Decision.class,
            Rejection.class,
            Event.class,
            Probe.class,
            Preference.class,
            Alternatives.class,
            Target.class,
            Basis.class,
            PlacementPolicy.class,
            PeSet.class,
            BatchJob.class,
            Jobs.class,
            JobId.class,
            IntakeRequest.class,
            Dpsar.class);

    private static final String[] CORE_LIBRARIES = {"java..", "org.jspecify..", "org.pcollections.."};

    private static final JavaClasses BERTH = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("berth");

    @ParameterizedTest
    @MethodSource("names")
    void aPackageUsesOnlyThePackagesInItsRow(String name) {
        var others = row(name);
        classes()
                .that(resideInAPackage(within(name)))
                .should()
                .onlyDependOnClassesThat(not(resideInAPackage("berth.."))
                        .or(resideInAPackage(within(name)))
                        .or(resideInAny(others)))
                .as("berth.%s uses no other package of Berth than %s".formatted(name, others))
                .because("the core is decided by itself, the edges do not know each other,"
                        + " and the laboratory runs without the service")
                .check(BERTH);
    }

    @Test
    void aControllerReadsAndWritesBodiesAndLeavesTheRestToOthers() {
        classes()
                .that()
                .areAnnotatedWith(RestController.class)
                .should(new ArchCondition<>("have at most %d collaborators".formatted(MAX_COLLABORATORS)) {
                    @Override
                    public void check(JavaClass controller, ConditionEvents events) {
                        int most = controller.getConstructors().stream()
                                .mapToInt(constructor ->
                                        constructor.getRawParameterTypes().size())
                                .max()
                                .orElse(0);
                        events.add(new SimpleConditionEvent(
                                controller,
                                most <= MAX_COLLABORATORS,
                                "%s has %d".formatted(controller.getName(), most)));
                    }
                })
                .because("what a call does is decided behind one door, whoever calls")
                .check(BERTH);
    }

    @Test
    void aControllerReadsParametersAsTextsSoThatAWrongOneIsNamed() {
        assertThat(BERTH.stream()
                        .flatMap(each -> each.getMethods().stream())
                        .flatMap(method -> method.getParameters().stream())
                        .filter(parameter -> parameter.isAnnotatedWith(RequestParam.class))
                        .filter(parameter -> !parameter.getRawType().isEquivalentTo(String.class)))
                .isEmpty();
    }

    @Test
    void theCoreUsesFewLibraries() {
        classes()
                .that(resideInTheCore())
                .should()
                .onlyDependOnClassesThat(resideInTheCore().or(resideInAnyPackage(CORE_LIBRARIES)))
                .as("the core uses Java, persistent collections and null annotations, and neither Spring nor JPA")
                .because("service and laboratory run the same core")
                .check(BERTH);
    }

    @Test
    void theCoreReadsNoClock() {
        noClasses()
                .that(resideInTheCore())
                .should()
                // LocalDate is allowed, because here it only identifies an occurrence
                .dependOnClassesThat(resideInAPackage("java.time..").and(not(type(LocalDate.class))))
                .orShould()
                .callMethod(LocalDate.class, "now")
                .orShould()
                .callMethod(System.class, "currentTimeMillis")
                .orShould()
                .callMethod(System.class, "nanoTime")
                .orShould()
                .dependOnClassesThat()
                .areAssignableTo(Date.class)
                .orShould()
                .dependOnClassesThat()
                .areAssignableTo(Calendar.class)
                .as("the core is told the time, in whole seconds")
                .because("the same commands at the same times must give the same schedule")
                .check(BERTH);
    }

    @Test
    void theCoreStartsNoThreads() {
        noClasses()
                .that(resideInTheCore())
                .should()
                .dependOnClassesThat(resideInAPackage("java.util.concurrent.."))
                .orShould()
                .dependOnClassesThat()
                .areAssignableTo(Thread.class)
                .orShould()
                .dependOnClassesThat()
                .areAssignableTo(Timer.class)
                .as("the core knows no threads, locks or executors")
                .because("its values never change, so that anybody may read them, and the desk is their one writer")
                .check(BERTH);
    }

    /** Otherwise the yard would have to wait, and the same seed would lead to different histories. */
    @Test
    void engineAndBrokerWaitAndBeginThreadsThroughThePortAlone() {
        noClasses()
                .that(resideInAny(and(ENGINE, "peers", "booking")))
                .and(not(isOf(List.of(Threads.class, Uptime.class))))
                .and()
                .haveNameNotMatching(".*[.](DeskConfiguration|HttpBerthClient)")
                .should()
                .accessTargetWhere(describe(
                        "the clock of the JVM, its threads or a wait for a time",
                        access -> isTimed(access.getTarget())))
                .as("engine and broker read the clock, wait for a time and begin threads through their ports alone")
                .because("whole Berths run in the yard, in a time of their own")
                .check(BERTH);
    }

    private static boolean isTimed(AccessTarget target) {
        var owner = target.getOwner();
        return switch (target.getName()) {
            case "now", "system", "systemUTC", "systemDefaultZone" ->
                owner.getPackageName().equals("java.time");
            case "nanoTime", "currentTimeMillis" -> owner.isEquivalentTo(System.class);
            case "availableProcessors" -> owner.isEquivalentTo(Runtime.class);
            case "sleep", "ofVirtual", "ofPlatform", "startVirtualThread", "onSpinWait" ->
                owner.isAssignableTo(Thread.class) || owner.isAssignableTo(TimeUnit.class);
            case "<init>" -> owner.isAssignableTo(Thread.class) || owner.isAssignableTo(Timer.class);
            case "newVirtualThreadPerTaskExecutor",
                    "newFixedThreadPool",
                    "newCachedThreadPool",
                    "newSingleThreadExecutor",
                    "newScheduledThreadPool",
                    "newSingleThreadScheduledExecutor",
                    "newWorkStealingPool" -> owner.isEquivalentTo(Executors.class);
            // calls with a timeout
            default ->
                owner.getPackageName().startsWith("java.util.concurrent")
                        && target instanceof CodeUnitAccessTarget called
                        && called.getRawParameterTypes().stream().anyMatch(type -> type.isEquivalentTo(TimeUnit.class));
        };
    }

    @Test
    void theCoreDrawsNoRandomNumbersOfItsOwn() {
        noClasses()
                .that(resideInTheCore())
                .should()
                .callMethod(Math.class, "random")
                .orShould()
                .callMethod(UUID.class, "randomUUID")
                .orShould()
                .callConstructor(Random.class)
                .orShould()
                .dependOnClassesThat()
                .areAssignableTo(SecureRandom.class)
                .as("the core is passed its random numbers and identifiers")
                .because("the same commands and seeds must give the same schedule")
                .check(BERTH);
    }

    @Test
    void theLaboratoryRunsWithoutSpring() {
        noClasses()
                .that(resideInAny(LABORATORY.keySet()))
                .should()
                .dependOnClassesThat(
                        resideInAnyPackage("org.springframework..", "jakarta.persistence..", "org.hibernate.."))
                .as("the laboratory uses neither Spring nor JPA")
                .because("an experiment is a program that starts at once and stands by itself")
                .check(BERTH);
    }

    @Test
    void theLaboratoryLeavesSchedulingToTheCore() {
        noClasses()
                .that(resideInAny(LABORATORY.keySet()))
                .should()
                .dependOnClassesThat()
                .areAssignableTo(CapacityProfile.class)
                .orShould()
                .dependOnClassesThat()
                .areAssignableTo(PeCalendar.class)
                .as("the laboratory never looks at free PEs over time")
                .because("what is simulated must be what the service would decide")
                .check(BERTH);
    }

    /** The laboratory uses requests and answers, not the code that turns the one into the other. */
    @Test
    void theLaboratoryKnowsOnlyCommandsAndTheirResults() {
        noClasses()
                .that(resideInAny(LABORATORY.keySet()))
                .should()
                .dependOnClassesThat(resideInAny(DECIDING)
                        .and(not(assignableTo(Command.class)).and(not(isOf(ANSWERS)))))
                .as("the laboratory has no scheduling rule of its own, nor calls one but by a command")
                .because("a policy that does well in an experiment must do as well in the service")
                .check(BERTH);
    }

    /** Ensures that every study notices a broken rule of the core, with the same message. */
    @Test
    void oneClassOfTheLaboratoryMakesDecisionsCurrent() {
        noClasses()
                .that(resideInAny(LABORATORY.keySet()))
                .and(not(isOf(List.of(SimulatedCluster.class))))
                .should()
                .dependOnClassesThat()
                .areAssignableTo(Decision.class)
                .as("whatever is simulated is simulated on a simulated cluster")
                .check(BERTH);
    }

    @Test
    void theServiceRunsWithoutTheLaboratory() {
        noClasses()
                .that(resideInAPackage("berth.."))
                .and(not(resideInAPackage("berth.lab..")))
                .should()
                .dependOnClassesThat(resideInAnyPackage(
                        "berth.lab..", "com.google.ortools..", "com.samskivert.mustache..", "me.tongfei.progressbar.."))
                .as("only the laboratory uses itself and its libraries")
                .because("the service's jar contains neither")
                .check(BERTH);
    }

    @Test
    void onlyTheAdvisorAsksTheExactSolver() {
        noClasses()
                .that(resideInAPackage("berth.."))
                .and(not(resideInAPackage(within("lab.experiment.advisor"))))
                .should()
                .dependOnClassesThat(resideInAPackage("com.google.ortools.."))
                .as("the exact solver is for the laboratory's upper bound alone")
                .because("what is decided must not take a solver's time, nor need its native library")
                .check(BERTH);
    }

    @Test
    void packagesHaveNoCycles() {
        slices().matching("berth.(**)")
                .should()
                .beFreeOfCycles()
                .because("packages that know each other are one package")
                .check(BERTH);
    }

    @Test
    void everyPackageIsInTheTable() {
        var found = packages()
                .map(JavaPackage::getName)
                // the programs
                .filter(name -> !List.of("berth", "berth.lab").contains(name))
                .map(name -> name.substring("berth.".length()).replaceFirst("^(lab\\.\\w+)\\..*", "$1"))
                .collect(toSet());

        assertThat(found).containsExactlyInAnyOrderElementsOf(names());
    }

    @Test
    void everyPackageIsNullMarked() {
        assertThat(packages())
                .allSatisfy(each -> assertThat(each.isAnnotatedWith(NullMarked.class))
                        .as("%s has a package-info with @NullMarked", each.getName())
                        .isTrue());
    }

    /** Returns the packages that have a row. */
    private static List<String> names() {
        return Stream.of(CORE, SERVICE.keySet(), LABORATORY.keySet())
                .flatMap(Collection::stream)
                .toList();
    }

    /** Returns the packages of Berth that the given one may use. */
    private static List<String> row(String name) {
        if (CORE.contains(name)) {
            return CORE.subList(0, CORE.indexOf(name));
        }
        var others = SERVICE.getOrDefault(name, LABORATORY.getOrDefault(name, List.of()));
        return Stream.of(CORE, others).flatMap(Collection::stream).toList();
    }

    /** Returns the packages that contain classes. */
    private static Stream<JavaPackage> packages() {
        return BERTH.stream().map(JavaClass::getPackage).distinct();
    }

    /** Matches the given types, their nested types and their subtypes. */
    private static DescribedPredicate<JavaClass> isOf(List<Class<?>> types) {
        return describe(
                "one of " + types,
                found -> types.stream()
                        .anyMatch(type ->
                                found.isAssignableTo(type) || found.getName().startsWith(type.getName() + "$")));
    }

    private static DescribedPredicate<JavaClass> resideInTheCore() {
        return resideInAny(CORE);
    }

    private static DescribedPredicate<JavaClass> resideInAny(Collection<String> names) {
        return resideInAnyPackage(names.stream().map(ArchitectureTest::within).toArray(String[]::new));
    }

    /** Returns the pattern of a package: with those below it in the laboratory, where they are parts of it. */
    private static String within(String name) {
        return "berth." + name + (name.startsWith("lab.") ? ".." : "");
    }
}
