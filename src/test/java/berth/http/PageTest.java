package berth.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PageTest {

    private final List<Integer> limits = new ArrayList<>();
    private int readInAll;

    /** Returns a page of a list of texts of the given length. */
    private Page<String> page(int number, int length, int limit) {
        return Page.read(
                        limit,
                        (List<Integer> read, int some) -> {
                            limits.add(some);
                            var piece = IntStream.range(read.size(), Math.min(number, read.size() + some))
                                    .boxed()
                                    .toList();
                            readInAll += piece.size();
                            return piece;
                        },
                        i -> "x".repeat(length))
                .page(i -> "after " + i);
    }

    @Test
    void aPageHasAsManyItemsAsItsLimit() {
        assertThat(page(501, 10, 500))
                .satisfies(page -> assertThat(page.items()).hasSize(500))
                .satisfies(page -> assertThat(page.next()).isEqualTo("after 499"));
        assertThat(page(33, 10, 32).next()).isEqualTo("after 31");
    }

    @Test
    void theLastPageNamesNoNextOne() {
        for (int number : List.of(0, 1, 31, 32, 33, 499, 500)) {
            assertThat(page(number, 10, 500))
                    .satisfies(page -> assertThat(page.items()).hasSize(number))
                    .satisfies(page -> assertThat(page.next()).isNull());
        }
    }

    @Test
    void aPageOfLargeItemsEndsWithTheOneThatFillsIt() {
        int length = 10_000;
        int size = Page.MAX_BYTES / (length + 2) + 1;
        assertThat(page(500, length, 500))
                .satisfies(page -> assertThat(page.items()).hasSize(size))
                .satisfies(page -> assertThat(page.next()).isEqualTo("after " + (size - 1)));
        assertThat(page(size, length, 500).next()).isNull();
        assertThat(page(500, Page.MAX_BYTES, 500).items()).hasSize(1);
    }

    @Test
    void aPageReadsFewLargeItemsInVainAndManySmallOnesAtOnce() {
        page(500, 5_000, 500);
        assertThat(readInAll).isLessThan(Page.MAX_BYTES / 5_000 + 5);

        limits.clear();
        page(500, 10, 500);
        assertThat(limits).containsExactly(Page.FIRST_PIECE + 1, 500 - Page.FIRST_PIECE + 1);
    }

    @Test
    void aCompleteListHasTheSamePages() {
        var found = IntStream.range(0, 101).boxed().toList();

        var page = Page.of(found, 100, i -> i, String::valueOf);

        assertThat(page.items()).isEqualTo(found.subList(0, 100));
        assertThat(page.next()).isEqualTo("99");
        assertThat(Page.of(found, 101, i -> i, String::valueOf).next()).isNull();
    }
}
