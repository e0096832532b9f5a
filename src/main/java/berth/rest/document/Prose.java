package berth.rest.document;

import com.github.therapi.runtimejavadoc.Comment;
import com.github.therapi.runtimejavadoc.Link;
import com.github.therapi.runtimejavadoc.ParamJavadoc;
import com.github.therapi.runtimejavadoc.RuntimeJavadoc;
import com.github.therapi.runtimejavadoc.ToHtmlStringCommentVisitor;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A Javadoc comment as Markdown: the Javadoc of calls and bodies is the one source of the document's descriptions.
 *
 * @param text empty where there is no comment
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

    /** What a method says that it answers. */
    static Prose ofAnswer(Method method) {
        return of(RuntimeJavadoc.getJavadoc(method).getReturns());
    }

    /** What a method says of its parameters, by their names. */
    static Map<String, Prose> ofParameters(Method method) {
        return byName(RuntimeJavadoc.getJavadoc(method).getParams());
    }

    /** What a record says of its components, by their names. */
    static Map<String, Prose> ofComponents(Class<?> type) {
        return byName(RuntimeJavadoc.getJavadoc(type).getRecordComponents());
    }

    /** What an enum says of its constants, one line each. */
    static List<String> ofConstants(Class<?> type) {
        return RuntimeJavadoc.getJavadoc(type).getEnumConstants().stream()
                .filter(constant -> !constant.isEmpty())
                .map(constant -> "- `%s`: %s"
                        .formatted(constant.getName(), of(constant.getComment()).text()))
                .toList();
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

    /** Up to and without the first full stop. */
    String firstSentence() {
        return FULL_STOP.split(text, 2)[0].strip();
    }

    /** What follows the first sentence; empty if there is no more. */
    String furtherSentences() {
        var parts = FULL_STOP.split(text, 2);
        return parts.length < 2 ? "" : parts[1].strip();
    }

    /** The text of a block tag, which begins in lower case and ends without a full stop, as a sentence. */
    String asSentence() {
        if (text.isEmpty()) {
            return text;
        }
        var begun = Character.toUpperCase(text.charAt(0)) + text.substring(1);
        return begun.endsWith(".") ? begun : begun + ".";
    }
}
