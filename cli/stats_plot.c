/* cli/stats_plot.c: plots of a set of games as one SVG file. */
#include "cli/stats.h"

#include <math.h>
#include <string.h>

enum {
    WIDTH = 420,
    HEIGHT = 260,
    LEFT = 56,
    RIGHT = 12,
    TOP = 34,
    BOTTOM = 40
};

/* A frame with axes; values are turned into places inside it. */
struct frame {
    FILE *to;
    double x, y; /* of its corner in the file */
    double x0, x1, y0, y1;
};

static double at_x(const struct frame *f, double value)
{
    return f->x + LEFT +
           (value - f->x0) / (f->x1 - f->x0) * (WIDTH - LEFT - RIGHT);
}

static double at_y(const struct frame *f, double value)
{
    return f->y + HEIGHT - BOTTOM -
           (value - f->y0) / (f->y1 - f->y0) * (HEIGHT - TOP - BOTTOM);
}

/* A round number near a fifth of the span. */
static double step_of(double span)
{
    double unit = pow(10, floor(log10(span / 5)));
    double times = span / 5 / unit;
    return unit * (times > 5 ? 10 : times > 2 ? 5 : times > 1 ? 2 : 1);
}

static void ticks_x(const struct frame *f)
{
    double step = step_of(f->x1 - f->x0);
    for (int i = (int)ceil(f->x0 / step); i * step <= f->x1; i++) {
        double v = i * step;
        fprintf(f->to,
                "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%g"
                "</text>\n",
                at_x(f, v), f->y + HEIGHT - BOTTOM + 16, v);
    }
}

static void ticks_y(const struct frame *f)
{
    double step = step_of(f->y1 - f->y0);
    for (int i = (int)ceil(f->y0 / step); i * step <= f->y1; i++) {
        double v = i * step;
        fprintf(f->to,
                "<path d=\"M%.1f %.1fH%.1f\" class=\"grid\"/>"
                "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\">%g</text>\n",
                at_x(f, f->x0), at_y(f, v), at_x(f, f->x1), at_x(f, f->x0) - 6,
                at_y(f, v) + 4, v);
    }
}

static void title(const struct frame *f, const char *text, const char *below)
{
    fprintf(f->to,
            "<text x=\"%.1f\" y=\"%.1f\" class=\"title\">%s</text>\n"
            "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\">%s</text>\n",
            f->x + LEFT, f->y + 20, text, f->x + WIDTH - RIGHT,
            f->y + HEIGHT - 6, below);
}

static void bar(const struct frame *f, double from, double to, double value)
{
    fprintf(f->to,
            "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>\n",
            at_x(f, from), at_y(f, value), at_x(f, to) - at_x(f, from),
            at_y(f, f->y0) - at_y(f, value));
}

static void whisker(const struct frame *f, double x, double low, double high)
{
    fprintf(f->to, "<path d=\"M%.1f %.1fV%.1f\" class=\"whisker\"/>\n",
            at_x(f, x), at_y(f, low), at_y(f, high));
}

/* How often each value came up. */
static void histogram(FILE *to, double x, double y, struct sample *v,
                      const char *text, const char *below)
{
    int count[STATS_BINS] = {0}, most = 1;
    double low = sample_quantile(v, 0), high = sample_quantile(v, 1) + 1;
    int bins = high - low < STATS_BINS ? (int)(high - low) : STATS_BINS;
    double width = (high - low) / (bins < 1 ? 1 : bins);
    for (int i = 0; i < v->count; i++) {
        int bin = (int)((v->value[i] - low) / width);
        bin = bin < 0 ? 0 : bin >= STATS_BINS ? STATS_BINS - 1 : bin;
        if (++count[bin] > most)
            most = count[bin];
    }
    struct frame f = {to, x, y, low, high, 0, most};
    ticks_y(&f);
    for (int i = 0; i < STATS_BINS; i++)
        if (count[i])
            bar(&f, low + i * width, low + (i + 1) * width, count[i]);
    ticks_x(&f);
    title(&f, text, below);
}

