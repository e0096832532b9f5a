package berth.contract;

import com.github.therapi.runtimejavadoc.Comment;
import com.github.therapi.runtimejavadoc.Link;
import com.github.therapi.runtimejavadoc.ParamJavadoc;
import com.github.therapi.runtimejavadoc.RuntimeJavadoc;
import com.github.therapi.runtimejavadoc.ToHtmlStringCommentVisitor;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import tools.jackson.databind.json.JsonMapper;

/**
 * A Javadoc comment as Markdown. The Javadoc of controllers and bodies is the only source of the document's descriptions.
 *
 * @param text the Markdown; empty if there is no comment
 */
record Prose(String text) {

    private static final Pattern PARAGRAPH = Pattern.compile("\\s*<p>\\s*");
    private static final Pattern WRAP = Pattern.compile("[ \\t]*\\r?\\n[ \\t]*");
    private static final Pattern FULL_STOP = Pattern.compile("\\.(?=\\s)|\\.$|(?=\\n\\n)");

    static Prose of(Class<?> type) {
        return of(RuntimeJavadoc.getJavadoc(type).getComment());
    }

    static Prose of(Method method) {
        return of(RuntimeJavadoc.getJavadoc(method).getComment());
    }

    /** Returns the text of a method's {@code @return}. */
    static Prose ofAnswer(Method method) {
        return of(RuntimeJavadoc.getJavadoc(method).getReturns());
    }

    /** Returns the texts of a method's {@code @param} tags, by parameter name. */
    static Map<String, Prose> ofParameters(Method method) {
        return byName(RuntimeJavadoc.getJavadoc(method).getParams());
    }

    /** Returns the texts of a record's {@code @param} tags, by component name. */
    static Map<String, Prose> ofComponents(Class<?> type) {
        return byName(RuntimeJavadoc.getJavadoc(type).getRecordComponents());
    }

    /** Returns a Markdown list item for each documented constant of an enum. */
    static List<String> ofConstants(Class<?> type) {
        return RuntimeJavadoc.getJavadoc(type).getEnumConstants().stream()
                .filter(constant -> !constant.isEmpty())
                .map(constant -> "- `%s`: %s"
                        .formatted(
                                word(type, constant.getName()),
                                of(constant.getComment()).text()))
                .toList();
    }

    /** Returns a constant of an enum as JSON has it. */
    private static String word(Class<?> type, String name) {
        return Arrays.stream(type.getEnumConstants())
                .filter(constant -> ((Enum<?>) constant).name().equals(name))
                .map(constant -> JsonMapper.shared().convertValue(constant, String.class))
                .findFirst()
                .orElseThrow();
    }

    private static Map<String, Prose> byName(List<ParamJavadoc> parameters) {
        return parameters.stream().collect(Collectors.toMap(ParamJavadoc::getName, each -> of(each.getComment())));
    }

    private static Prose of(Comment comment) {
        var visitor = new MarkdownVisitor();
        comment.visit(visitor);
        var lines = WRAP.matcher(visitor.build()).replaceAll(" ");
        return new Prose(PARAGRAPH.matcher(lines).replaceAll("\n\n").strip());
    }

    private static final class MarkdownVisitor extends ToHtmlStringCommentVisitor {
        @Override
        public void inlineTag(String name, String value) {
            if (name.equals("code")) {
                buf.append('`').append(value).append('`');
            } else {
                buf.append(value);
            }
        }

        @Override
        public void inlineLink(Link link) {
            buf.append('`').append(link.getLabel()).append('`');
        }
    }

    /** Returns the first sentence, without its full stop. */
    String firstSentence() {
        return FULL_STOP.split(text, 2)[0].strip();
    }

    /** Returns the text after the first sentence; empty if there is none. */
    String furtherSentences() {
        var parts = FULL_STOP.split(text, 2);
        return parts.length < 2 ? "" : parts[1].strip();
    }

    /** Returns the text of a block tag as a sentence: with a capital at its start and a full stop at its end. */
    String asSentence() {
        if (text.isEmpty()) {
            return text;
        }
        var begun = Character.toUpperCase(text.charAt(0)) + text.substring(1);
        return begun.endsWith(".") ? begun : begun + ".";
    }
}
