/* search/greedy.c: looks one turn ahead, without replies.
 *
 * The best few beginnings of a turn are carried on action by action; the end
 * that estimate() likes best wins.  Turns longer than DEPTH are judged where
 * they then stand. */
#include "search/tree.h"

#include <string.h>

enum { DEPTH = 8 };

static struct state *beam_at(const struct search *s, int i)
{
    size_t size = (s->game->state_size + 15) & ~(size_t)15;
    return (struct state *)((char *)s->beam_state + size * (size_t)i);
}

static int lead(const struct search *s, const struct state *now)
{
    int milli[GAME_SEATS] = {0};
    s->game->estimate(s->world, now, s->memo, milli);
    return search_lead(s, milli, s->seat);
}

/* The worst of the new beams gives way; they lie behind the old ones. */
static void offer(struct search *s, int *fresh, int milli, action first,
                  const struct state *now)
{
    int at = BEAM + *fresh;
    for (int i = 0; i < *fresh; i++)
        if (s->beam[BEAM + i].milli == milli &&
            memcmp(beam_at(s, BEAM + i), now, s->game->state_size) == 0)
            return;
    if (*fresh < BEAM) {
        ++*fresh;
    } else {
        at = BEAM;
        for (int i = BEAM + 1; i < 2 * BEAM; i++)
            if (s->beam[i].milli < s->beam[at].milli)
                at = i;
        if (s->beam[at].milli >= milli)
            return;
    }
    s->beam[at] = (struct beam){milli, first};
    search_copy(s, beam_at(s, at), now);
}

static void end_turn(struct search *s, int milli, action first)
{
    if (s->chosen_yet && milli <= s->best_milli)
        return;
    s->chosen_yet = true;
    s->best_milli = milli;
    s->chosen = first;
}

/* s->milli: the lead after each action of s->list. */
static void rank(struct search *s, const struct state *from, int count)
{
    if (s->game->rank) {
        s->game->rank(s->world, from, s->memo, s->seat, s->list, count,
                      s->milli);
        return;
    }
    for (int i = 0; i < count; i++) {
        search_copy(s, s->spare, from);
        s->game->apply(s->world, s->spare, s->seat, s->list[i]);
        s->milli[i] = lead(s, s->spare);
    }
}

/* Could it still enter the beam or be the best turn? */
static bool of_use(const struct search *s, int fresh, int milli)
{
    if (fresh < BEAM || !s->chosen_yet || milli > s->best_milli)
        return true;
    for (int i = BEAM; i < 2 * BEAM; i++)
        if (s->beam[i].milli < milli)
            return true;
    return false;
}

/* Carries one beginning on by each of its actions. */
static void extend(struct search *s, const struct state *from, action first,
                   bool is_first, bool last, int *fresh)
{
    unsigned must, may;
    int count = s->game->legal(s->world, from, s->seat, s->list);
    rank(s, from, count);
    for (int i = 0; i < count; i++) {
        action begun = is_first ? s->list[i] : first;
        if (!of_use(s, *fresh, s->milli[i]))
            continue;
        search_copy(s, s->spare, from);
        s->game->apply(s->world, s->spare, s->seat, s->list[i]);
        s->game->turn(s->world, s->spare, &must, &may);
        if (last || !((must ? must : may) >> s->seat & 1))
            end_turn(s, lead(s, s->spare), begun);
        else
            offer(s, fresh, s->milli[i], begun, s->spare);
    }
}

/* One action further with every beam; the new ones take the old ones' place. */
static void step(struct search *s, int depth)
{
    int fresh = 0;
    if (depth == 0)
        extend(s, s->view, 0, true, false, &fresh);
    for (int i = 0; depth > 0 && i < s->beams; i++)
        extend(s, beam_at(s, i), s->beam[i].first, false, depth == DEPTH - 1,
               &fresh);
    for (int i = 0; i < fresh; i++) {
        s->beam[i] = s->beam[BEAM + i];
        search_copy(s, beam_at(s, i), beam_at(s, BEAM + i));
    }
    s->beams = fresh;
}

bool greedy_run(struct search *s, int nodes)
{
    if (!s->game->estimate)
        return false;
    if (s->hidden && s->done == 0) /* one guess will do */
        s->game->complete(s->world, s->view, s->seat, &s->rng);
    for (int i = 0; i < nodes && s->done < DEPTH; i++) {
        step(s, s->done++);
        if (s->beams == 0)
            return false;
    }
    return s->done < DEPTH;
}
