/* rules/mystica/sizes.h: how much of everything there is. */
#ifndef RULES_MYSTICA_SIZES_H
#define RULES_MYSTICA_SIZES_H

enum {
    SEATS = 5,
    CELLS = 113, /* most cells of a map: five rows of 13, four of 12 */
    ROUNDS = 6,
    TRACKS = 4,
    COLOURS = 7,
    CARDS = 10,   /* bonus cards 1..10, 0 is none */
    FAVOURS = 12, /* favour tiles 1..12 */
    TOWNS = 8,    /* town tiles 1..8 */
    OFFERS = 64,  /* most open power offers */
    BRIDGES = 15,
    SHIP_MAX = 6, /* Mermaids on level 5 with BON4 */
    SKIP_MAX = 4, /* carpet range 4 */
    PRIESTS = 7,
    ADJUSTMENTS = 40, /* most corrections by hand in one game */
    NO_SEAT = 255,
    NO_FACTION = 255
};

enum faction_id {
    ALCHEMISTS,
    AUREN,
    CHAOSMAGICIANS,
    CULTISTS,
    DARKLINGS,
    DWARVES,
    ENGINEERS,
    FAKIRS,
    GIANTS,
    HALFLINGS,
    MERMAIDS,
    NOMADS,
    SWARMLINGS,
    WITCHES,
    ICEMAIDENS,
    YETIS,
    ACOLYTES,
    DRAGONLORDS,
    RIVERWALKERS,
    SHAPESHIFTERS,
    FACTIONS
};

#endif
