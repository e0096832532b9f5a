package berth.refusals;

import static org.assertj.core.api.Assertions.assertThat;

import berth.refusals.RefusedRequest.Kind;
import berth.refusals.RefusedRequest.WouldHaveFit;
import berth.reservation.ClusterId;
import berth.reservation.RefusalCode;
import berth.runtime.StorageUnavailable;
import berth.runtime.Threads;
import berth.sla.AccountName;
import berth.sla.RequestedTerms;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class RefusalLogTest {

    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final List<RefusedRequest> table = new ArrayList<>();

    private static RefusedRequest refused(String account, int pes) {
        return refused(
                account, RequestedTerms.of(OptionalLong.empty(), OptionalLong.empty(), 3600, pes), "Ask for less.");
    }

    private static RefusedRequest refused(String account, RequestedTerms terms, String detail) {
        return new RefusedRequest(
                1000,
                Kind.RESERVATION,
                new AccountName(account),
                Optional.empty(),
                Set.of(new ClusterId("demo")),
                Optional.empty(),
                terms,
                OptionalLong.empty(),
                RefusalCode.NO_SLOT,
                detail,
                WouldHaveFit.NOTHING,
                Optional.empty());
    }

    private double dropped(String why) {
        return meters.get("berth.refusals.dropped").tag("why", why).counter().count();
    }

    private int add(List<RefusedRequest> some) {
        table.addAll(some);
        return 0;
    }

    @Test
    void whatWasRefusedBeforeTheEndIsRecordedInOrder() {
        var log = new RefusalLog(this::add, Threads.OF_THE_JVM, meters);
        for (int pes = 1; pes <= 100; pes++) {
            log.record(refused("ada", pes));
        }
        log.close();

        assertThat(table.stream().map(each -> each.terms().pes())).isSorted().hasSize(100);
        assertThat(meters.get("berth.refusals.recorded").counter().count()).isEqualTo(100);
    }

    @Test
    void aRefusalDoesNotWaitForTheTableAndOneAccountDoesNotDisplaceOthers() throws InterruptedException {
        var isAsked = new CountDownLatch(1);
        var answers = new CountDownLatch(1);
        var log = new RefusalLog(
                some -> {
                    isAsked.countDown();
                    awaitUninterrupted(answers);
                    return add(some);
                },
                Threads.OF_THE_JVM,
                meters);
        log.record(refused("ada", 1));
        isAsked.await();

        for (int i = 0; i < RefusalLog.MAX_OF_ACCOUNT + 7; i++) {
            log.record(refused("flood", 2));
        }
        log.record(refused("bob", 3));
        assertThat(dropped("too-many")).isEqualTo(7);
        for (int i = 0; i < RefusalLog.MAX; i++) {
            log.record(refused("other" + i, 4));
        }
        answers.countDown();
        log.close();

        assertThat(table).hasSize(1 + RefusalLog.MAX);
        assertThat(table.stream().filter(each -> each.terms().pes() == 2)).hasSize(RefusalLog.MAX_OF_ACCOUNT);
        assertThat(table.stream().filter(each -> each.terms().pes() == 3)).hasSize(1);
        assertThat(dropped("too-many")).isEqualTo(7 + RefusalLog.MAX_OF_ACCOUNT + 1);
    }

    private static void awaitUninterrupted(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void whatTheDatabaseDoesNotRecordIsLostAndCounted() {
        var log = new RefusalLog(
                some -> {
                    throw new StorageUnavailable(new IllegalStateException("away"));
                },
                Threads.OF_THE_JVM,
                meters);
        log.record(refused("ada", 1));
        log.close();

        assertThat(dropped("database")).isEqualTo(1);
        assertThat(meters.get("berth.refusals.recorded").counter().count()).isZero();
    }

    @Test
    void anAccountsOlderOnesThatMakeWayAreCounted() {
        var log = new RefusalLog(_ -> 5, Threads.OF_THE_JVM, meters);
        log.record(refused("ada", 1));
        log.close();

        assertThat(dropped("account")).isEqualTo(5);
    }

    @Test
    void theLeadIsTheTimeToTheEarliestStart() {
        var now = RequestedTerms.of(OptionalLong.empty(), OptionalLong.empty(), 3600, 1);

        assertThat(refused("ada", now, "").lead()).isZero();
        assertThat(refused("ada", now.readyAt(950), "").lead()).isZero();
        assertThat(refused("ada", now.readyAt(4600), "").lead()).isEqualTo(3600);
    }

    @Test
    void aDetailHasOnlyCharactersThatCanBeStoredAndAnEnd() {
        var terms = RequestedTerms.of(OptionalLong.empty(), OptionalLong.empty(), 3600, 1);

        assertThat(refused("ada", terms, "a\0b\ud800").detail()).isEqualTo("a?b?");
        assertThat(refused("ada", terms, "x".repeat(5000)).detail()).hasSize(1000);
    }
}