static void plot_seats(FILE *to, double x, double y, const struct stats *s)
{
    struct frame f = {to, x, y, 0.4, s->seats + 0.6, 0, 100};
    ticks_y(&f);
    for (int seat = 0; seat < s->seats; seat++) {
        double mean = 100 * sample_mean(&s->wins[seat]);
        double error = 100 * sample_error(&s->wins[seat]);
        bar(&f, seat + 0.7, seat + 1.3, mean);
        whisker(&f, seat + 1, mean > error ? mean - error : 0,
                mean + error < 100 ? mean + error : 100);
        fprintf(to,
                "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%d"
                "</text>\n",
                at_x(&f, seat + 1), y + HEIGHT - BOTTOM + 16, seat + 1);
    }
    double fair = 100.0 / s->seats;
    fprintf(to, "<path d=\"M%.1f %.1fH%.1f\" class=\"fair\"/>\n",
            at_x(&f, f.x0), at_y(&f, fair), at_x(&f, f.x1));
    title(&f, tr("wins by seat, %"), tr("seat"));
}

static void plot_branching(FILE *to, double x, double y, const struct stats *s)
{
    int steps = 1;
    double most = 1;
    while (steps < STATS_STEPS && s->reached[steps] * 20 >= s->games)
        steps++; /* while one game in twenty is still on */
    for (int i = 0; i < steps; i++)
        if (s->reached[i] && s->choices[i] / s->reached[i] > most)
            most = s->choices[i] / s->reached[i];
    struct frame f = {to, x, y, 0, steps, 0, most};
    ticks_y(&f);
    fprintf(to, "<path class=\"curve\" d=\"");
    for (int i = 0; i < steps; i++)
        if (s->reached[i])
            fprintf(to, "%s%.1f %.1f", i ? "L" : "M", at_x(&f, i),
                    at_y(&f, s->choices[i] / s->reached[i]));
    fprintf(to, "\"/>\n");
    ticks_x(&f);
    title(&f, tr("legal actions by step"), tr("step"));
}

static void plot_factions(FILE *to, double x, double y, const struct stats *s)
{
    double low = 0, high = 1;
    for (int i = 0; i < s->factions; i++) {
        double mean = sample_mean(&s->faction[i].points);
        high = mean > high ? mean * 1.1 : high;
        low = mean < low ? mean * 1.1 : low;
    }
    struct frame f = {to, x, y, 0.3, s->factions + 0.7, low, high};
    ticks_y(&f);
    for (int i = 0; i < s->factions; i++) {
        const struct faction *it = &s->faction[i];
        double mean = sample_mean(&it->points),
               error = sample_error(&it->points);
        bar(&f, i + 0.65, i + 1.35, mean);
        whisker(&f, i + 1, mean - error, mean + error);
        fprintf(to,
                "<text transform=\"translate(%.1f %.1f) rotate(-90)\" "
                "class=\"name\">%s</text>\n",
                at_x(&f, i + 1) + 4, at_y(&f, low) - 6, it->name);
    }
    title(&f, tr("points by faction"), "");
}

void stats_plot(struct stats *s, FILE *to)
{
    int rows = 3;
    fprintf(to,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" "
            "font-family=\"sans-serif\" font-size=\"11\">\n<style>"
            "rect{fill:#4a7f5a}.bg{fill:#fff}.title{font-size:14px;"
            "font-weight:bold}.grid{stroke:#ddd}.whisker{stroke:#222;"
            "stroke-width:1.5}.fair{stroke:#b33;stroke-dasharray:4}.curve{"
            "fill:none;stroke:#2c5d8a;stroke-width:1.5}.name{fill:#fff}"
            "</style>\n<title>",
            2 * WIDTH, rows * HEIGHT);
    fprintf(to, tr("%s, %d seats, %d games"), s->game->title, s->seats,
            s->games);
    fprintf(to, "</title>\n<rect class=\"bg\" width=\"%d\" height=\"%d\"/>\n",
            2 * WIDTH, rows * HEIGHT);
    histogram(to, 0, 0, &s->all_points, tr("points"), tr("points of a seat"));
    histogram(to, WIDTH, 0, &s->length, tr("length"), tr("actions of a game"));
    plot_seats(to, 0, HEIGHT, s);
    plot_branching(to, WIDTH, HEIGHT, s);
    histogram(to, 0, 2 * HEIGHT, &s->margin, tr("margin"),
              tr("lead of the winner"));
    if (s->factions)
        plot_factions(to, WIDTH, 2 * HEIGHT, s);
    fprintf(to, "</svg>\n");
}
