/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.benchmarks.report;

import java.util.Locale;

/** Draws an SVG image that is readable on a light and on a dark page. Units are pixels. */
final class Svg {

    /** Distinguishable with colour blindness, and from both backgrounds. */
    static final String[] COLOURS = {
        "#0072b2", "#56b4e9", "#009e73", "#e69f00", "#d55e00", "#cc79a7", "#8c8c8c", "#a08c00"
    };

    private static final String STYLE = """
            .page { fill: #ffffff; }
            text { font-family: system-ui, sans-serif; font-size: 12px; fill: #1f2328; }
            .title { font-size: 16px; font-weight: 600; }
            .small { font-size: 10px; paint-order: stroke; stroke: #ffffff; stroke-width: 3px; }
            .axis { stroke: #59636e; stroke-width: 1; }
            .grid { stroke: #d1d9e0; stroke-width: 1; }
            .mark { stroke: #1f2328; stroke-width: 1; stroke-dasharray: 4 3; }
            @media (prefers-color-scheme: dark) {
              .page { fill: #0d1117; }
              text { fill: #f0f6fc; }
              .small { stroke: #0d1117; }
              .axis { stroke: #9198a1; }
              .grid { stroke: #3d444d; }
              .mark { stroke: #f0f6fc; }
            }
            """;

    private final StringBuilder svg = new StringBuilder();

    /** Creates an image with its title at the top. */
    Svg(int width, int height, String title) {
        svg.append(Numbers.format("""
                <svg xmlns="http://www.w3.org/2000/svg" width="%1$d" height="%2$d" viewBox="0 0 %1$d %2$d" role="img">
                <title>%3$s</title>
                <style>
                %4$s</style>
                <rect class="page" width="%1$d" height="%2$d"/>
                """, width, height, escape(title), STYLE));
        text(width / 2.0, 26, "title", Anchor.MIDDLE, title);
    }

    /** The part of a text that is at its position. */
    enum Anchor {
        START,
        MIDDLE,
        END
    }

    Svg text(double x, double y, String style, Anchor anchor, String text) {
        return element(
                "<text x=\"%.1f\" y=\"%.1f\" class=\"%s\" text-anchor=\"%s\">%s</text>",
                x, y, style, anchor.name().toLowerCase(Locale.ROOT), escape(text));
    }

    /** Adds a text that reads upwards, for the axis at the left. */
    Svg textUp(double x, double y, String text) {
        return element(
                "<text transform=\"translate(%.1f %.1f) rotate(-90)\" text-anchor=\"middle\">%s</text>",
                x, y, escape(text));
    }

    Svg rect(double x, double y, double width, double height, String colour) {
        return element(
                "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\"/>",
                x, y, Math.max(width, 0), Math.max(height, 0), colour);
    }

    Svg line(double fromX, double fromY, double toX, double toY, String style) {
        return element(
                "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" class=\"%s\"/>", fromX, fromY, toX, toY, style);
    }

    /** Returns the image. */
    String end() {
        return svg + "</svg>\n";
    }

    private Svg element(String format, Object... values) {
        svg.append(Numbers.format(format, values)).append('\n');
        return this;
    }

    private static String escape(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}
