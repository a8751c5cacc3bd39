/* search/merge.c: the opinions of several searches for one view. */
#include "search/tree.h"

/* What is proven gets no further visits, however good it is: whatever a search
 * prefers counts at least as many as what it likes less. */
static void raise_visits(struct search_choice *top, int count)
{
    for (int i = count - 2; i >= 0; i--)
        if (top[i].visits < top[i + 1].visits)
            top[i].visits = top[i + 1].visits;
}

/* Adds one more; `unknown` is how far behind an action is that none of them
 * knows. */
static int add(const struct search *s, struct search_choice *all, int count,
               int cap, int *unknown)
{
    struct search_choice top[SEARCH_TOP];
    int found = search_top(s, top, SEARCH_TOP);
    int last = found ? top[found - 1].value - top[0].value : 0;
    raise_visits(top, found);
    for (int k = 0; k < count; k++)
        all[k].value += last;
    *unknown += last;
    for (int i = 0; i < found; i++) {
        int k = 0;
        while (k < count && all[k].action != top[i].action)
            k++;
        if (k == cap)
            continue;
        if (k == count)
            all[count++] = (struct search_choice){.action = top[i].action,
                                                  .value = *unknown};
        all[k].visits += top[i].visits;
        all[k].value += top[i].value - top[0].value - last;
    }
    return count;
}

/* A race gives what is good and what is bad a few visits less or more; a tree
 * visits what is good. */
static bool is_better(const struct search *s, const struct search_choice *a,
                      const struct search_choice *b)
{
    bool race = s->hidden && s->bot->kind == SEARCH_TREE;
    if (race || a->visits == b->visits)
        return a->value > b->value;
    return a->visits > b->visits;
}

int search_merge(struct search *const *searches, int number,
                 struct search_choice *out, int cap)
{
    int count = 0, unknown = 0;
    for (int i = 0; i < number; i++)
        count = add(searches[i], out, count, cap, &unknown);
    for (int i = 1; i < count; i++) {
        struct search_choice c = out[i];
        int at = i;
        for (; at > 0 && is_better(searches[0], &c, &out[at - 1]); at--)
            out[at] = out[at - 1];
        out[at] = c;
    }
    return count;
}
